/** The end of a run says what was not proved. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { TestModule, Vitest } from "vitest/node";
import { projectRoot } from "../../scripts/contract/index.ts";
import SkippedReporter, { needs } from "./skipped-reporter.ts";

/** The lines at the end of a run. */
function report(modules: [file: string, skipped: number, state?: string][], testNamePattern?: RegExp): string[] {
  const lines: string[] = [];
  const reporter = new SkippedReporter();
  const logger = { log: (line: string) => lines.push(line) };
  reporter.onInit({ config: { root: "/project", testNamePattern }, logger } as unknown as Vitest);
  reporter.onTestRunEnd(
    modules.map(([file, skipped, state = "passed"]) => ({
      moduleId: `/project/${file}`,
      state: () => state,
      children: { allTests: () => Array(skipped).values() },
    })) as unknown as TestModule[],
  );
  return lines;
}

it("is a line for each file with skipped tests: what they prove, and how to have it", () => {
  const lines = report([
    ["test/peers/docs/site-browser.test.ts", 15],
    ["test/other.test.ts", 1],
    ["test/complete.test.ts", 0],
  ]);
  expect(lines).toEqual([
    "Not proved: the site in a real browser (15 tests of test/peers/docs/site-browser.test.ts skipped). Install Chromium, or name one with CHROMIUM_PATH.",
    "Not proved: 1 test of test/other.test.ts skipped.",
  ]);
});

it("is nothing for tests that were left out by name, or whose file failed", () => {
  expect(report([["test/peers/docs/site-browser.test.ts", 15]], /index/)).toEqual([]);
  expect(report([["test/peers/docs/site-browser.test.ts", 15, "failed"]])).toEqual([]);
});

it.each(Object.keys(needs))("knows %s by a name that the file still has", (file) => {
  expect(existsSync(join(projectRoot, file))).toBe(true);
});
