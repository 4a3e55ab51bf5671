import { dirname, join, relative } from "node:path";
import ts from "typescript";
import { UsageError } from "../../base/index.ts";
import { compiledPathOf, type DistPaths } from "./layout.ts";

/**
 * Relative imports become paths below `dist/`, where they end in `.js`.
 *
 * @param source the path of the module's source below the repository.
 * @param code the JavaScript or the declarations that a compiler emitted, with the imports of the source.
 * @throws {UsageError} if the module imports a file that is not published.
 */
export function publishImports(source: string, code: string, distPaths: DistPaths): string {
  const folder = dirname(compiledPathOf(source, distPaths, ".js"));
  let [publishedCode, end] = ["", 0];
  for (const { position, specifier } of relativeImportsIn(code)) {
    const target = join(dirname(source), specifier);
    if (!distPaths.has(target))
      throw new UsageError(`${source} imports ${specifier}, which is not published. Correct the import.`);
    const path = relative(folder, compiledPathOf(target, distPaths, ".js"));
    publishedCode += code.slice(end, position) + (path.startsWith(".") ? path : `./${path}`);
    end = position + specifier.length;
  }
  return publishedCode + code.slice(end);
}

function relativeImportsIn(code: string): { position: number; specifier: string }[] {
  const imports: { position: number; specifier: string }[] = [];
  const visit = (node: ts.Node): void => {
    const specifier = specifierOf(node);
    if (specifier !== undefined && ts.isStringLiteral(specifier) && specifier.text.startsWith("."))
      imports.push({ position: specifier.end - `${specifier.text}"`.length, specifier: specifier.text });
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("module.ts", code, ts.ScriptTarget.ES2022));
  return imports;
}

function specifierOf(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isImportTypeNode(node)) return ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined;
  return ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
    ? node.arguments[0]
    : undefined;
}
