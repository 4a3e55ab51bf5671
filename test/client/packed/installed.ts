/** Fails when tests import the sources of the package instead of the installed package. Runs only with the configuration in this folder. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";

const packageFolder = join(import.meta.dirname, "../../node_modules/partner-wallet-api");
const { exports } = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")) as {
  exports: Record<string, string | { import: { default: string } }>;
};

const entries = Object.entries(exports).flatMap(([subpath, target]): [specifier: string, file: string][] =>
  typeof target === "string"
    ? []
    : [[`partner-wallet-api${subpath.slice(1)}`, join(packageFolder, target.import.default)]],
);

it("has entry points", () => {
  expect(entries.length).toBeGreaterThanOrEqual(4);
});

it.each(entries)("%s is the installed one", async (specifier, file) => {
  const [imported, expected] = [await import(specifier), await import(pathToFileURL(file).href)];
  for (const name of Object.keys(expected)) expect([name, imported[name] === expected[name]]).toEqual([name, true]);
  expect(Object.keys(imported).sort()).toEqual(Object.keys(expected).sort());
});
