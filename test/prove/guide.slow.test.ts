import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { escapePattern } from "../../scripts/base/index.ts";
import { conditionLine, reportText } from "../../scripts/prove/index.ts";
import { programs, reports, writePrograms } from "./guide-programs.ts";
import { lightFetch, proveProgram, withFolder } from "./support.ts";

/** Compares an output with a guide. `…` matches any text, and a line with only `…` all following lines. Seconds may differ. */
function expectShownOutput(printed: string, shownOutput: string): void {
  const end = shownOutput.split("\n").indexOf("…");
  const lines = shownOutput.split("\n").slice(0, end < 0 ? undefined : end);
  const pattern = (line: string) =>
    new RegExp(
      `^${line
        .split("…")
        .map((part) => escapePattern(part).replace(/\d\\.\d s/g, "\\d+\\.\\d s"))
        .join(".*")}$`,
    );
  for (const [index, line] of lines.entries()) expect(printed.split("\n")[index]).toMatch(pattern(line));
}

/** The tested conditions: all if PROVE_RUNS is set, as in correct-programs.slow.test.ts. */
const testedConditions =
  process.env.PROVE_RUNS === undefined
    ? "no-fault,request-lost,response-lost,p501-after-effect,late-effect,two-faults,killed-after,run-again,ends-failed"
    : undefined;

/** The tested reports. The long report of payouts in all conditions is tested only if PROVE_RUNS is set, as in the nightly run. */
const shownReports = reports.filter(
  ({ call = "" }) => process.env.PROVE_RUNS !== undefined || !call.startsWith("prove payouts -- "),
);

it("the program without the helper passes the conditions", async () => {
  await withFolder(async (folder) => {
    await writePrograms(folder);
    const file = join(folder, "careful.mjs");
    writeFileSync(file, `${lightFetch}${readFileSync(file, "utf8")}`);
    const command = [process.execPath, file];
    const report = await proveProgram("payouts", command, { seed: "careful", only: testedConditions });
    expect(report.conditions.filter(({ failedRuns }) => failedRuns > 0).map(conditionLine)).toEqual([]);
    expect(report.conditions.length).toBeGreaterThan(8);
  });
}, 300_000);

describe("the guide", () => {
  it("has three programs and a report of each", () => {
    expect(programs.map(({ file }) => file)).toEqual(["payouts.mjs", "hasty.mjs", "receiver.mjs"]);
    expect(reports).toHaveLength(3);
  });

  it.each(shownReports.map(({ call = "", text }) => [call, text]))(
    "has the output that %s prints",
    async (call, text) => {
      const [, kind = "", only, file = ""] = /^prove (\w+) (?:--only (\S+) )?-- node (\S+)/.exec(call) ?? [];
      await withFolder(async (folder) => {
        await writePrograms(folder);
        const report = await proveProgram(kind, [process.execPath, join(folder, file)], { only, seed: "prove" });
        const rerun = ({ only: name }: { only: string }) =>
          `npx partner-wallet-api prove ${kind} --only ${name} -- node ${file} {csv} {state}`;
        expectShownOutput([...report.conditions.map(conditionLine), "", reportText(report, rerun)].join("\n"), text);
      });
    },
    180_000,
  );
});
