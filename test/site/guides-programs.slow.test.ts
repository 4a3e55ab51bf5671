import { spawnSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { lexer, type Tokens, walkTokens } from "marked";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/contract/model/index.ts";
import { startMock } from "../../scripts/mock/host/mock.ts";
import { loadPlan } from "../../scripts/mock/make-plan/index.ts";
import { type Guide, readGuides } from "../../scripts/site/site/guides.ts";
import { run } from "../../scripts/tools/verify/processes.ts";
import { withTakenPort } from "../support/ports.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { typeProblems } from "./samples/programs.ts";

const blockEnd = "@@ end of block @@";

const languages = {
  ts: { command: "node", args: [], end: `console.log("\\n${blockEnd}");` },
  sh: { command: "bash", args: ["-eu"], end: `printf '\\n%s\\n' '${blockEnd}'` },
  python: { command: "python3", args: [], end: `print("\\n${blockEnd}")` },
  php: { command: "php", args: [], end: `echo "\\n${blockEnd}\\n";` },
};
type Language = keyof typeof languages;

interface Block {
  language: string;
  text: string;
  /** The line in the guide's file on which the text begins. */
  line: number;
  /** The expected output; `…` matches any text. Undefined if the guide shows no output. */
  output: string | undefined;
}

/** All blocks of a guide in one language, which are one program. */
interface Program {
  guide: string;
  language: Language;
  blocks: Block[];
}

function programsOf(guide: Guide): Program[] {
  const blocks = blocksOf(guide);
  const programs = (Object.keys(languages) as Language[]).map((language) => {
    return { guide: guide.name, language, blocks: blocks.filter((block) => block.language === language) };
  });
  const first = ({ blocks: [block] }: Program) => block?.line ?? 0;
  return programs.filter((program) => program.blocks.length > 0).sort((a, b) => first(a) - first(b));
}

function blocksOf({ name, text, firstLine }: Guide): Block[] {
  const tokens = lexer(text);
  const blocks: Block[] = [];
  let line = firstLine;
  let last: Block | undefined;
  for (const token of tokens) {
    if (token.type === "code") {
      const { lang = "", text: code } = token as Tokens.Code;
      if (lang === "output") {
        if (last === undefined) throw new Error(`${name}.md:${line}: an output stands right behind a program.`);
        last.output = code;
      }
      const isProgram = Object.hasOwn(languages, lang);
      last = isProgram ? { language: lang, text: code, line: line + 1, output: undefined } : undefined;
      if (last !== undefined) blocks.push(last);
    } else if (token.type !== "space") {
      last = undefined;
    }
    line += token.raw.split("\n").length - 1;
  }
  const run = [...Object.keys(languages), "output"];
  walkTokens(tokens, (token) => {
    if (token.type !== "code" || tokens.includes(token) || !run.includes(token.lang ?? "")) return;
    throw new Error(`${name}.md: a ${token.lang} block in a list or a quotation is never run. Put it outside.`);
  });
  return blocks;
}

/** `lines` has the line number in the guide for each line of the text. */
function textOf({ blocks, language }: Program): { text: string; lines: number[] } {
  const { end } = languages[language];
  const parts = blocks.flatMap((block) => {
    const texts = block.text.split("\n");
    return [...texts.map((text, index) => ({ text, line: block.line + index })), { text: end, line: block.line }];
  });
  return { text: parts.map(({ text }) => text).join("\n"), lines: parts.map(({ line }) => line) };
}

function matching(output: string): RegExp {
  const parts = output.split("…").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^\\s*${parts.join("[^]*")}\\s*$`);
}

const documentedPorts = ["4010", "4011", "3000"];

const guides = readGuides().flatMap((guide): [name: string, programs: Program[]][] => {
  const programs = programsOf(guide);
  return programs.length === 0 ? [] : [[guide.name, programs]];
});
const programs = guides.flatMap(([, own]) => own);
const notInstalled = (["python", "php"] as const).filter((language) => {
  return !process.env.CI && spawnSync(languages[language].command, ["--version"]).status !== 0;
});

const folder = temporaryFolder();
symlinkSync(`${projectRoot}/node_modules`, join(folder, "node_modules"));

describe("the guides' programs", () => {
  it.skipIf(notInstalled.length > 0)(
    `run in every language${notInstalled.map((one) => `; ${one} is not installed`).join("")}`,
    () => expect(new Set(programs.map(({ language }) => language))).toEqual(new Set(["ts", "sh", "python", "php"])),
  );

  it("are JavaScript with correct types", () => {
    const texts = new Map(
      programs.flatMap((program) => (program.language === "ts" ? [[`${program.guide}.js`, textOf(program)]] : [])),
    );
    // Parameters need no types.
    const options = { allowJs: true, checkJs: true, noImplicitAny: false, noEmit: true };
    const found = typeProblems(new Map([...texts].map(([name, { text }]) => [name, text])), {
      ...options,
      moduleDetection: ts.ModuleDetectionKind.Force,
    });
    expect(found.map((each) => `${each.module}:${texts.get(each.module)?.lines[each.line]}: ${each.message}`)).toEqual(
      [],
    );
  }, 120_000);

  it.each(guides)("print the output that the guide %s shows", async (guide, own) => {
    const mock = await startMock(await loadPlan(), { edition: "test", scenario: true });
    const ports = [mock.url, mock.depositUrl].map((url) => new URL(url).port);
    // Another process could take this free port before the program listens, which is unlikely.
    ports.push(await withTakenPort(async (port) => String(port)));
    try {
      for (const program of own) {
        if (notInstalled.some((language) => language === program.language)) continue;
        const file = await write(program, ports);
        const { command, args } = languages[program.language];
        const printed = await run(command, [...args, file], { cwd: folder, limitMs: 20_000 });
        const outputs = replacePorts(printed, ports, documentedPorts).split(blockEnd);
        for (const [index, { output, line }] of program.blocks.entries()) {
          if (output !== undefined) expect(outputs[index], `${guide}.md:${line}`).toMatch(matching(output));
        }
      }
    } finally {
      await mock.close();
    }
  });
});

function replacePorts(text: string, from: readonly string[], to: readonly string[]): string {
  const known = new RegExp(`(?<![\\d.])(${from.join("|")})(?![\\d.])`, "g");
  return text.replace(known, (port) => to[from.indexOf(port)] ?? port);
}

async function write(program: Program, ports: readonly string[]): Promise<string> {
  const { guide, language } = program;
  const text = replacePorts(textOf(program).text, documentedPorts, ports);
  const file = join(folder, `${guide}.${language === "ts" ? "mjs" : language}`);
  if (language !== "ts") {
    writeFileSync(file, text);
    return file;
  }
  await build({
    stdin: { contents: text, resolveDir: projectRoot, loader: "js" },
    ...{ outfile: file, bundle: true, format: "esm", platform: "node", packages: "external" },
    ...{ tsconfig: `${projectRoot}/tsconfig.json`, logLevel: "silent" },
  });
  return file;
}
