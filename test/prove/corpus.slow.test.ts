/**
 * What the conditions find: mistakes that are planted into correct programs, each by the run that its entry names. The whole table of
 * mistakes and conditions is made anew with `PROVE_CORPUS=all`, which takes some minutes; `PROVE_RUNS=20` proves each correct program
 * that many times with other seeds.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/contract/model/index.ts";
import { conditionsOf } from "../../scripts/prove/index.ts";
import { type Mistake, mistakes } from "./corpus/mistakes.ts";
import { inFolder, type Language, programOf, proveProgram } from "./proving.ts";

const tableFile = `${projectRoot}/test/prove/corpus/found.md`;
const isWhole = process.env.PROVE_CORPUS === "all";
const runs = Number(process.env.PROVE_RUNS ?? 1);
const titleOf = ({ program, language, name }: Mistake) => `${program} (${language}) ${name}`;

/** The conditions that find a mistake. */
async function foundBy({ program, language, changes }: Mistake, only?: string): Promise<readonly string[]> {
  const { findings } = await inFolder((folder) =>
    proveProgram(program, programOf(program, language, changes, folder), { only }),
  );
  return [...new Set(findings.map(({ condition }) => condition))];
}

/** The table of mistakes and the conditions that find them. */
function tableOf(found: ReadonlyMap<Mistake, readonly string[]>): string {
  const rows = [...found].map(([mistake, conditions]) => {
    const { program, language, name } = mistake;
    return `| ${program} | ${language} | ${name} | ${conditions.join(", ") || "nothing"} |`;
  });
  const count = [...found.values()].filter((conditions) => conditions.length > 0).length;
  const head = `# Planted mistakes and the conditions that find them\n\nMade by \`PROVE_CORPUS=all npx vitest run test/prove/corpus.slow.test.ts\`. ${count} of ${found.size} are found.`;
  return `${head}\n\n| Program | Language | Mistake | Found by |\n| --- | --- | --- | --- |\n${rows.join("\n")}\n`;
}

describe("planted mistakes", () => {
  it.runIf(isWhole)(
    "are found by these conditions",
    async () => {
      const found = new Map<Mistake, readonly string[]>();
      for (const mistake of mistakes) found.set(mistake, await foundBy(mistake));
      writeFileSync(tableFile, tableOf(found));
    },
    3_600_000,
  );

  it("stand in the table, and of 100 at least 95 are found", () => {
    const table = readFileSync(tableFile, "utf8");
    const rows = table.split("\n").filter((line) => /^\| (payouts|receiver)/.test(line));
    const named = rows.map((row) => row.split(" | ").slice(0, 3).join(" | "));
    expect(named).toEqual(mistakes.map(({ program, language, name }) => `| ${program} | ${language} | ${name}`));
    expect(mistakes.length).toBeGreaterThanOrEqual(30);
    expect(rows.filter((row) => row.endsWith("| nothing |")).length).toBeLessThanOrEqual(0.05 * rows.length);
  });

  it.each(mistakes.map((mistake) => [titleOf(mistake), mistake] as const))(
    "%s",
    async (_, mistake) => {
      const [condition = ""] = mistake.by.split(":");
      expect(await foundBy(mistake, mistake.by)).toContain(condition);
    },
    60_000,
  );
});

describe.each<[Mistake["program"], Language]>([
  ["payouts", "ts"],
  ["payouts", "py"],
  ["receiver", "ts"],
  ["receiver", "py"],
])("a correct %s program (%s)", (program, language) => {
  it(
    `fails no condition, in ${runs} runs with other seeds`,
    async () => {
      for (let run = 0; run < runs; run += 1) {
        const { findings, conditions } = await inFolder((folder) =>
          proveProgram(program, programOf(program, language, [], folder), { seed: `run ${run}` }),
        );
        expect(findings, `seed "run ${run}"`).toEqual([]);
        expect(conditions.map(({ name, result }) => [name, result])).toEqual(
          conditionsOf(program).map(({ name }) => [name, "passed"]),
        );
      }
    },
    runs * 120_000,
  );
});
