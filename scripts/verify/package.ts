/** The package as a partner gets it: packed, installed in a project of its own, and used there. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../contract/project.ts";
import { UsageError } from "../contract/usage-error.ts";
import { makeProject } from "./project.ts";
import { run, runConsumer } from "./run.ts";

/** What a tarball may hold. The toolchain is none of it. */
const published = [/^generated\/(latest|test)\//, /^(package\.json|README\.md|LICENSE|CHANGELOG\.md)$/];

/**
 * Packs the package into a folder.
 *
 * @returns the path of the tarball.
 * @throws {UsageError} when a file is in it that does not belong there.
 */
export async function packPackage(folder: string): Promise<{ result: string; summary: string }> {
  const printed = await run("npm", ["pack", "--json", "--pack-destination", folder], { cwd: projectRoot });
  const packed = Object.values(JSON.parse(printed) as Record<string, PackReport>)[0] as PackReport;
  const strangers = packed.files.map(({ path }) => path).filter((path) => !published.some((form) => form.test(path)));
  if (strangers.length > 0) throw new UsageError(`These files do not belong in the package:\n${strangers.join("\n")}`);
  return {
    result: join(folder, packed.filename),
    summary: `${packed.files.length} files, ${packed.size} bytes packed, ${packed.unpackedSize} bytes installed`,
  };
}

interface PackReport {
  filename: string;
  size: number;
  unpackedSize: number;
  files: { path: string }[];
}

/**
 * Installs a tarball, and nothing else, in a project with the consumers of `test/consumer`.
 *
 * @returns the folder of the project.
 */
export async function installPackage(workspace: string, tarball: string): Promise<{ result: string; summary: string }> {
  const project = await makeProject(workspace, "consumer", [tarball]);
  const installed = readdirSync(join(project, "node_modules")).filter((name) => !name.startsWith("."));
  return { result: project, summary: `brings ${installed.join(", ")}` };
}

/** Uses the installed package against the mock: imported and required. */
export async function useInstalled(
  project: string,
  node: string,
  env: NodeJS.ProcessEnv,
): Promise<{ result: undefined; summary: string }> {
  const version = await run(node, ["--version"], { cwd: project });
  await runConsumer(node, ["imported.mjs"], { cwd: project, env });
  await runConsumer(node, ["required.cjs"], { cwd: project, env });
  return { result: undefined, summary: `imported and required on Node ${version.trim()}` };
}

/**
 * Type-checks the consumers, strictly and without `skipLibCheck`: as modules and as CommonJS of Node, and for a bundler.
 *
 * @param compiler path of the `tsc` to use.
 */
export async function typeCheck(project: string, compiler: string): Promise<string> {
  const version = await run(process.execPath, [compiler, "--version"], { cwd: project });
  await run(process.execPath, [compiler, "--project", "tsconfig.json"], { cwd: project });
  await run(process.execPath, [compiler, "--project", "tsconfig.bundler.json"], { cwd: project });
  return `type-checked by TypeScript ${version.replace("Version", "").trim()} for Node (ESM, CommonJS) and bundlers`;
}
