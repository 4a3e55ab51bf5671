import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { lexer, type Tokens } from "marked";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/contract/model/index.ts";
import { conditionLine, reportText } from "../../scripts/prove/index.ts";
import { sqliteBanner } from "../support/sqlite-banner.ts";
import { proveProgram, withFolder } from "./support.ts";

const tokens = lexer(readFileSync(`${projectRoot}/openapi/guides/proving.md`, "utf8"));
const blocks = tokens.flatMap((token, index) => {
  if (token.type !== "code") return [];
  const before = tokens.slice(0, index).findLast(({ type }) => type === "paragraph")?.raw ?? "";
  const { lang, text } = token as Tokens.Code;
  return [
    {
      lang,
      text,
      file: /Save it as `(.+?)`/.exec(before)?.[1],
      call: /`npx partner-wallet-api (.+)` prints/.exec(before)?.[1],
    },
  ];
});
const programs = blocks.filter(({ lang }) => lang === "js");
const reports = blocks.filter(({ call }) => call !== undefined);

/** Writes the programs and bundles them. Imports of the package are resolved to its sources in scripts/. */
async function writePrograms(folder: string): Promise<void> {
  symlinkSync(`${projectRoot}/node_modules`, join(folder, "node_modules"));
  for (const { file = "", text } of programs) writeFileSync(join(folder, file), text);
  const entryPoints = programs.map(({ file = "" }) => join(folder, file));
  await build({
    ...{ entryPoints, outdir: folder, bundle: true, format: "esm", platform: "node", packages: "external" },
    ...{ tsconfig: `${projectRoot}/tsconfig.json`, outExtension: { ".js": ".mjs" }, allowOverwrite: true },
    banner: sqliteBanner,
  });
}

/** `…` matches any text; a line with only `…` matches all following lines. Seconds may differ. */
function expectShown(printed: string, shown: string): void {
  const end = shown.split("\n").indexOf("…");
  const lines = shown.split("\n").slice(0, end < 0 ? undefined : end);
  const pattern = (line: string) =>
    new RegExp(
      `^${line
        .split("…")
        .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\d\\.\d s/g, "\\d+\\.\\d s"))
        .join(".*")}$`,
    );
  for (const [index, line] of lines.entries()) expect(printed.split("\n")[index]).toMatch(pattern(line));
}

const careful = lexer(readFileSync(`${projectRoot}/openapi/guides/unknown-outcomes.md`, "utf8")).flatMap(
  (token, index, all) =>
    token.type === "code" && all.slice(index - 2, index).some(({ raw }) => raw.includes("Save it as `careful.mjs`"))
      ? [(token as Tokens.Code).text]
      : [],
);

/** All conditions when PROVE_RUNS is set, as in corpus.slow.test.ts. */
const only =
  process.env.PROVE_RUNS === undefined
    ? "no-fault,request-lost,response-lost,p501-after-effect,late-effect,two-faults,killed-after,run-again,ends-failed"
    : undefined;

it("the program without the helper passes the conditions", async () => {
  await withFolder(async (folder) => {
    const file = join(folder, "careful.mjs");
    writeFileSync(file, careful.join("\n"));
    const report = await proveProgram("payouts", [process.execPath, file], { seed: "careful", only });
    expect(report.conditions.filter(({ failedRuns }) => failedRuns > 0).map(conditionLine)).toEqual([]);
    expect(report.conditions.length).toBeGreaterThan(8);
  });
}, 300_000);

describe("the guide", () => {
  it("has three programs and a report of each", () => {
    expect(programs.map(({ file }) => file)).toEqual(["payouts.mjs", "hasty.mjs", "receiver.mjs"]);
    expect(reports).toHaveLength(3);
  });

  it.each(reports.map(({ call = "", text }) => [call, text]))(
    "has the output that %s prints",
    async (call, text) => {
      const [, kind = "", only, file = ""] = /^prove (\w+) (?:--only (\S+) )?-- node (\S+)/.exec(call) ?? [];
      await withFolder(async (folder) => {
        await writePrograms(folder);
        const report = await proveProgram(kind, [process.execPath, join(folder, file)], { only, seed: "prove" });
        const rerun = ({ only: name }: { only: string }) =>
          `npx partner-wallet-api prove ${kind} --only ${name} -- node ${file} {csv} {state}`;
        expectShown([...report.conditions.map(conditionLine), "", reportText(report, rerun)].join("\n"), text);
      });
    },
    180_000,
  );
});
