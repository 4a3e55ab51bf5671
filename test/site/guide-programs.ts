/** Finds the programs in the guides, checks their types, and runs them against a mock with the settings of `npm start`. */
import { spawnSync } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { lexer, type Tokens, walkTokens } from "marked";
import ts from "typescript";
import { projectRoot, UsageError } from "../../scripts/contract/model/index.ts";
import { startMock } from "../../scripts/mock/host/mock.ts";
import { loadPlan } from "../../scripts/mock/make-plan/index.ts";
import type { Guide } from "../../scripts/site/site/guides.ts";
import { run } from "../../scripts/tools/verify/processes.ts";
import { withTakenPort } from "../support/ports.ts";
import { typeProblems } from "./samples/programs.ts";

const blockEnd = "@@ end of block @@";

const languages = {
  ts: { command: "node", args: [], end: `console.log("\\n${blockEnd}");` },
  sh: { command: "bash", args: ["-eu"], end: `printf '\\n%s\\n' '${blockEnd}'` },
  python: { command: "python3", args: [], end: `print("\\n${blockEnd}")` },
  php: { command: "php", args: [], end: `echo "\\n${blockEnd}\\n";` },
};
type Language = keyof typeof languages;

export function canRun(language: Language): boolean {
  return spawnSync(languages[language].command, ["--version"]).status === 0;
}

interface Block {
  language: string;
  text: string;
  /** The line in the guide's file on which the text begins. */
  line: number;
  /** The expected output; `…` matches any text. Undefined if the guide shows no output. */
  output: string | undefined;
}

/** All `ts` blocks of a guide as one module; or all blocks of another language as one script. */
export interface Program {
  guide: string;
  language: Language;
  blocks: Block[];
}

export function programsOf({ name, text }: Guide, file: string): Program[] {
  const whole = readFileSync(file, "utf8");
  const blocks = blocksOf(text, whole.slice(0, whole.indexOf(text)).split("\n").length, name);
  const programs = (Object.keys(languages) as Language[]).map((language) => ({
    ...{ guide: name, language },
    blocks: blocks.filter((block) => block.language === language),
  }));
  const first = ({ blocks: [block] }: Program) => block?.line ?? 0;
  return programs.filter((program) => program.blocks.length > 0).sort((a, b) => first(a) - first(b));
}

