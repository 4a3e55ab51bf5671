/** The tests of `test/packed` meet the installed package, and say so when they do not. */
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { projectRoot, UsageError } from "../../scripts/contract/index.ts";
import { runPackedTests } from "../../scripts/verify/packed-tests.ts";
import { run, withTemporaryFolder } from "../../scripts/verify/processes.ts";

const entries = ["index", "webhooks", "test-index", "test-webhooks"];

/** Packs a package with the name and as many entry points as the real one has. Every entry point exports its own path. */
async function packStandIn(folder: string): Promise<string> {
  const source = join(folder, "stand-in");
  mkdirSync(source);
  const exports = Object.fromEntries(
    entries.map((name) => [name === "index" ? "." : `./${name}`, { import: { default: `./${name}.js` } }]),
  );
  const fields = { name: "partner-wallet-api", version: "1.0.0", type: "module", exports };
  writeFileSync(join(source, "package.json"), JSON.stringify(fields));
  for (const name of entries) {
    writeFileSync(join(source, `${name}.js`), "export const place = { url: import.meta.url };");
  }
  const printed = await run("npm", ["pack", "--pack-destination", folder], { cwd: source });
  return join(folder, printed.trim().split("\n").at(-1) as string);
}

/** Runs tests with the configuration and the guard of `test/packed`. */
function runWith(files: Record<string, string>): Promise<string> {
  return withTemporaryFolder("packed-tests-", async (folder) => {
    const tests = join(folder, "tests/packed");
    mkdirSync(tests, { recursive: true });
    for (const name of ["vitest.config.ts", "installed.ts"]) {
      cpSync(join(projectRoot, "test/packed", name), join(tests, name));
    }
    for (const [name, text] of Object.entries(files)) writeFileSync(join(tests, name), text);
    return runPackedTests(folder, await packStandIn(folder), join(folder, "tests"));
  });
}

const test = (expectation: string) => `
import fc from "fast-check";
import { place } from "partner-wallet-api";
import { expect, it } from "vitest";
it("uses it", () => {
  expect(fc.integer).toBeTypeOf("function");
  expect(place.url).${expectation};
});`;

it("runs them with the installed package, and with what this repository has installed", async () => {
  const files = { "some.test.ts": test('toMatch("/node_modules/partner-wallet-api/index.js")') };
  expect(await runWith(files)).toMatch(/^6 passed \(6\), with the installed package$/);
});

it("fails with what a failing test printed", async () => {
  const failing = runWith({ "some.test.ts": test('toBe("elsewhere")') });
  await expect(failing).rejects.toThrow(UsageError);
  await expect(failing).rejects.toThrow(/FAIL +packed\/some\.test\.ts > uses it/);
});

it("fails when something else is imported under the name of the package", async () => {
  const alias = `{ find: /^partner-wallet-api$/, replacement: import.meta.dirname + "/sources.ts" }`;
  const failing = runWith({
    "some.test.ts": test("toBeTypeOf('string')"),
    "sources.ts": "export const place = { url: import.meta.url };",
    "vitest.config.ts": `export default {
      resolve: { alias: [${alias}] },
      test: { include: ["packed/*.test.ts", "packed/installed.ts"] },
    };`,
  });
  await expect(failing).rejects.toThrow(/FAIL +packed\/installed\.ts > partner-wallet-api is the installed one/);
  await expect(failing).rejects.toThrow("1 failed | 5 passed");
});
