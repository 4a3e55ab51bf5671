/** Builds `dist/`, the JavaScript and the declarations that are published, with the TypeScript compiler. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { x } from "tinyexec";
import { editionFolder, editions, projectRoot, UsageError } from "../contract/index.ts";
import { planFiles } from "./plan-files.ts";

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
 * has changed since the last build. The mock is one program in `dist/mock/`, with the plans that the build has made.
 *
 * @param folder absolute path of the folder to build.
 * @param state absolute path of the file in which the compiler keeps its state.
 * @throws {UsageError} with the output of the compiler, when a source has an error, or when a plan is missing. Nothing is
 *   written then.
 */
export async function buildDist(folder: string = distFolder, state: string = stateFile): Promise<void> {
  const missing = planFiles.filter((path) => !existsSync(join(projectRoot, path)));
  if (missing.length > 0) throw new UsageError(`There is no ${missing.join(", ")}. Run "npm run build" first.`);
  const sources = sourceFiles();
  const compiled = sources.flatMap((path) => withExtensions(path, [".js", ".js.map", ".d.ts"]));
  // The compiler does not notice that a file is missing which it wrote before.
  const kept = [...compiled, ...typeFiles.map((path) => join(commonJs, path))];
  if (!kept.every((path) => existsSync(join(folder, path)))) rmSync(state, { force: true });
  const args = ["--project", configFile, "--outDir", folder, "--tsBuildInfoFile", state, "--pretty", "false"];
  const compiling = x("tsc", args, { nodeOptions: { cwd: projectRoot } });
  // While the compiler works in a process of its own.
  const { commonJsPackage, convertToCommonJs } = await import("./commonjs.ts");
  const converted = sources.map((path): [string, string] => [path.replace(/\.ts$/, ".js"), convertToCommonJs(path)]);
  const { bundleMock } = await import("./mock-dist.ts");
  const mock = await bundleMock();
  const { exitCode, stdout, stderr } = await compiling;
  if (exitCode !== 0) throw new UsageError(`The client cannot be compiled:\n${stdout}${stderr}`.trimEnd());

  for (const path of sources.filter(isGenerated)) {
    const file = join(folder, path.replace(/\.ts$/, ".js"));
    const text = readFileSync(file, "utf8");
    if (withoutMap(text) !== text) writeFileSync(file, withoutMap(text));
  }
  const declarations = sources
    .flatMap((path) => withExtensions(path, [".d.ts"]))
    .map((path): [string, string] => [path, readDeclarations(folder, path)]);
  const files = new Map([...converted, ...declarations, ["package.json", commonJsPackage] as const]);
  for (const [path, text] of files) writeBelow(join(folder, commonJs), path, text);
  for (const [path, text] of mock) writeBelow(folder, path, text);
  for (const path of typeFiles) writeBelow(folder, path, referenceTo(path));

  const expected = new Set([...compiled, ...[...files.keys()].map((path) => join(commonJs, path)), ...mock.keys()]);
  for (const path of filesBelow(folder)) if (!expected.has(path)) rmSync(join(folder, path));
}

/**
 * The declarations of the contract's types. They are as large as all others together, hold no code, and stand among the CommonJS
 * modules only, from where modules of both kinds may import them.
 */
const typeFiles: readonly string[] = editions.map((edition) => `generated/${edition}/client/types.d.ts`);

/** What stands in the place of such declarations among the ES modules. */
function referenceTo(path: string): string {
  return `export * from "${relative(dirname(path), join(commonJs, path)).replace(/\.d\.ts$/, ".ts")}";\n`;
}

/** The declarations that the compiler has made, now or in a build before. */
function readDeclarations(folder: string, path: string): string {
  const text = readFileSync(join(folder, path), "utf8");
  return text === referenceTo(path) ? readFileSync(join(folder, commonJs, path), "utf8") : text;
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

/** Whether a source holds tables and types. Its map is not published: nobody looks for a mistake there, and it is as large as itself. */
function isGenerated(source: string): boolean {
  return source.startsWith("generated/");
}

/** A module without the line that names its map. */
function withoutMap(text: string): string {
  return text.replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n");
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
