import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/contract/model/index.ts";
import { type Guide, readGuides } from "../../scripts/site/site/guides.ts";
import { canRun, type Program, programsOf, runPrograms, typeErrors, typeScriptOnly } from "./guide-programs.ts";

const folder = mkdtempSync(join(tmpdir(), "guides-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function madeUp(name: string, text: string): Program[] {
  const file = join(folder, `${name}.md`);
  writeFileSync(file, `---\ntitle: Made up\n---\n\n${text}\n`);
  return programsOf({ name, text } as Guide, file);
}

const fence = (language: string, ...lines: string[]) => `\`\`\`${language}\n${lines.join("\n")}\n\`\`\`\n\n`;

const wrong = {
  types: madeUp(
    "types",
    `Text.\n\n${fence("ts", "let amount = 1;", 'export const text = amount + "";', "amount = text;")}`,
  ),
  annotation: madeUp("annotation", fence("ts", "console.log(1);") + fence("ts", "const amount: number = 1;")),
  output: madeUp("output", fence("sh", "echo one") + fence("sh", "echo two") + fence("output", "t…e")),
  failing: madeUp("failing", fence("sh", "echo one") + fence("sh", "false")),
  throwing: madeUp("throwing", fence("ts", 'throw new Error("a mistake");')),
};

describe("the guides' programs", () => {
  const programs = readGuides().flatMap((guide) => programsOf(guide, `${projectRoot}/openapi/guides/${guide.name}.md`));
  const absent = (["python", "php"] as const).filter((language) => !process.env.CI && !canRun(language));
  const runnable = programs.filter(({ language }) => !(absent as string[]).includes(language));
  let compiled: string[] = [];
  let run: string[] = [];
  beforeAll(async () => {
    compiled = typeErrors([...programs, ...wrong.types]);
    run = await runPrograms([...runnable, ...wrong.output, ...wrong.failing, ...wrong.throwing], folder);
  }, 120_000);
  const about = (findings: string[], ...names: string[]) =>
    findings.filter((finding) => names.some((name) => finding.startsWith(`${name}.md:`)));

  it("exist", () => expect(programs.length).toBeGreaterThan(10));

  it.skipIf(absent.length > 0)(
    `run in every language${absent.map((one) => `; ${one} is not installed`).join("")}`,
    () => expect(new Set(programs.map(({ language }) => language))).toEqual(new Set(["ts", "sh", "python", "php"])),
  );

  it("pass the compiler", () => expect(compiled.slice(0, -1)).toEqual([]));

  it("are JavaScript that Node.js runs as copied", async () => {
    expect(await typeScriptOnly(programs)).toEqual([]);
    expect(await typeScriptOnly(wrong.annotation)).toEqual(['annotation.md:10: Expected ";" but found ":"']);
  });

  it("print the output that the guide shows", () => {
    expect(run.filter((finding) => about([finding], ...Object.keys(wrong)).length === 0)).toEqual([]);
  });

  it("with a wrong type are refused with the line", () => {
    expect(about(compiled, "types")).toEqual(["types.md:10: Type 'string' is not assignable to type 'number'."]);
  });

  it("that fail or print something else are found", () => {
    expect(about(run, "output")).toEqual(["output.md:10: the sh block prints another output than is shown:\ntwo"]);
    expect(about(run, "failing")).toEqual([expect.stringMatching(/^failing\.md:10: this sh block fails: /)]);
    expect(about(run, "throwing")).toEqual([
      expect.stringMatching(/^throwing\.md:6: this ts block fails: [\s\S]*a mistake/),
    ]);
  });
});

describe("a code block", () => {
  it("that no test runs is refused", () => {
    expect(() => madeUp("list", `- Item\n\n  ${fence("ts", "  1;").replaceAll("\n`", "\n  `")}`)).toThrow("in a list");
    expect(() => madeUp("lost", fence("output", "text"))).toThrow("lost.md:5: an output stands right behind");
  });
});
