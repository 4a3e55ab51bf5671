/** Makes the CommonJS modules of `dist/cjs/` from the same sources as the ES modules of `dist/`. */
import { readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import ts from "typescript";
import { projectRoot } from "../contract/index.ts";

/** The nearest `package.json` decides what a `.js` file is, and whether bundlers may leave it out. */
export const commonJsPackage = `${JSON.stringify({ type: "commonjs", sideEffects: false }, null, 2)}\n`;

const compilerOptions: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.CommonJS,
  esModuleInterop: true,
  rewriteRelativeImportExtensions: true,
  sourceMap: true,
  inlineSources: true,
};

/**
 * Converts a source to a CommonJS module, without looking at its types; `import()` becomes a `require` in a promise.
 *
 * @param path path of the TypeScript source below the repository.
 * @param folder absolute path of the folder that the modules are below, for the path in the source map.
 * @returns the texts of the module and of its source map, by their paths below the folder.
 */
export function convertToCommonJs(path: string, folder: string): [path: string, text: string][] {
  const fileName = join(projectRoot, path);
  const { outputText, sourceMapText } = ts.transpileModule(readFileSync(fileName, "utf8"), {
    fileName,
    compilerOptions,
  });
  const js = path.replace(/\.ts$/, ".js");
  const map = JSON.parse(sourceMapText as string) as { sources: string[] };
  map.sources = [posix.relative(dirname(join(folder, js)), fileName)];
  return [
    [js, outputText],
    [`${js}.map`, JSON.stringify(map)],
  ];
}
