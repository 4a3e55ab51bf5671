/** The programs of the guides, in the languages that tests run. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { lexer, type Tokens, walkTokens } from "marked";
import { escapePattern, projectRoot } from "../../../scripts/base/index.ts";
import type { Guide } from "../../../scripts/site/content/guides.ts";
import { sqliteBanner } from "../../support/sqlite-banner.ts";

export const blockEnd = "@@ end of block @@";

export const languages = {
  ts: { command: "node", args: [], end: `console.log("\\n${blockEnd}");` },
  sh: { command: "bash", args: ["-eu"], end: `printf '\\n%s\\n' '${blockEnd}'` },
  python: { command: "python3", args: [], end: `print("\\n${blockEnd}")` },
  php: { command: "php", args: [], end: `echo "\\n${blockEnd}\\n";` },
};
export type Language = keyof typeof languages;

export interface Block {
  language: string;
  text: string;
  /** The line in the guide's file on which the text begins. */
  line: number;
  /** The expected output; `…` matches any text. Undefined if the guide shows no output. */
  output: string | undefined;
}

/** Blocks of a guide in one language, in order. A block that imports a name which an earlier block has imported begins another program. */
export interface Program {
  guide: string;
  language: Language;
  blocks: Block[];
}

export function programsOf(guide: Guide): Program[] {
  const blocks = blocksOf(guide);
  const programs = (Object.keys(languages) as Language[]).flatMap((language) => {
    const ownBlocks = blocks.filter((block) => block.language === language);
    return separatePrograms(ownBlocks).map((programBlocks) => ({ guide: guide.name, language, blocks: programBlocks }));
  });
  const firstLineOf = ({ blocks: [block] }: Program) => block?.line ?? 0;
  return programs.sort((a, b) => firstLineOf(a) - firstLineOf(b));
}

function separatePrograms(blocks: readonly Block[]): Block[][] {
  const programs: Block[][] = [];
  let importedNames = new Set<string>();
  for (const block of blocks) {
    const ownImports = [...block.text.matchAll(/^import (.+) from "/gm)].flatMap(
      ([, names = ""]) => names.match(/\w+/g) ?? [],
    );
    const program = ownImports.some((name) => importedNames.has(name)) ? undefined : programs.at(-1);
    if (program === undefined) {
      programs.push([block]);
      importedNames = new Set(ownImports);
    } else {
      program.push(block);
      for (const name of ownImports) importedNames.add(name);
    }
  }
  return programs;
}

function blocksOf({ name, text, firstLine }: Guide): Block[] {
  const tokens = lexer(text);
  const blocks: Block[] = [];
  let line = firstLine;
  let lastBlock: Block | undefined;
  for (const token of tokens) {
    if (token.type === "code") {
      const { lang = "", text: code } = token as Tokens.Code;
      if (lang === "output") {
        if (lastBlock === undefined) throw new Error(`${name}.md:${line}: an output stands right behind a program.`);
        lastBlock.output = code;
      }
      const isProgram = Object.hasOwn(languages, lang);
      lastBlock = isProgram ? { language: lang, text: code, line: line + 1, output: undefined } : undefined;
      if (lastBlock !== undefined) blocks.push(lastBlock);
    } else if (token.type !== "space") {
      lastBlock = undefined;
    }
    line += token.raw.split("\n").length - 1;
  }
  const runnableLanguages = [...Object.keys(languages), "output"];
  walkTokens(tokens, (token) => {
    if (token.type !== "code" || tokens.includes(token) || !runnableLanguages.includes(token.lang ?? "")) return;
    throw new Error(`${name}.md: a ${token.lang} block in a list or a quotation is never run. Put it outside.`);
  });
  return blocks;
}

export const nameOf = ({ guide, blocks: [block] }: Program) => `${guide}-${block?.line}`;

/** `lines` has the line number in the guide for each line of the text. */
export function textOf({ blocks, language }: Program): { text: string; lines: number[] } {
  const { end } = languages[language];
  const parts = blocks.flatMap((block) => {
    const texts = block.text.split("\n");
    return [...texts.map((text, index) => ({ text, line: block.line + index })), { text: end, line: block.line }];
  });
  return { text: parts.map(({ text }) => text).join("\n"), lines: parts.map(({ line }) => line) };
}

export function outputPattern(output: string): RegExp {
  const parts = output.split("…").map(escapePattern);
  return new RegExp(`^\\s*${parts.join("[^]*")}\\s*$`);
}

export const documentedPorts: readonly string[] = ["4010", "4011", "3000"];

export function replacePorts(text: string, oldPorts: readonly string[], newPorts: readonly string[]): string {
  const portPattern = new RegExp(`(?<![\\d.])(${oldPorts.join("|")})(?![\\d.])`, "g");
  return text.replace(portPattern, (port) => newPorts[oldPorts.indexOf(port)] ?? port);
}

/** @returns the path of the file. */
export async function writeProgram(program: Program, ports: readonly string[], folder: string): Promise<string> {
  const { language } = program;
  const text = replacePorts(textOf(program).text, documentedPorts, ports);
  const file = join(folder, `${nameOf(program)}.${language === "ts" ? "mjs" : language}`);
  if (language !== "ts") {
    writeFileSync(file, text);
    return file;
  }
  await build({
    stdin: { contents: text, resolveDir: projectRoot, loader: "js" },
    outfile: file,
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
    tsconfig: `${projectRoot}/tsconfig.json`,
    logLevel: "silent",
    banner: sqliteBanner,
  });
  return file;
}
