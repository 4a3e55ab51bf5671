import { build } from "esbuild";
import { expect, it } from "vitest";
import { lifecycles } from "../../generated/client/lifecycles.ts";
import { projectRoot } from "../../scripts/base/index.ts";

async function operationsInBundle(entry: string, name: string): Promise<string[]> {
  const { outputFiles } = await build({
    stdin: {
      contents: `export { ${name} } from "./${entry}.ts";`,
      resolveDir: `${projectRoot}/scripts/client/src/entries`,
    },
    bundle: true,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    write: false,
    logLevel: "silent",
  });
  return [...(outputFiles[0]?.text ?? "").matchAll(/\{ id: "(\w+)", method:/g)].map(([, id = ""]) => id).sort();
}

it.each([
  ["operations", "getUserBalances", ["getUserBalances"]],
  ["helpers", "historyMonths", ["getPartnerTransactionHistory", "getUserTransactionHistory"]],
  ["helpers", "waitUntilFinal", Object.keys(lifecycles).sort()],
  ["helpers", "use, sumDecimals, statusResult, parseEvent", []],
])("a bundle of %s with %s has only the operations that it calls", async (entry, names, operations) => {
  expect(await operationsInBundle(entry, names)).toEqual(operations);
});
