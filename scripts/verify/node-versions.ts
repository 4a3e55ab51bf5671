/** Other versions of Node, from the registry's packages that hold the plain binary. */
import { join } from "node:path";
import { projectRoot } from "../contract/project.ts";
import { installPackages } from "./project.ts";
import { run } from "./run.ts";

/**
 * Installs the newest release of a major version.
 *
 * @param workspace folder that it is installed in.
 * @returns the path of the binary.
 */
export async function installNode(workspace: string, major: string): Promise<{ result: string; summary: string }> {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = await installPackages(workspace, `node ${major}`, [`${name}@${major}`]);
  const binary = join(folder, "node_modules", name, "bin", "node");
  return { result: binary, summary: (await run(binary, ["--version"], { cwd: folder })).trim() };
}

/** Runs the tests that need no browser. */
export async function testOn(node: string): Promise<{ result: undefined; summary: string }> {
  const args = ["node_modules/vitest/vitest.mjs", "run", "--typecheck.enabled=false", "--exclude", "test/docs/**"];
  const printed = await run(node, args, { cwd: projectRoot, env: { ...process.env, NO_COLOR: "1" } });
  return { result: undefined, summary: /Tests +(.*)/.exec(printed)?.[1] ?? "passed" };
}