function blocksOf(text: string, firstLine: number, guide: string): Block[] {
  const tokens = lexer(text);
  const blocks: Block[] = [];
  let line = firstLine;
  let last: Block | undefined;
  for (const token of tokens) {
    if (token.type === "code") {
      const { lang = "", text: code } = token as Tokens.Code;
      if (lang === "output") {
        if (last === undefined) throw new Error(`${guide}.md:${line}: an output stands right behind a program.`);
        last.output = code;
      }
      last = Object.hasOwn(languages, lang)
        ? { language: lang, text: code, line: line + 1, output: undefined }
        : undefined;
      if (last !== undefined) blocks.push(last);
    } else if (token.type !== "space") {
      last = undefined;
    }
    line += token.raw.split("\n").length - 1;
  }
  walkTokens(tokens, (token) => {
    if (
      token.type !== "code" ||
      tokens.includes(token) ||
      ![...Object.keys(languages), "output"].includes(token.lang ?? "")
    )
      return;
    throw new Error(`${guide}.md: a ${token.lang} block in a list or a quotation is never run. Put it outside.`);
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

/** Checks the types of calls, but permits parameters without types. */
const asJavaScript = {
  ...{ allowJs: true, checkJs: true, noImplicitAny: false, noEmit: true },
  moduleDetection: ts.ModuleDetectionKind.Force,
};

export function typeErrors(programs: readonly Program[]): string[] {
  const checked = programs.filter(({ language }) => language === "ts");
  const texts = new Map(checked.map((program) => [`${program.guide}.md.js`, textOf(program)]));
  const found = typeProblems(new Map([...texts].map(([name, { text }]) => [name, text])), asJavaScript);
  return found.map(
    ({ module, line, message }) => `${module.replace(/\.js$/, "")}:${texts.get(module)?.lines[line]}: ${message}`,
  );
}

const documentedPorts = ["4010", "4011", "3000"];

export async function runPrograms(programs: readonly Program[], folder: string): Promise<string[]> {
  symlinkSync(`${projectRoot}/node_modules`, join(folder, "node_modules"));
  const plan = await loadPlan();
  const guides = [...new Set(programs.map(({ guide }) => guide))];
  const findings = new Map<string, string[]>();
  const runs = await Promise.all(
    guides.map(async (guide) => {
      const mock = await startMock(plan, { edition: "test", scenario: true });
      const ports = [mock.url, mock.depositUrl].map((url) => new URL(url).port);
      // Another process could take this free port before the program listens, which is unlikely.
      ports.push(await withTakenPort(async (port) => String(port)));
      const own = programs.filter((program) => program.guide === guide);
      return { guide, mock, ports, own, files: own.map((program) => write(program, ports, folder)) };
    }),
  );
  await bundle(
    runs.flatMap(({ files }) => files).filter((file) => file.endsWith(".ts")),
    folder,
  );
  const waiting = [...runs];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { guide, own, files, ports } = next;
      const found: string[] = [];
      for (const [index, program] of own.entries())
        found.push(...(await runOne(program, files[index] ?? "", ports, folder)));
      findings.set(guide, found);
    }
  };
  try {
    await Promise.all([work(), work()]);
  } finally {
    await Promise.all(runs.map(({ mock }) => mock.close()));
  }
  return guides.flatMap((guide) => findings.get(guide) ?? []);
}

function write(program: Program, ports: readonly string[], folder: string): string {
  const file = join(folder, `${program.guide}.${program.language}`);
  const text = textOf(program).text.replace(/(?<![\d.])(4010|4011|3000)(?![\d.])/g, (port) => {
    return ports[documentedPorts.indexOf(port)] ?? port;
  });
  writeFileSync(file, text);
  return file;
}

async function bundle(entryPoints: string[], outdir: string): Promise<void> {
  await build({
    ...{ entryPoints, outdir, bundle: true, splitting: true, format: "esm", platform: "node", packages: "external" },
    ...{ tsconfig: `${projectRoot}/tsconfig.json`, outExtension: { ".js": ".mjs" }, logLevel: "silent" },
  });
}

async function runOne(program: Program, file: string, ports: readonly string[], folder: string): Promise<string[]> {
  const { guide, language, blocks } = program;
  const { command, args } = languages[language];
  const documented = (text: string) =>
    ports.reduce((changed, port, index) => changed.replaceAll(`:${port}`, `:${documentedPorts[index]}`), text);
  try {
    const call = [...args, file.replace(/\.ts$/, ".mjs")];
    const parts = documented(await run(command, call, { cwd: folder, limitMs: 20_000 })).split(blockEnd);
    return blocks.flatMap(({ output, line }, index) => {
      const part = (parts[index] ?? "").trim();
      if (output === undefined || isShown(part, output)) return [];
      return [`${guide}.md:${line}: the ${language} block prints another output than is shown:\n${part}`];
    });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const ended = documented(error.message).split(blockEnd);
    const line = (blocks[ended.length - 1] ?? blocks.at(-1))?.line;
    return [`${guide}.md:${line}: this ${language} block fails: ${ended.map((part) => part.trim()).join("\n")}`];
  }
}

function isShown(text: string, output: string): boolean {
  const [first = "", ...others] = output.trim().split("…");
  if (!text.startsWith(first)) return false;
  const last = others.pop();
  if (last === undefined) return text === first;
  let from = first.length;
  for (const part of others) {
    const index = text.indexOf(part, from);
    if (index < 0) return false;
    from = index + part.length;
  }
  return text.length - last.length >= from && text.endsWith(last);
}
