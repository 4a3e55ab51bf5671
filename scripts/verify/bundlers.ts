/** Bundlers that the packed package is tried with. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../contract/index.ts";
import { chromiumArguments, findChromium } from "./chromium.ts";
import { runConsumer } from "./package.ts";
import { run, withServer } from "./processes.ts";
import { ofProject, versions } from "./versions.ts";
import type { Environment, Workplace } from "./workplace.ts";

export const bundlers: readonly Environment[] = [
  { name: "esbuild", packages: [`esbuild@${versions.esbuild}`], check: runBundled },
  { name: "vite", packages: [`vite@${versions.vite}`, ofProject("playwright-core")], check: openInBrowser },
];

/** Bundles a program into one file, which needs no package when it runs. */
async function runBundled({ project, env }: Workplace): Promise<string> {
  await bundleProgram(project, "imported.mjs", "bundle.mjs", "--platform=node");
  rmSync(join(project, "node_modules"), { recursive: true });
  await runConsumer(process.execPath, ["bundle.mjs"], { cwd: project, env });
  return `bundled and minified by esbuild ${versions.esbuild}, run on Node ${process.version} without node_modules`;
}

/**
 * Bundles a program of `test/consumer` with esbuild.
 *
 * @throws {UsageError} with what esbuild prints, when it cannot be bundled.
 */
export async function bundleProgram(project: string, entry: string, outfile: string, ...args: string[]): Promise<void> {
  const options = ["--bundle", "--minify", "--format=esm", `--outfile=${outfile}`, ...args];
  await run("esbuild", [entry, ...options], { cwd: project });
}

/** Opens a built page in Chromium. The page calls the service from another origin. */
async function openInBrowser({ project, env }: Workplace): Promise<string> {
  await run("vite", ["build", "vite"], { cwd: project, env });
  const chromium = findChromium();
  if (chromium === undefined) {
    if (process.env.CI)
      throw new UsageError("There is no Chromium to open the page in. Install it, or set CHROMIUM_PATH.");
    return `built by Vite ${versions.vite}; NOT OPENED: there is no Chromium here`;
  }
  const args = ["preview", "vite", "--host", "127.0.0.1", "--port", "0"];
  const options = { cwd: project, env, port: /127\.0\.0\.1:(\d+)/ };
  await withServer("vite", args, options, async (origin) => {
    const url = `${origin}/#${encodeURIComponent(`${env.MAIN_URL} ${env.DEPOSIT_URL}`)}`;
    await runConsumer(process.execPath, ["vite/open.mjs", url, chromium, ...chromiumArguments], { cwd: project, env });
  });
  return `a page built by Vite ${versions.vite} calls from Chromium`;
}
