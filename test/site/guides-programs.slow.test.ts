import { spawnSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/base/index.ts";
import { startMock } from "../../scripts/mock/host/mock.ts";
import { loadPlan } from "../../scripts/mock/make-plan/index.ts";
import { readGuides } from "../../scripts/site/content/guides.ts";
import { run } from "../../scripts/tools/processes/index.ts";
import { withTakenPort } from "../support/ports.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { typeProblems } from "../support/type-problems.ts";
import {
  blockEnd,
  documentedPorts,
  languages,
  nameOf,
  outputPattern,
  type Program,
  programsOf,
  replacePorts,
  textOf,
  writeProgram,
} from "./samples/guide-programs.ts";

const guides = readGuides().flatMap((guide): [name: string, programs: Program[]][] => {
  const programs = programsOf(guide);
  return programs.length === 0 ? [] : [[guide.name, programs]];
});
const programs = guides.flatMap(([, guidePrograms]) => guidePrograms);
const missingLanguages = (["python", "php"] as const).filter((language) => {
  return !process.env.CI && spawnSync(languages[language].command, ["--version"]).status !== 0;
});

const folder = temporaryFolder();
symlinkSync(`${projectRoot}/node_modules`, join(folder, "node_modules"));

describe("the guides' programs", () => {
  it.skipIf(missingLanguages.length > 0)(
    `run in every language${missingLanguages.map((language) => `; ${language} is not installed`).join("")}`,
    () => expect(new Set(programs.map(({ language }) => language))).toEqual(new Set(["ts", "sh", "python", "php"])),
  );

  it("are JavaScript with correct types", () => {
    const texts = new Map(
      programs.flatMap((program) => (program.language === "ts" ? [[`${nameOf(program)}.js`, textOf(program)]] : [])),
    );
    // Parameters need no types. With `checkJs`, the generated code that the programs import would be checked too.
    const options = { allowJs: true, noImplicitAny: false, moduleDetection: "force" };
    const modules = new Map([...texts].map(([name, { text }]) => [name, `// @ts-check\n${text}`]));
    expect(
      typeProblems(modules, options).map(
        ({ module, line, message }) => `${module}:${texts.get(module)?.lines[line - 1]}: ${message}`,
      ),
    ).toEqual([]);
  }, 120_000);

  it.each(guides)("print the output that the guide %s shows", async (guide, programsOfGuide) => {
    const mock = await startMock(await loadPlan(), { edition: "test", scenario: true });
    const ports = [mock.url, mock.depositUrl].map((url) => new URL(url).port);
    // Another process could take this free port before the program listens, which is unlikely.
    ports.push(await withTakenPort(async (port) => String(port)));
    try {
      for (const program of programsOfGuide) {
        if (missingLanguages.some((language) => language === program.language)) continue;
        const file = await writeProgram(program, ports, folder);
        const { command, args } = languages[program.language];
        const output = await run(command, [...args, file], { cwd: folder, limitMs: 20_000 });
        const outputs = replacePorts(output, ports, documentedPorts).split(blockEnd);
        for (const [index, { output, line }] of program.blocks.entries()) {
          if (output !== undefined) expect(outputs[index], `${guide}.md:${line}`).toMatch(outputPattern(output));
        }
      }
    } finally {
      await mock.close();
    }
  });
});
