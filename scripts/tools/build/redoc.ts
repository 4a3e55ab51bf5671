/** One HTML file for each edition, made by the stock command `redocly build-docs`. */
import { execFile } from "node:child_process";
import { copyFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import {
  type BuildStep,
  bundleFile,
  docsFolder,
  type Edition,
  editions,
  projectRoot,
  UsageError,
} from "../../base/index.ts";
import { redocName } from "../../site/index.ts";

const folder = "generated/redoc";

/** The files are kept outside the site's folder, which is replaced more often than the bundles change. */
export const redocStep: BuildStep = {
  name: "redoc",
  inputs: [
    "package-lock.json",
    "redocly.yaml",
    "scripts/tools/build/redoc.hbs",
    ...editions.map((edition) => `generated/${edition}/openapi.json`),
  ],
  outputs: [folder],
};

export async function makeRedoc(): Promise<string> {
  await Promise.all(
    editions.map((edition) => renderRedoc(bundleFile(edition, "json"), join(projectRoot, folder, redocName(edition)))),
  );
  return `${folder}: ${editions.map(redocName).join(", ")}`;
}

export function copyRedocIntoSite(): void {
  for (const name of editions.map(redocName)) copyFileSync(join(projectRoot, folder, name), join(docsFolder, name));
}

export function editionOfRedoc(path: string): Edition | undefined {
  return editions.find((edition) => redocName(edition) === path);
}

/**
 * The HTML file loads no other files.
 *
 * @throws {UsageError} with the output of the command, when it fails.
 */
export async function renderRedoc(document: string, output: string): Promise<void> {
  const cli = join(createRequire(import.meta.url).resolve("@redocly/cli/package.json"), "../bin/cli.js");
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const template = join(import.meta.dirname, "redoc.hbs");
  const args = [cli, "build-docs", document, "--inlineBundle", "--template", template, "--output", output];
  try {
    await promisify(execFile)(process.execPath, args, { cwd: projectRoot, env });
  } catch (error) {
    throw new UsageError(`redocly build-docs has failed:\n${(error as { stderr?: string }).stderr ?? error}`);
  }
}
