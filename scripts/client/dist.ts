/** Builds `dist/`, the JavaScript and the declarations that are published, with the TypeScript compiler. */
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { x } from "tinyexec";
import { editionFolder, editions, projectRoot, UsageError } from "../contract/index.ts";

const configFile = `${projectRoot}/scripts/client/tsconfig.json`;
/** Absolute path of the folder that is published. */
export const distFolder: string = `${projectRoot}/dist`;

/** Where the compiler keeps the state of the last build, as in `tsconfig.json`. */
const stateFile = `${projectRoot}/node_modules/.cache/dist.tsbuildinfo`;

/**
 * Compiles the runtime and the generated TypeScript of both editions, so that `dist/` has the same folders as the
 * repository. The compiler only repeats what has changed since the last build.
 *
 * @param folder absolute path of the folder to build.
 * @param state absolute path of the file in which the compiler keeps its state.
 * @throws {UsageError} with the output of the compiler, when a source has an error. Nothing is written then.
 */
export async function buildDist(folder: string = distFolder, state: string = stateFile): Promise<void> {
  const compiled = compiledFiles();
  // The compiler does not notice that a file is missing which it wrote before.
  if (!compiled.every((path) => existsSync(join(folder, path)))) rmSync(state, { force: true });
  const args = ["--project", configFile, "--outDir", folder, "--tsBuildInfoFile", state, "--pretty", "false"];
  const { exitCode, stdout, stderr } = await x("tsc", args, { nodeOptions: { cwd: projectRoot } });
  if (exitCode !== 0) throw new UsageError(`The client cannot be compiled:\n${stdout}${stderr}`.trimEnd());

  const expected = new Set(compiled);
  for (const path of filesBelow(folder)) if (!expected.has(path)) rmSync(join(folder, path));
}

/** Paths of the files that the compiler writes, below the folder that is built. */
function compiledFiles(): string[] {
  const folders = [
    `${projectRoot}/scripts/client/runtime`,
    ...editions.map((edition) => `${editionFolder(edition)}/client`),
  ];
  return folders
    .flatMap((folder) => filesBelow(folder).map((path) => relative(projectRoot, join(folder, path))))
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".d.ts"))
    .flatMap((path) => [".js", ".js.map", ".d.ts"].map((extension) => path.replace(/\.ts$/, extension)));
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}
