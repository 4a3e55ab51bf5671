/** Throw-away projects, in which the packed package is installed as a partner installs it. */
import { cpSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../contract/project.ts";
import { run } from "./run.ts";

/**
 * Installs packages in a new folder, without running a script of theirs.
 *
 * @param workspace folder that the new one is made in.
 * @returns the new folder.
 */
export async function installPackages(workspace: string, name: string, packages: string[]): Promise<string> {
  const folder = mkdtempSync(join(workspace, `${name.replaceAll(" ", "-")}-`));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "consumer", private: true }));
  await run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", ...packages], {
    cwd: folder,
  });
  return folder;
}

/**
 * Makes a project with the programs of `test/consumer`, the packed package, and the tools that the project needs.
 *
 * @returns the folder of the project.
 */
export async function makeProject(workspace: string, name: string, packages: string[]): Promise<string> {
  const project = await installPackages(workspace, name, packages);
  cpSync(`${projectRoot}/test/consumer`, project, { recursive: true });
  return project;
}
