/** Every environment that the packed package is tried in, besides Node. */
import { rmSync } from "node:fs";
import { runStep } from "../../build/steps.ts";
import { makeProject } from "../project.ts";
import { areTheTypesWrong } from "./are-the-types-wrong.ts";
import { bun } from "./bun.ts";
import { deno } from "./deno.ts";
import type { Environment } from "./environment.ts";
import { esbuild } from "./esbuild.ts";
import { next } from "./next.ts";
import { publint } from "./publint.ts";
import { typescript } from "./typescript.ts";
import { vite } from "./vite.ts";
import { workerd } from "./workerd.ts";

export const environments: readonly Environment[] = [
  publint,
  areTheTypesWrong,
  typescript,
  esbuild,
  vite,
  bun,
  deno,
  workerd,
  next,
];

/**
 * Tries the packed package in an environment, in a project of its own that is removed afterwards.
 *
 * @throws when the environment cannot be had, or the package does not work there.
 */
export function tryEnvironment(
  environment: Environment,
  context: { workspace: string; tarball: string; env: NodeJS.ProcessEnv },
): Promise<undefined> {
  const { workspace, tarball, env } = context;
  return runStep(environment.name, async () => {
    const project = await makeProject(workspace, environment.name, [tarball, ...environment.packages]);
    try {
      return { result: undefined, summary: await environment.check({ project, tarball, env }) };
    } finally {
      rmSync(project, { recursive: true, force: true });
    }
  });
}
