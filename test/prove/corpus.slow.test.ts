/**
 * `PROVE_CORPUS=all` rebuilds the table of mistakes and conditions (found.md), which takes some minutes; `PROVE_CORPUS=payouts` rebuilds
 * only the rows of one kind of program. `PROVE_RUNS=20` tests each correct program 20 times with different seeds, and every mistake.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/contract/model/index.ts";
import { proofKinds } from "../../scripts/prove/index.ts";
import type { Mistake } from "./corpus/mistake.ts";
import { mistakes } from "./corpus/mistakes.ts";
import { type Language, programOf, proveProgram, withFolder } from "./support.ts";

const tableFile = `${projectRoot}/test/prove/corpus/found.md`;
const renewed = process.env.PROVE_CORPUS ?? "";
const tabled = mistakes.filter(({ program }) => program === "payouts" || program === "receiver");
const runs = Number(process.env.PROVE_RUNS ?? 1);
/** The mistakes tested one by one: for each condition the first that it finds in a program of its kind; all when PROVE_RUNS is set. */
const tested = mistakes.filter(
  ({ program, by }, index) =>
    process.env.PROVE_RUNS !== undefined ||
    mistakes.findIndex((other) => other.program === program && other.by === by) === index,
);
const titleOf = ({ program, language, name }: Mistake) => `${program} (${language}) ${name}`;

async function foundBy({ program, language, changes }: Mistake, only?: string): Promise<readonly string[]> {
  const { findings } = await withFolder((folder) =>
    proveProgram(program, programOf(program, language, changes, folder), { only }),
  );
  return [...new Set(findings.map(({ condition }) => condition))];
}

const rowOf = ({ program, language, name }: Mistake) => `| ${program} | ${language} | ${name} |`;

function tableOf(rows: readonly string[]): string {
  const count = rows.filter((row) => !row.endsWith("| nothing |")).length;
  const head = `# Planted mistakes and the conditions that find them\n\nMade by \`PROVE_CORPUS=all npx vitest run test/prove/corpus.slow.test.ts\`. ${count} of ${rows.length} are found.`;
  return `${head}\n\n| Program | Language | Mistake | Found by |\n| --- | --- | --- | --- |\n${rows.join("\n")}\n`;
}

function readRows(): readonly string[] {
  return readFileSync(tableFile, "utf8")
    .split("\n")
    .filter((line) => tabled.some(({ program }) => line.startsWith(`| ${program} |`)));
}

describe("planted mistakes", () => {
  it.runIf(renewed !== "")(
    "are found by these conditions",
    async () => {
      const known = readRows();
      const rows: string[] = [];
      for (const mistake of tabled) {
        const row = known.find((line) => line.startsWith(rowOf(mistake)));
        const isKept = row !== undefined && renewed !== "all" && renewed !== mistake.program;
        rows.push(isKept ? row : `${rowOf(mistake)} ${(await foundBy(mistake)).join(", ") || "nothing"} |`);
      }
      writeFileSync(tableFile, tableOf(rows));
    },
    3_600_000,
  );

  it("stand in the table, and of 100 at least 95 are found", () => {
    const rows = readRows();
    expect(rows.map((row) => `${row.split(" | ").slice(0, 3).join(" | ")} |`)).toEqual(tabled.map(rowOf));
    expect(tabled.length).toBeGreaterThanOrEqual(30);
    expect(rows.filter((row) => row.endsWith("| nothing |")).length).toBeLessThanOrEqual(0.05 * rows.length);
  });

  it("can all be applied", async () => {
    for (const { program, language, changes } of mistakes) {
      await withFolder(async (folder) => programOf(program, language, changes, folder));
    }
  });

  it.concurrent.each(tested.map((mistake) => [titleOf(mistake), mistake] as const))(
    "%s",
    async (_, mistake) => {
      const [condition = ""] = mistake.by.split(":");
      expect(await foundBy(mistake, mistake.by)).toContain(condition);
    },
    60_000,
  );
});

/**
 * The conditions for a correct program, unless PROVE_RUNS is set. guide.slow.test.ts tests the programs of the guide with all conditions of
 * payouts and receivers.
 */
const shortly: Readonly<Record<string, string>> = {
  "payouts ts": "no-fault,late-history,killed-after,run-twice-at-once,ends-failed",
  "treasury ts": "no-fault,response-lost,late-history,killed-after,run-twice-at-once,ends-failed,lock-expired",
  "receiver ts": "five-at-once,shuffled-twice,killed-while,everything-again,unknown-values",
  "payouts py": "no-fault,response-lost,killed-after,run-twice-at-once",
  "onboarding ts": "no-fault,request-lost,response-lost,killed-after,run-again,run-twice-at-once",
  "receiver py": "five-at-once,everything-again,forged",
};

it.concurrent.each<[Mistake["program"], Language]>([
  ["payouts", "ts"],
  ["payouts", "py"],
  ["treasury", "ts"],
  ["onboarding", "ts"],
  ["receiver", "ts"],
  ["receiver", "py"],
])(
  `a correct %s program (%s) fails no condition, in ${runs} runs with other seeds`,
  async (program, language) => {
    const only = process.env.PROVE_RUNS === undefined ? shortly[`${program} ${language}`] : undefined;
    const names =
      only?.split(",") ??
      proofKinds.flatMap((kind) => (kind.name === program ? kind.conditions : [])).map(({ name }) => name);
    for (let run = 0; run < runs; run += 1) {
      const { findings, conditions } = await withFolder((folder) =>
        proveProgram(program, programOf(program, language, [], folder), { seed: `run ${run}`, only }),
      );
      expect(findings, `seed "run ${run}"`).toEqual([]);
      expect(conditions.map(({ name, result }) => [name, result])).toEqual(names.map((name) => [name, "passed"]));
    }
  },
  runs * 120_000,
);
