/** The memory of the build: a step is repeated when something that it reads or writes has changed, and only then. */
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { runStep, type StepMemory } from "../../scripts/build/index.ts";
import { projectRoot } from "../../scripts/contract/index.ts";

/** A project with one input and one output, and the modules that remember its steps. */
let folder: string;
let memoryOf: () => StepMemory;
const write = (path: string, text: string) => writeFileSync(join(folder, path), text);

const step = { inputs: ["in", "settings.yaml"], outputs: ["out"] };

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "steps-")));
  for (const path of ["scripts/build/steps.ts", "scripts/contract"]) {
    cpSync(join(projectRoot, path), join(folder, path), { recursive: true });
  }
  for (const path of ["in/deep", "out"]) mkdirSync(join(folder, path), { recursive: true });
  write("in/deep/file.yaml", "one");
  write("settings.yaml", "quiet: true");
  write("out/file.txt", "made");
  const steps = (await import(join(folder, "scripts/build/steps.ts"))) as { StepMemory: typeof StepMemory };
  memoryOf = () => new steps.StepMemory();
  memoryOf().done("first", step);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("remembers a step from one build to the next", () => {
  expect(memoryOf().isDone("first", step)).toBe(true);
  expect(memoryOf().isDone("second", step)).toBe(false);
  rmSync(join(folder, "node_modules"), { recursive: true });
  expect(memoryOf().isDone("first", step)).toBe(false);
});

it.each<[change: string, make: () => void]>([
  ["an input is changed", () => write("in/deep/file.yaml", "two")],
  ["an input file is changed that is no folder", () => write("settings.yaml", "quiet: false")],
  ["an input is added", () => write("in/more.yaml", "")],
  ["an input is renamed", () => cpSync(join(folder, "in/deep"), join(folder, "in/deeper"), { recursive: true })],
  ["an input is removed", () => rmSync(join(folder, "in/deep/file.yaml"))],
  ["an output is changed", () => write("out/file.txt", "changed")],
  ["an output is added", () => write("out/more.txt", "")],
  ["the outputs are removed", () => rmSync(join(folder, "out"), { recursive: true })],
  ["the code of the build is changed", () => write("scripts/build/more.ts", "")],
  ["a configuration file is added", () => write("redocly.yaml", "")],
])("repeats a step when %s", (_change, make) => {
  make();
  expect(memoryOf().isDone("first", step)).toBe(false);
});

it("does not repeat a step for a file that it has nothing to do with", () => {
  write("README.md", "");
  expect(memoryOf().isDone("first", step)).toBe(true);
});

it("knows a step as done as soon as it was repeated", () => {
  const memory = memoryOf();
  write("in/deep/file.yaml", "two");
  expect(memory.isDone("first", step)).toBe(false);
  memory.done("first", step);
  expect([memory.isDone("first", step), memoryOf().isDone("first", step)]).toEqual([true, true]);
});

it("prints a line for each step, also for one that fails", async () => {
  const print = vi.spyOn(console, "log").mockImplementation(() => {});
  const result = await runStep("lint", async () => ({ result: 42, summary: "no errors" }));
  const failing = runStep("docs", () => Promise.reject(new Error("no template")));
  await expect(failing).rejects.toThrow("no template");
  const lines = print.mock.calls.map(([line]) => line as string);
  print.mockRestore();
  expect(result).toBe(42);
  expect(lines).toEqual([
    expect.stringMatching(/^✓ lint +\d+\.\d\d s {2}no errors$/),
    expect.stringMatching(/^✗ docs +\d+\.\d\d s {2}failed$/),
  ]);
});
