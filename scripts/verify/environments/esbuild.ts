/** esbuild: a program bundled and minified into one file, which runs without any package. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { run, runConsumer } from "../run.ts";
import type { Environment } from "./environment.ts";

const version = "0.28.2";

/** The package of the tool, for environments that need a bundler. */
export const esbuildPackage = `esbuild@${version}`;

/** Bundles and minifies a program of a project. */
export async function bundleProgram(project: string, entry: string, outfile: string, ...args: string[]): Promise<void> {
  const bundling = ["--bundle", "--minify", "--format=esm", `--outfile=${outfile}`, ...args];
  await run(process.execPath, ["node_modules/esbuild/bin/esbuild", entry, ...bundling], { cwd: project });
}

export const esbuild: Environment = {
  name: "esbuild",
  packages: [esbuildPackage],
  check: async ({ project, env }) => {
    await bundleProgram(project, "imported.mjs", "bundle.mjs", "--platform=node");
    rmSync(join(project, "node_modules"), { recursive: true });
    await runConsumer(process.execPath, ["bundle.mjs"], { cwd: project, env });
    return `bundled and minified by esbuild ${version}, run on Node ${process.version} without node_modules`;
  },
};
