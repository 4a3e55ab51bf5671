/** Other versions of Node, from the registry's packages that hold the plain binary. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectRoot } from "../contract/project.ts";
import { run } from "./run.ts";

/**
 * Installs the newest release of a major version in a temporary folder.
 *
 * @returns the path of the binary.
 */
export async function installNode(major: string): Promise<{ result: string; summary: string }> {
  const folder = mkdtempSync(join(tmpdir(), `node-${major}-`));
  const name = `node-${process.platform}-${process.arch}`;
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  await run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", `${name}@${major}`], { cwd: folder });
  const binary = join(folder, "node_modules", name, "bin", "node");
  return { result: binary, summary: (await run(binary, ["--version"], { cwd: folder })).trim() };
}

/** Runs the tests that need no browser. */
export async function testOn(node: string): Promise<{ result: undefined; summary: string }> {
  const args = ["node_modules/vitest/vitest.mjs", "run", "--typecheck.enabled=false", "--exclude", "test/docs/**"];
  const printed = await run(node, args, { cwd: projectRoot, env: { ...process.env, NO_COLOR: "1" } });
  return { result: undefined, summary: /Tests +(.*)/.exec(printed)?.[1] ?? "passed" };
}
