/** The code blocks of the README and the guides: each language is run or is marked as not run, and the commands in them exist. */
import { readdirSync, readFileSync } from "node:fs";
import { afterEach, expect, it, vi } from "vitest";
import { projectRoot } from "../../scripts/base/index.ts";
import { runProgram } from "../../scripts/cli/package/program.ts";

/** By language: the tests that run or compare its blocks, or the reason why they are not run. */
const languages: Record<string, string> = {
  ts: "guides-programs.slow, readme",
  sh: "guides-programs.slow",
  output: "compared with what the block before prints",
  js: "prove/guide.slow, peers/docs/receivers",
  python: "guides-programs.slow, peers/languages",
  php: "guides-programs.slow, peers/languages",
  go: "peers/languages",
  java: "peers/languages",
  ruby: "peers/languages",
  csharp: "peers/languages, where a .NET SDK is",
  py: "prove/adapters.slow",
  "php-template": "prove/adapters.slow",
  // Generated samples of operations and receivers, from a mark `<!-- sample … -->` or `<!-- receiver … -->` to its end mark.
  bash: "site/samples.slow",
  typescript: "site/samples.slow",
  // Commands (`console`), whose output is not compared, and data, which is not run.
  console: "this file",
  text: "data",
  json: "data",
  http: "data",
  yaml: "data",
  xml: "data",
};

const guides = readdirSync(`${projectRoot}/openapi/guides`).filter((name) => name.endsWith(".md"));
const files = ["README.md", ...guides.map((name) => `openapi/guides/${name}`)];
const blocks = files.flatMap((file) =>
  [...readFileSync(`${projectRoot}/${file}`, "utf8").matchAll(/^```(\S*).*\n([\s\S]*?)^```$/gm)].map(
    ([, language = "", text = ""]) => ({ file, language, text }),
  ),
);

afterEach(() => void vi.restoreAllMocks());

const helpTexts = new Map<string, string>();
async function helpOf(command: string): Promise<string> {
  let helpText = helpTexts.get(command) ?? "";
  if (helpText !== "") return helpText;
  const addText = (text: unknown) => {
    helpText += text;
    return true;
  };
  vi.spyOn(console, "log").mockImplementation(addText);
  vi.spyOn(process.stdout, "write").mockImplementation(addText);
  vi.spyOn(process.stderr, "write").mockImplementation(addText);
  const exitCodeBefore = process.exitCode;
  await runProgram([...command.split(" "), "--help"]);
  await new Promise((resolve) => setImmediate(resolve));
  process.exitCode = exitCodeBefore;
  vi.restoreAllMocks();
  helpTexts.set(command, helpText);
  return helpText;
}

it("the blocks are in languages that are run or marked", () => {
  expect(blocks.length).toBeGreaterThan(200);
  const unknownBlocks = blocks.filter(({ language }) => !Object.hasOwn(languages, language));
  expect(unknownBlocks.map(({ file, language }) => `${file}: ${language}`)).toEqual([]);
});

it("the commands of the package in them exist, with their options", async () => {
  const calls = blocks.flatMap(({ file, language, text }) => {
    if (!["sh", "console"].includes(language)) return [];
    const lines = text.replace(/\\\n\s*/g, " ").split("\n");
    return lines.flatMap((line) => {
      const [, call] = /^(?:\S+=\S+ )*npx partner-wallet-api (.+)$/.exec(line) ?? [];
      return call === undefined ? [] : [{ file, call: call.replace(/ (?:#|--(?= )|[|>&]).*$/, "") }];
    });
  });
  expect(calls.length).toBeGreaterThan(20);
  const problems: string[] = [];
  for (const { file, call } of calls) {
    if (call === "--help") continue;
    const [name = "", secondWord = ""] = call.split(" ");
    const options = [...call.matchAll(/ (--[a-z-]+)/g)].map(([, option = ""]) => option);
    const help = (await helpOf(name)) + (/^[a-z]/.test(secondWord) ? await helpOf(`${name} ${secondWord}`) : "");
    if (help.includes("There is no command")) problems.push(`${file}: ${call}`);
    problems.push(...options.filter((option) => !help.includes(option)).map((option) => `${file}: ${call}: ${option}`));
  }
  expect(problems).toEqual([]);
});
