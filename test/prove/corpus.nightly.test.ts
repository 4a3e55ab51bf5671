/**
 * `PROVE_CORPUS=all` rebuilds the table of mistakes and conditions (found.md), which takes some minutes; `PROVE_CORPUS=payouts` rebuilds
 * only the rows of one kind of program. `PROVE_RUNS=20` tests every mistake.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/base/index.ts";
import type { Mistake } from "./corpus/mistake.ts";
import { mistakes } from "./corpus/mistakes.ts";
import { proveProgram, withFolder, writeProgram } from "./support.ts";

const tableFile = `${projectRoot}/test/prove/corpus/found.md`;
const renewedProgram = process.env.PROVE_CORPUS ?? "";
const tabledMistakes = mistakes.filter(({ program }) => program === "payouts" || program === "receiver");
/** The mistakes to test: the first one for each pair of a program and a value of `--only`; all if PROVE_RUNS is set. */
const testedMistakes = mistakes.filter(
  ({ program, only }, index) =>
    process.env.PROVE_RUNS !== undefined ||
    mistakes.findIndex((other) => other.program === program && other.only === only) === index,
);
const titleOf = ({ program, language, name }: Mistake) => `${program} (${language}) ${name}`;

async function findConditions(
  { program, language, changes }: Mistake,
  onlyCondition?: string,
): Promise<readonly string[]> {
  const { findings } = await withFolder((folder) =>
    proveProgram(program, writeProgram(program, language, changes, folder), { only: onlyCondition }),
  );
  return [...new Set(findings.map(({ condition }) => condition))];
}

const rowOf = ({ program, language, name }: Mistake) => `| ${program} | ${language} | ${name} |`;

function tableOf(rows: readonly string[]): string {
  const count = rows.filter((row) => !row.endsWith("| nothing |")).length;
  const head = `# Planted mistakes and the conditions that find them\n\nMade by \`PROVE_CORPUS=all npx vitest run test/prove/corpus.nightly.test.ts\`. ${count} of ${rows.length} are found.`;
  return `${head}\n\n| Program | Language | Mistake | Found by |\n| --- | --- | --- | --- |\n${rows.join("\n")}\n`;
}

function readRows(): readonly string[] {
  return readFileSync(tableFile, "utf8")
    .split("\n")
    .filter((line) => tabledMistakes.some(({ program }) => line.startsWith(`| ${program} |`)));
}

describe("planted mistakes", () => {
  it.runIf(renewedProgram !== "")(
    "are found by these conditions",
    async () => {
      const knownRows = readRows();
      const rows: string[] = [];
      for (const mistake of tabledMistakes) {
        const row = knownRows.find((line) => line.startsWith(rowOf(mistake)));
        const isKept = row !== undefined && renewedProgram !== "all" && renewedProgram !== mistake.program;
        rows.push(isKept ? row : `${rowOf(mistake)} ${(await findConditions(mistake)).join(", ") || "nothing"} |`);
      }
      writeFileSync(tableFile, tableOf(rows));
    },
    3_600_000,
  );

  it("stand in the table, and of 100 at least 95 are found", () => {
    const rows = readRows();
    expect(rows.map((row) => `${row.split(" | ").slice(0, 3).join(" | ")} |`)).toEqual(tabledMistakes.map(rowOf));
    expect(tabledMistakes.length).toBeGreaterThanOrEqual(30);
    expect(rows.filter((row) => row.endsWith("| nothing |")).length).toBeLessThanOrEqual(0.05 * rows.length);
  });

  it("can all be applied", async () => {
    for (const { program, language, changes } of mistakes) {
      await withFolder(async (folder) => writeProgram(program, language, changes, folder));
    }
  });

  it.concurrent.each(testedMistakes.map((mistake) => [titleOf(mistake), mistake] as const))(
    "%s",
    async (_, mistake) => {
      const [condition = ""] = mistake.only.split(":");
      expect(await findConditions(mistake, mistake.only)).toContain(condition);
    },
    60_000,
  );
});
