/** The tests of `test/packed`, run against the package as it is installed. */
import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../contract/index.ts";
import { installPackages } from "./package.ts";
import { run } from "./processes.ts";

/**
 * Runs the tests of `test/packed` in a project that has the packed package installed. Whatever else they import, such as
 * vitest and the servers, comes from this repository.
 *
 * @param parent absolute path of the folder that the project is made in.
 * @param tarball absolute path of the packed package.
 * @param tests absolute path of the folder with the tests and their configuration.
 * @returns how many tests passed.
 * @throws {UsageError} with the output of the test runner, when a test fails or the sources were tested instead.
 */
export async function runPackedTests(
  parent: string,
  tarball: string,
  tests: string = join(projectRoot, "test/packed"),
): Promise<string> {
  // A folder of its own: what the repository has installed must not be found by other projects in the parent.
  const folder = join(parent, "packed");
  mkdirSync(folder);
  symlinkSync(join(projectRoot, "node_modules"), join(folder, "node_modules"));
  const project = await installPackages(folder, "packed", [tarball]);
  cpSync(tests, project, { recursive: true });
  const args = [join(projectRoot, "node_modules/vitest/vitest.mjs"), "run", "--root", project];
  const printed = await run(process.execPath, args, { cwd: project, env: { NO_COLOR: "1" } });
  return `${/Tests +(.*)/.exec(printed)?.[1] ?? "passed"}, with the installed package`;
}
