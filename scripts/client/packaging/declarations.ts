/** oxc emits declarations without checking types; `npm run check` checks them. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isolatedDeclarationSync } from "rolldown/experimental";
import ts from "typescript";
import { projectRoot, UsageError } from "../../contract/base/index.ts";
import { compiledPathOf, distPathsOf } from "./layout.ts";

export function emitDeclarations(path: string, text: string = readFileSync(join(projectRoot, path), "utf8")): string {
  const { code, errors } = isolatedDeclarationSync(path, text);
  const problems = errors.map(({ message, codeframe }) => codeframe ?? message);
  if (problems.length > 0) throw new UsageError(`This cannot be published:\n${problems.join("").trim()}`);
  // oxc removes the space before the asterisks of a comment.
  return code.replace(/^(\t*)\*/gm, "$1 *");
}

interface Declarations {
  readonly statementsByName: ReadonlyMap<string, readonly ts.Statement[]>;
  readonly importsByName: ReadonlyMap<string, { readonly from: string; readonly name: string }>;
  readonly exportedNames: readonly string[];
}

/**
 * The text imports the types of `generated/client/`. Declarations that the exports of `entry` do not need are left out, because they may
 * use types of `@types/node`.
 */
export function rollDeclarations(entry: string, sources: Readonly<Record<string, string>> = {}): string {
  const declarationsByPath = new Map<string, Declarations>();
  const declarationsOf = (path: string) => {
    const declarations = declarationsByPath.get(path) ?? readDeclarations(path, sources[path]);
    declarationsByPath.set(path, declarations);
    return declarations;
  };
  const neededStatements = new Map<string, readonly ts.Statement[]>();
  const generatedImports = new Set<string>();
  const addDeclarations = (path: string, name: string): void => {
    const { statementsByName, importsByName } = declarationsOf(path);
    const { from, name: importedName } = importsByName.get(name) ?? {};
    if (from !== undefined && importedName !== undefined) {
      if (importedName !== name || !from.startsWith(".")) {
        throw new UsageError(
          `The declarations of ${entry} need ${name} from ${from} in ${path}, which cannot be part of them.`,
        );
      }
      const file = join(dirname(path), from);
      if (!file.startsWith("generated/client/")) addExport(file, name);
      else
        generatedImports.add(
          `import type { ${name} } from "../${compiledPathOf(file, distPathsOf([file]), ".js")}";\n`,
        );
      return;
    }
    const statements = statementsByName.get(name);
    // `name` is a global type or a type parameter, or its declarations were added before.
    if (statements === undefined || neededStatements.get(name) === statements) return;
    if (neededStatements.has(name))
      throw new UsageError(`The declarations of ${entry} need two types named ${name}. Rename one.`);
    neededStatements.set(name, statements);
    for (const statement of statements)
      for (const referencedName of referencedNames(statement)) addDeclarations(path, referencedName);
  };
  const addExport = (path: string, name: string): void => {
    const { statementsByName, importsByName } = declarationsOf(path);
    if (!statementsByName.has(name) && !importsByName.has(name))
      throw new UsageError(`The declarations of ${entry} need ${name} of ${path}. Export it there by its name.`);
    addDeclarations(path, name);
  };
  const { exportedNames } = declarationsOf(entry);
  for (const name of exportedNames) addExport(entry, name);
  const texts = [...neededStatements.values()].flat().map(textOf);
  return `${[...generatedImports].join("")}${texts.join("\n")}\nexport { ${exportedNames.join(", ")} };\n`;
}

function readDeclarations(path: string, text?: string): Declarations {
  const statementsByName = new Map<string, ts.Statement[]>();
  const importsByName = new Map<string, { from: string; name: string }>();
  const exportedNames = new Set<string>();
  const addStatement = (name: string, statement: ts.Statement) => {
    statementsByName.set(name, [...(statementsByName.get(name) ?? []), statement]);
    if (/^export\b/.test(statement.getText()))
      exportedNames.add(/^export default\b/.test(statement.getText()) ? "default" : name);
  };
  for (const statement of ts.createSourceFile(path, emitDeclarations(path, text), ts.ScriptTarget.ES2022, true)
    .statements) {
    if (ts.isVariableStatement(statement)) {
      for (const { name } of statement.declarationList.declarations) addStatement(name.getText(), statement);
    } else if (ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)) {
      const isExport = ts.isExportDeclaration(statement);
      const clause = isExport ? undefined : statement.importClause;
      const names = isExport ? statement.exportClause : clause?.namedBindings;
      const from = (statement.moduleSpecifier as ts.StringLiteral | undefined)?.text;
      const addName = (name: string, originalName: string) => {
        if (from !== undefined || name !== originalName)
          importsByName.set(name, { from: from ?? path, name: originalName });
        if (isExport) exportedNames.add(name);
      };
      if (clause?.name !== undefined) addName(clause.name.text, "default");
      if (names === undefined) {
        if (isExport) addName("*", "every name");
      } else if ("elements" in names)
        for (const { name, propertyName = name } of names.elements) addName(name.getText(), propertyName.getText());
      else addName(names.name.getText(), "*");
    } else {
      const { name } = statement as ts.Statement & { name?: ts.Identifier };
      if (name === undefined) exportedNames.add("default");
      else addStatement(name.text, statement);
    }
  }
  return { statementsByName, importsByName, exportedNames: [...exportedNames] };
}

function referencedNames(node: ts.Node): string[] {
  if (ts.isImportTypeNode(node))
    throw new UsageError(`${node.getText()} cannot be part of declarations. Import the type.`);
  const reference = ts.isTypeReferenceNode(node)
    ? node.typeName
    : ts.isTypeQueryNode(node)
      ? node.exprName
      : ts.isExpressionWithTypeArguments(node)
        ? node.expression
        : undefined;
  const directNames = reference === undefined ? [] : [reference.getText().replace(/\..*$/s, "")];
  const nestedNames: string[] = [];
  ts.forEachChild(node, (child) => {
    nestedNames.push(...referencedNames(child));
  });
  return [...directNames, ...nestedNames];
}

/** With its comment. oxc writes `declare` where it is needed. */
function textOf(statement: ts.Statement): string {
  const fileText = statement.getSourceFile().text;
  const comment = ts.getLeadingCommentRanges(fileText, statement.pos)?.at(-1);
  const code = statement.getText().replace(/^export /, "");
  return comment === undefined ? code : `${fileText.slice(comment.pos, comment.end)}\n${code}`;
}
