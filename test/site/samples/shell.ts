import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const marker = "-- the next sample --";

export interface CurlResponse {
  status: number;
  mediaType: string | undefined;
  text: string;
}

export async function runCurl(commands: string[], shellCount = 4): Promise<(CurlResponse | undefined)[]> {
  const commandsPerShell = Math.ceil(commands.length / shellCount);
  const starts = Array.from({ length: shellCount }, (_, index) => index * commandsPerShell);
  const outputs = await Promise.all(starts.map((start) => runShare(commands.slice(start, start + commandsPerShell))));
  return outputs.flat();
}

async function runShare(commands: string[]): Promise<(CurlResponse | undefined)[]> {
  const script = commands.map((command) => `${command}\nprintf '\\n%s\\n' '${marker}'\n`).join("");
  const outputs = (await runShell(script)).split(`\n${marker}\n`);
  return commands.map((_, index) => readCurlResponse(outputs[index] ?? ""));
}

function readCurlResponse(output: string): CurlResponse | undefined {
  const end = output.indexOf("\r\n\r\n");
  const head = output.slice(0, end);
  const status = /^HTTP\/1\.1 (\d{3})/.exec(head)?.[1];
  if (end < 0 || status === undefined) return undefined;
  const mediaType = /^content-type: ([^;\r]+)/im.exec(head)?.[1];
  return { status: Number(status), mediaType, text: output.slice(end + 4) };
}

/** The arguments of each command, as a shell parses them, without the program's name. */
export async function wordsOf(program: string, commands: string[]): Promise<string[][]> {
  const printer = `${program}() { printf '%s\\n' "$@" '${marker}'; }\n`;
  const output = await runShell(`${printer}${commands.join("\n")}\n`);
  return output
    .split(`${marker}\n`)
    .slice(0, -1)
    .map((lines) => lines.trimEnd().split("\n"));
}

async function runShell(script: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "samples-"));
  try {
    return await new Promise<string>((resolve) => {
      const options = { env: { PATH: process.env.PATH, TMPDIR: folder }, maxBuffer: 64 * 1024 * 1024 };
      const child = execFile("sh", options, (_error, stdout) => resolve(stdout));
      child.stdin?.end(script);
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
