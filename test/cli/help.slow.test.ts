/** The npm commands of package.json that are programs of this repository print their help, and do nothing else. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { projectRoot } from "../../scripts/base/index.ts";

const { scripts } = JSON.parse(readFileSync(`${projectRoot}/package.json`, "utf8")) as {
  scripts: Record<string, string>;
};
const programs = Object.entries(scripts).filter(([, script]) => script.includes("--import tsx"));

it.each(programs)("npm run %s -- --help", async (_, script) => {
  const [program = "", ...words] = script.split(" ");
  const { stdout, stderr } = await promisify(execFile)(program, [...words, "--help"], { cwd: projectRoot });
  expect(stdout).toContain("Usage: npm run ");
  expect(stderr).toBe("");
});
