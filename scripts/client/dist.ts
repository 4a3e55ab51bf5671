/** Builds `dist/`, the JavaScript and the declarations that are published, with the TypeScript compiler. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { x } from "tinyexec";
import { editionFolder, editions, projectRoot, UsageError } from "../contract/index.ts";

const configFile = `${projectRoot}/scripts/client/tsconfig.json`;
/** Absolute path of the folder that is published. */
export const distFolder: string = `${projectRoot}/dist`;

/** Where the compiler keeps the state of the last build, as in `tsconfig.json`. */
const stateFile = `${projectRoot}/node_modules/.cache/dist.tsbuildinfo`;

/** The CommonJS modules, below the folder that is built. */
const commonJs = "cjs";

/**
 * Compiles the runtime and the generated TypeScript of both editions, so that `dist/` has the same folders as the
 * repository: ES modules in `dist/`, and the same tree as CommonJS modules in `dist/cjs/`. The compiler only repeats what
 * has changed since the last build.
 *
 * @param folder absolute path of the folder to build.
 * @param state absolute path of the file in which the compiler keeps its state.
 * @throws {UsageError} with the output of the compiler, when a source has an error. Nothing is written then.
 */
export async function buildDist(folder: string = distFolder, state: string = stateFile): Promise<void> {
  const sources = sourceFiles();
  const compiled = sources.flatMap((path) => withExtensions(path, [".js", ".js.map", ".d.ts"]));
  // The compiler does not notice that a file is missing which it wrote before.
  if (!compiled.every((path) => existsSync(join(folder, path)))) rmSync(state, { force: true });
  const args = ["--project", configFile, "--outDir", folder, "--tsBuildInfoFile", state, "--pretty", "false"];
  const compiling = x("tsc", args, { nodeOptions: { cwd: projectRoot } });
  // While the compiler works in a process of its own.
  const { commonJsPackage, convertToCommonJs } = await import("./commonjs.ts");
  const converted = sources.flatMap((path) => convertToCommonJs(path, join(folder, commonJs)));
  const { exitCode, stdout, stderr } = await compiling;
  if (exitCode !== 0) throw new UsageError(`The client cannot be compiled:\n${stdout}${stderr}`.trimEnd());

  const declarations = sources
    .flatMap((path) => withExtensions(path, [".d.ts"]))
    .map((path): [string, string] => [path, readFileSync(join(folder, path), "utf8")]);
  const files = new Map([...converted, ...declarations, ["package.json", commonJsPackage] as const]);
  for (const [path, text] of files) writeBelow(join(folder, commonJs), path, text);

  const expected = new Set([...compiled, ...[...files.keys()].map((path) => join(commonJs, path))]);
  for (const path of filesBelow(folder)) if (!expected.has(path)) rmSync(join(folder, path));
}

/** Paths of the TypeScript files that are published, below the repository. */
function sourceFiles(): string[] {
  const folders = [
    `${projectRoot}/scripts/client/runtime`,
    ...editions.map((edition) => `${editionFolder(edition)}/client`),
  ];
  return folders
    .flatMap((folder) => filesBelow(folder).map((path) => relative(projectRoot, join(folder, path))))
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".d.ts"))
    .sort();
}

function withExtensions(source: string, extensions: readonly string[]): string[] {
  return extensions.map((extension) => source.replace(/\.ts$/, extension));
}

function writeBelow(folder: string, path: string, text: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}
