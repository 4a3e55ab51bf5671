import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/contract/model/index.ts";
import { readGuides } from "../../scripts/site/site/guides.ts";
import { canRun, programsOf, runPrograms, typeErrors } from "./guide-programs.ts";

const folder = mkdtempSync(join(tmpdir(), "guides-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the guides' programs", () => {
  const programs = readGuides().flatMap((guide) => programsOf(guide, `${projectRoot}/openapi/guides/${guide.name}.md`));
  const notInstalled = (["python", "php"] as const).filter((language) => !process.env.CI && !canRun(language));
  const runnable = programs.filter(({ language }) => !(notInstalled as string[]).includes(language));

  it.skipIf(notInstalled.length > 0)(
    `run in every language${notInstalled.map((one) => `; ${one} is not installed`).join("")}`,
    () => expect(new Set(programs.map(({ language }) => language))).toEqual(new Set(["ts", "sh", "python", "php"])),
  );

  it("are JavaScript with correct types", () => expect(typeErrors(programs)).toEqual([]), 120_000);

  it("print the output that the guide shows", async () => {
    expect(programs.length).toBeGreaterThan(10);
    expect(await runPrograms(runnable, folder)).toEqual([]);
  }, 120_000);
});
