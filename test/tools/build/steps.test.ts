import fs, {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { projectRoot } from "../../../scripts/base/index.ts";
import type * as StepsModule from "../../../scripts/base/step-state.ts";
import { steps } from "../../../scripts/tools/build/build.ts";
import { runStep } from "../../../scripts/tools/build/index.ts";
import { clientOf } from "../../support/client-of.ts";

let folder: string;
let stateOf: typeof StepsModule.stepStateOf;
const write = (path: string, text: string) => writeFileSync(join(folder, path), text);

const step = { name: "first", inputs: ["in", "settings.yaml", "more.yaml"], outputs: ["out"] };

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "steps-")));
  cpSync(join(projectRoot, "scripts/base"), join(folder, "scripts/base"), { recursive: true });
  ({ stepStateOf: stateOf } = (await import(join(folder, "scripts/base/step-state.ts"))) as typeof StepsModule);
});
beforeEach(() => {
  for (const name of readdirSync(folder))
    if (name !== "scripts") rmSync(join(folder, name), { recursive: true, force: true });
  for (const path of ["in/deep", "out"]) mkdirSync(join(folder, path), { recursive: true });
  write("in/deep/file.yaml", "one");
  write("settings.yaml", "quiet: true");
  write("out/file.txt", "made");
  stateOf(step).markAsDone();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("skips an unchanged step in the next build", () => {
  expect(stateOf(step).isUpToDate).toBe(true);
  expect(stateOf({ ...step, name: "second" }).isUpToDate).toBe(false);
  expect(stateOf({ ...step, settings: ["another address"] }).isUpToDate).toBe(false);
  rmSync(join(folder, "node_modules"), { recursive: true });
  expect(stateOf(step).isUpToDate).toBe(false);
});

it.each<[change: string, applyChange: () => void]>([
  ["an input is changed", () => write("in/deep/file.yaml", "two")],
  ["an input file is changed that is no folder", () => write("settings.yaml", "quiet: false")],
  ["an input is added", () => write("in/more.yaml", "")],
  ["an input is renamed", () => cpSync(join(folder, "in/deep"), join(folder, "in/deeper"), { recursive: true })],
  ["an input is removed", () => rmSync(join(folder, "in/deep/file.yaml"))],
  ["an output is changed", () => write("out/file.txt", "changed")],
  ["an output is added", () => write("out/more.txt", "")],
  ["the outputs are removed", () => rmSync(join(folder, "out"), { recursive: true })],
  ["an input file is added where there was none", () => write("more.yaml", "")],
])("repeats a step when %s", (_change, applyChange) => {
  applyChange();
  expect(stateOf(step).isUpToDate).toBe(false);
  stateOf(step).markAsDone();
  expect(stateOf(step).isUpToDate).toBe(true);
});

it("does not repeat a step for an unrelated file, or a file rewritten with the same content", () => {
  write("README.md", "");
  write("in/deep/file.yaml", "one");
  expect(stateOf(step).isUpToDate).toBe(true);
});

it("repeats a step whose input changes while it runs", () => {
  const { markAsDone } = stateOf(step);
  write("in/deep/file.yaml", "two");
  markAsDone();
  expect(stateOf(step).isUpToDate).toBe(false);
});

it("prints a line for each step, including a failing one", async () => {
  const print = vi.spyOn(console, "log").mockImplementation(() => {});
  await runStep("lint", async () => "no errors");
  const failingStep = runStep("docs", () => Promise.reject(new Error("no template")));
  await expect(failingStep).rejects.toThrow("no template");
  const lines = print.mock.calls.map(([line]) => line as string);
  print.mockRestore();
  expect(lines).toEqual([
    expect.stringMatching(/^✓ lint +\d+\.\d\d s {2}no errors$/),
    expect.stringMatching(/^✗ docs +\d+\.\d\d s {2}failed$/),
  ]);
});

/** The modules, and the files that they import directly or indirectly, except through type-only imports. */
function modulesImportedBy(modules: string[]): Set<string> {
  const paths = new Set<string>();
  const follow = (path: string): void => {
    if (paths.has(path) || !existsSync(join(projectRoot, path))) return;
    paths.add(path);
    const text = readFileSync(join(projectRoot, path), "utf8");
    const imports = text.matchAll(/((?:import|export) type [^"]*?)?(?:from|import|import\() *"(\.[^"$]+)"/g);
    for (const [, typeClause, target = ""] of imports)
      if (typeClause === undefined) follow(join(dirname(path), target));
  };
  modules.forEach(follow);
  return paths;
}

it.each<[name: keyof typeof steps, modules: string[]]>([
  ["lint", ["scripts/lint/process.ts"]],
  ["client", ["scripts/tools/build/generate.ts"]],
  ["docs", ["scripts/site/render.tsx", "scripts/tools/build/site-input.ts", "scripts/tools/build/guides.ts"]],
  ["mock", ["scripts/mock/make-plan/make-plan.ts", "scripts/mock/make-plan/registers.ts"]],
  [
    "dist",
    ["scripts/tools/packaging/dist.ts", "scripts/cli/package/main.ts", "scripts/client/src/entries/payments.ts"],
  ],
])("the step %s has as inputs what its modules import", (name, modules) => {
  const { inputs } = steps[name];
  const ownModules = [...modulesImportedBy(modules)].filter((path) => path.startsWith("scripts/"));
  expect(ownModules.length).toBeGreaterThan(10);
  expect(ownModules.filter((path) => !inputs.some((input) => path.startsWith(`${input}/`)))).toEqual([]);
});

it("the step client has as inputs the files that the generator reads", async () => {
  const read = vi.spyOn(fs, "readFileSync");
  syncBuiltinESMExports();
  await clientOf();
  const paths = read.mock.calls.map(([path]) => relative(projectRoot, String(path)));
  read.mockRestore();
  syncBuiltinESMExports();
  const ownPaths = paths.filter((path) => !/^(node_modules|\.\.)\//.test(path));
  expect(ownPaths).toContain("scripts/client/src/entries/index.ts");
  const { inputs } = steps.client;
  expect(ownPaths.filter((path) => !inputs.some((input) => `${path}/`.startsWith(`${input}/`)))).toEqual([]);
});
