/** Makes the CommonJS modules of `dist/cjs/` from the same sources as the ES modules of `dist/`. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { projectRoot } from "../contract/index.ts";

/** The nearest `package.json` decides what a `.js` file is, and whether bundlers may leave it out. */
export const commonJsPackage = `${JSON.stringify({ type: "commonjs", sideEffects: false }, null, 2)}\n`;

const compilerOptions: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.CommonJS,
  esModuleInterop: true,
  rewriteRelativeImportExtensions: true,
};

/**
 * Converts a source to a CommonJS module, without looking at its types; `import()` becomes a `require` in a promise. It has no
 * map: it is the source without its types.
 *
 * @param path path of the TypeScript source below the repository.
 * @returns the text of the module.
 */
export function convertToCommonJs(path: string): string {
  const fileName = join(projectRoot, path);
  return ts.transpileModule(readFileSync(fileName, "utf8"), { fileName, compilerOptions }).outputText;
}
