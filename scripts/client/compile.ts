/** Turns TypeScript sources into readable JavaScript, with source maps, and declarations. */
import ts from "typescript";
import { UsageError } from "../contract/usage-error.ts";
import { generatedNotice } from "./notice.ts";

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
  strict: true,
};
const scriptOptions: ts.CompilerOptions = { ...options, sourceMap: true, inlineSources: true };
const declarationOptions: ts.CompilerOptions = { ...options, declaration: true, isolatedDeclarations: true };

/**
 * Compiles each file on its own, without type checking (that is `npm run typecheck`).
 *
 * @param sources file names ending in `.ts` and their texts.
 * @returns file names ending in `.js`, `.js.map` and `.d.ts` and their texts. The maps hold the sources.
 * @throws {UsageError} when a source is no TypeScript, or an export has no explicit type.
 */
export function compileSources(sources: Record<string, string>): Record<string, string> {
  const output: Record<string, string> = {};
  for (const [fileName, text] of Object.entries(sources)) {
    const script = ts.transpileModule(text, { fileName, compilerOptions: scriptOptions, reportDiagnostics: true });
    const declaration = ts.transpileDeclaration(text, {
      fileName,
      compilerOptions: declarationOptions,
      reportDiagnostics: true,
    });
    const problems = [...(script.diagnostics ?? []), ...(declaration.diagnostics ?? [])];
    if (problems[0] !== undefined) {
      throw new UsageError(`${fileName}: ${ts.flattenDiagnosticMessageText(problems[0].messageText, "\n")}`);
    }
    output[fileName.replace(/\.ts$/, ".js")] = `${generatedNotice}\n${script.outputText}\n`;
    output[fileName.replace(/\.ts$/, ".js.map")] = `${belowNotice(script.sourceMapText ?? "")}\n`;
    output[fileName.replace(/\.ts$/, ".d.ts")] = `${generatedNotice}\n${declaration.outputText}`;
  }
  return output;
}

/** Moves a source map down by the line that the notice takes. Lines of a map are parted by semicolons. */
function belowNotice(sourceMap: string): string {
  const { mappings, ...rest } = JSON.parse(sourceMap) as { mappings: string };
  return JSON.stringify({ ...rest, mappings: `;${mappings}` });
}
