/** The tests of `test/packed` and `test/peers/packed`, run against the package as it is installed. */
import { cpSync, existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../contract/index.ts";
import { installPackages } from "./package.ts";
import { installPeers, peersFolder } from "./peers.ts";
import { run } from "./processes.ts";

/**
 * Runs these tests in a project that has the packed package installed. Whatever else they import, such as vitest and the
 * servers, comes from this repository and from `test/peers`.
 *
 * @param parent absolute path of the folder that the project is made in.
 * @param tarball absolute path of the packed package.
 * @param tests absolute path of the folder with the folders of the tests, as `test/`.
 * @returns how many tests passed.
 * @throws {UsageError} with the output of the test runner, when a test fails or the sources were tested instead.
 */
export async function runPackedTests(
  parent: string,
  tarball: string,
  tests: string = join(projectRoot, "test"),
): Promise<string> {
  // A folder of its own: what the repository has installed must not be found by other projects in the parent.
  const folder = join(parent, "packed");
  mkdirSync(folder);
  symlinkSync(join(projectRoot, "node_modules"), join(folder, "node_modules"));
  const project = await installPackages(folder, "packed", [tarball]);
  for (const path of ["packed", "peers/packed"]) {
    if (existsSync(join(tests, path))) cpSync(join(tests, path), join(project, path), { recursive: true });
  }
  if (existsSync(join(project, "peers"))) {
    await installPeers();
    symlinkSync(join(peersFolder, "node_modules"), join(project, "peers/node_modules"));
  }
  const vitest = join(projectRoot, "node_modules/vitest/vitest.mjs");
  const args = [vitest, "run", "--root", project, "--config", join(project, "packed/vitest.config.ts")];
  const printed = await run(process.execPath, args, { cwd: project, env: { NO_COLOR: "1" } });
  return `${/Tests +(.*)/.exec(printed)?.[1] ?? "passed"}, with the installed package`;
}
