/** The environments besides Node that the packed package is tried in. */
import { rmSync } from "node:fs";
import { bundlers } from "./bundlers.ts";
import { frameworks } from "./frameworks.ts";
import { makeProject } from "./package.ts";
import { runtimes } from "./runtimes.ts";
import { testRunners } from "./test-runners.ts";
import { tools } from "./tools.ts";
import type { Environment, Workplace } from "./workplace.ts";

export const environments: readonly Environment[] = [...tools, ...bundlers, ...runtimes, ...testRunners, ...frameworks];

/**
 * Tries the packed package in an environment, in a project of its own that is removed afterwards.
 *
 * @param folder absolute path of the folder that the project is made in.
 * @returns a few words on what was done.
 * @throws {UsageError} when the environment cannot be installed, or the package does not work there.
 */
export async function tryEnvironment(
  { name, packages, check }: Environment,
  { folder, tarball, env }: Omit<Workplace, "project"> & { folder: string },
): Promise<string> {
  const project = await makeProject(folder, name, [tarball, ...packages]);
  try {
    return await check({ project, tarball, env });
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}
