/** Runs the stock commands of the README's table. `redocly bundle` is tested in test/cli/tools.slow.test.ts. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { projectRoot } from "../../scripts/base/index.ts";
import { renderRedoc } from "../../scripts/tools/build/redoc.ts";
import { Command, runCommand } from "../support/command.ts";
import { withTakenPort } from "../support/ports.ts";

const readme = readFileSync(`${projectRoot}/README.md`, "utf8");
const jsonBundle = "generated/latest/openapi.json";
/** The file that `redocly bundle` writes. The other commands read it, so that they see an edit after a new bundle. */
const yamlBundle = "generated/latest/openapi.yaml";
const runStock = (name: string, ...args: string[]) => runStockIn(projectRoot, name, ...args);
const runStockIn = (cwd: string, name: string, ...args: string[]) =>
  runCommand(`${projectRoot}/node_modules/.bin/${name}`, args, cwd);
const read = (path: string) => readFileSync(path, "utf8");

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "stock-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const minutes = 60_000;

it("reads the YAML in each command of the README", () => {
  const commands = [...readme.matchAll(/`npx (?:spectral|openapi-typescript|prism) [^`]*`/g)].map(
    ([command]) => command,
  );
  expect(commands).toEqual([
    "`npx spectral lint generated/*/openapi.yaml`",
    "`npx openapi-typescript openapi.yaml`",
    `\`npx prism mock ${yamlBundle}\``,
  ]);
});

it("redocly lint finds no error", { timeout: minutes }, async () => {
  const { code, output } = await runStock("redocly", "lint");
  expect([code, output]).toEqual([0, expect.stringContaining("Your API descriptions are valid")]);
});

it("spectral lint finds nothing in either bundle", { timeout: minutes }, async () => {
  const bundles = [yamlBundle, "generated/test/openapi.yaml"];
  const { code, output } = await runStock("spectral", "lint", "--fail-severity=hint", ...bundles);
  expect([code, output]).toEqual([0, "No results with a severity of 'hint' or higher found!\n"]);
});

it("openapi-typescript makes types that have every operation", { timeout: minutes }, async () => {
  const types = join(folder, "types.ts");
  // The command runs in another folder: in the root, it would read redocly.yaml, which names the sources instead of the bundles.
  const result = await runStockIn(`${projectRoot}/generated/latest`, "openapi-typescript", "openapi.yaml", "-o", types);
  expect(result).toMatchObject({ code: 0 });
  const ids = Object.values(JSON.parse(read(`${projectRoot}/${jsonBundle}`)).paths as Record<string, object>)
    .flatMap((item) => Object.values(item) as { operationId?: string }[])
    .flatMap(({ operationId }) => operationId ?? []);
  expect(ids.filter((id) => !read(types).includes(`operations["${id}"]`))).toEqual([]);
});

it("redocly build-docs makes the file of the build, the same in two runs", { timeout: 3 * minutes }, async () => {
  const [firstFile, secondFile] = [join(folder, "one.html"), join(folder, "two.html")];
  const template = "scripts/tools/build/redoc.hbs";
  expect(
    await runStock("redocly", "build-docs", jsonBundle, "--inlineBundle", "-t", template, "-o", firstFile),
  ).toMatchObject({
    code: 0,
  });
  // Some developers set NODE_ENV, which must not change the file.
  vi.stubEnv("NODE_ENV", "development");
  await renderRedoc(join(projectRoot, jsonBundle), secondFile).finally(() => vi.unstubAllEnvs());
  expect(read(firstFile)).toContain('"disableTelemetry":true');
  expect(read(firstFile) === read(secondFile)).toBe(true);
});

it("prism mock responds to a valid request with the documented example, and to a wrong one with an error", {
  timeout: 2 * minutes,
}, async () => {
  const port = await withTakenPort(async (takenPort) => String(takenPort));
  const prism = new Command("node_modules/.bin/prism", ["mock", yamlBundle, "--port", port], projectRoot);
  try {
    await prism.waitFor(/Prism is listening/, { limitMs: minutes });
    const transfer = (amount?: string) =>
      fetch(`http://127.0.0.1:${port}/v1/transfer`, {
        method: "POST",
        headers: { "x-api-key": "any-key", "content-type": "application/json", connection: "close" },
        body: JSON.stringify({ destinationExternalUserId: "user-1042", amount, currency: "eur" }),
      });
    expect(await (await transfer("10.50")).json()).toHaveProperty("transferId");
    expect((await transfer()).status).toBeGreaterThanOrEqual(400);
  } finally {
    prism.signal("SIGTERM");
    await prism.exitCode;
  }
});
