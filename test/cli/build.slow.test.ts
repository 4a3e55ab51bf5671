import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type * as BuildModule from "../../scripts/tools/build/index.ts";
import { runCommand } from "../support/command.ts";
import { ProjectCopy } from "../support/project-copy.ts";

const operationFile = "openapi/paths/loan/createLoan.yaml";

let copy: ProjectCopy;
let buildModule: typeof BuildModule;

const readOutputStates = () => ["generated", "dist"].flatMap((folder) => copy.fileStatesBelow(folder));

async function runBuild(name: "build" | "checkGenerated" = "build") {
  const print = vi.spyOn(console, "log").mockImplementation(() => {});
  const failure = await buildModule[name]().then(
    () => undefined,
    (error: Error) => `${error.name}: ${error.message}`,
  );
  const output = print.mock.calls.map(([line]) => `${line}\n`).join("");
  print.mockRestore();
  return { printed: output, failure };
}

const stepsOf = (output: string) => [...output.matchAll(/^✓ (\w+) +\d+\.\d\d s {2}\S/gm)].map(([, name]) => name);

beforeAll(async () => {
  copy = new ProjectCopy();
  copy.replaceRedocly();
  buildModule = (await import(join(copy.folder, "scripts/tools/build/index.ts"))) as typeof BuildModule;
});
afterAll(() => copy.remove());

it("the first build runs every step", async () => {
  const { printed, failure } = await runBuild();
  expect(failure).toBeUndefined();
  expect(stepsOf(printed)).toEqual(["lint", "client", "docs", "mock", "dist", "redoc", "package"]);
  expect(printed).toMatch(/\nBuilt in \d+\.\d\d s\.\n$/);
}, 120_000);

it("a build without changes runs no step, reports this, and leaves every file unchanged", async () => {
  const outputsBefore = readOutputStates();
  expect((await runBuild()).printed).toMatch(/^Everything is up to date \(\d\.\d\d s\)\.\n$/);
  expect(readOutputStates()).toEqual(outputsBefore);
});

it("--check succeeds after a build", async () => {
  const { printed, failure } = await runBuild("checkGenerated");
  expect(failure).toBeUndefined();
  expect(printed).toBe("Everything in generated/ is up to date.\n");
});

it("--check names changed, removed and extra files, changes nothing, and exits with 1", async () => {
  copy.write("generated/provenance.md", `${copy.read("generated/provenance.md")}\n`);
  copy.write("generated/client/left-over.ts", "");
  rmSync(join(copy.folder, "generated/client/operations.ts"));
  const outputsBefore = readOutputStates();
  const args = ["--import", "tsx", "scripts/cli/npm/build.ts", "--check"];
  const { code, output } = await runCommand(process.execPath, args, copy.folder);
  expect(output).toBe(
    [
      "These files are stale:",
      "  generated/client/left-over.ts",
      "  generated/client/operations.ts",
      "  generated/provenance.md",
      'Run "npm run build" and "npm run guides", and commit them.\n',
    ].join("\n"),
  );
  expect(code).toBe(1);
  expect(readOutputStates()).toEqual(outputsBefore);
});

it("a build repeats the step whose outputs were changed, and the steps that read them", async () => {
  expect(stepsOf((await runBuild()).printed)).toEqual(["client", "dist", "package"]);
  expect(copy.read("generated/client/operations.ts")).toContain("createLoan");
});

it("a change of the contract repeats the steps that depend on it", async () => {
  copy.edit(operationFile, "Lends a book to a member.", "Lends a book to a reader.");
  expect(stepsOf((await runBuild()).printed)).toEqual(["lint", "client", "docs", "mock", "dist", "redoc", "package"]);
  const changedFiles = [
    "generated/latest/openapi.yaml",
    "generated/docs/operations/createLoan.html",
    "dist/cjs/client/operations.d.ts",
  ];
  for (const path of changedFiles) expect(copy.read(path), path).toContain("Lends a book to a reader.");
});

it("a mistake in the contract is reported with its line, and leaves every file unchanged", async () => {
  const outputsBefore = readOutputStates();
  const line = copy.edit(operationFile, "operationId: createLoan", "operationID: createLoan");
  const { printed, failure } = await runBuild();
  expect(printed).toMatch(/^✗ lint +\d+\.\d\d s {2}failed\n$/);
  expect(failure).toMatch(/^UsageError: /);
  expect(failure).toContain(`${operationFile}:${line}:`);
  expect(failure).toMatch(/\nThe contract has \d+ error\(s\)\. Correct them, then build again\.$/);
  expect(readOutputStates()).toEqual(outputsBefore);
});
