/** Emits declaration files with oxc, which does not check types: `npm run check` checks them. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isolatedDeclarationSync } from "rolldown/experimental";
import ts from "typescript";
import { projectRoot, UsageError } from "../../contract/model/index.ts";
import { arrange } from "./layout.ts";

export function declare(path: string, text: string = readFileSync(join(projectRoot, path), "utf8")): string {
  const { code, errors } = isolatedDeclarationSync(path, text);
  const problems = errors.map(({ message, codeframe }) => codeframe ?? message);
  if (problems.length > 0) throw new UsageError(`This cannot be published:\n${problems.join("").trim()}`);
  // oxc removes the space before the asterisks of a comment.
  return code.replace(/^(\t*)\*/gm, "$1 *");
}

interface Declarations {
  readonly byName: ReadonlyMap<string, readonly ts.Statement[]>;
  readonly imported: ReadonlyMap<string, { readonly from: string; readonly name: string }>;
  readonly exported: readonly string[];
}

/**
 * Combines the declarations of an entry and the modules that it imports into one text. Declarations that the exports of `entry` do not need
 * are left out, because they may use types of `@types/node`.
 */
export function rollDeclarations(entry: string, sources: Readonly<Record<string, string>> = {}): string {
  const read = new Map<string, Declarations>();
  const declarationsOf = (path: string) => {
    const known = read.get(path) ?? readDeclarations(path, sources[path]);
    read.set(path, known);
    return known;
  };
  const needed = new Map<string, readonly ts.Statement[]>();
  const generated = new Set<string>();
  const visit = (path: string, name: string): void => {
    const { byName, imported } = declarationsOf(path);
    const { from, name: itsName } = imported.get(name) ?? {};
    if (from !== undefined && itsName !== undefined) {
      if (itsName !== name || !from.startsWith(".")) {
        throw new UsageError(
          `The declarations of ${entry} need ${name} from ${from} in ${path}, which cannot be part of them.`,
        );
      }
      const file = join(dirname(path), from);
      if (!file.startsWith("generated/client/")) visit(file, name);
      else generated.add(`import type { ${name} } from "../${arrange([file]).get(file)?.replace(/\.ts$/, ".js")}";\n`);
      return;
    }
    const statements = byName.get(name);
    // A global type of JavaScript or the DOM is not declared in any file.
    if (statements === undefined || needed.get(name) === statements) return;
    if (needed.has(name))
      throw new UsageError(`The declarations of ${entry} need two types named ${name}. Rename one.`);
    needed.set(name, statements);
    for (const statement of statements) for (const used of namesIn(statement)) visit(path, used);
  };
  const { exported } = declarationsOf(entry);
  for (const name of exported) visit(entry, name);
  const texts = [...needed.values()].flat().map(textOf);
  return `${[...generated].join("")}${texts.join("\n")}\nexport { ${exported.join(", ")} };\n`;
}

function readDeclarations(path: string, text?: string): Declarations {
  const byName = new Map<string, ts.Statement[]>();
  const imported = new Map<string, { from: string; name: string }>();
  const exported = new Set<string>();
  const add = (name: string, statement: ts.Statement) => {
    byName.set(name, [...(byName.get(name) ?? []), statement]);
    if (/^export\b/.test(statement.getText())) exported.add(name);
  };
  for (const statement of ts.createSourceFile(path, declare(path, text), ts.ScriptTarget.ES2022, true).statements) {
    if (ts.isVariableStatement(statement)) {
      for (const { name } of statement.declarationList.declarations) add(name.getText(), statement);
    } else if (ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)) {
      const names = ts.isImportDeclaration(statement) ? statement.importClause?.namedBindings : statement.exportClause;
      const from = (statement.moduleSpecifier as ts.StringLiteral | undefined)?.text;
      if (names === undefined || !("elements" in names)) continue;
      for (const { name, propertyName = name } of names.elements) {
        if (from !== undefined) imported.set(name.getText(), { from, name: propertyName.getText() });
        if (ts.isExportDeclaration(statement)) exported.add(name.getText());
      }
    } else {
      const { name } = statement as ts.Statement & { name?: ts.Identifier };
      if (name !== undefined) add(name.text, statement);
    }
  }
  return { byName, imported, exported: [...exported] };
}

function namesIn(node: ts.Node): string[] {
  if (ts.isImportTypeNode(node))
    throw new UsageError(`${node.getText()} cannot be part of declarations. Import the type.`);
  const referred = ts.isTypeReferenceNode(node)
    ? node.typeName
    : ts.isTypeQueryNode(node)
      ? node.exprName
      : ts.isExpressionWithTypeArguments(node)
        ? node.expression
        : undefined;
  const own = referred === undefined ? [] : [referred.getText().replace(/\..*$/s, "")];
  const below: string[] = [];
  ts.forEachChild(node, (child) => {
    below.push(...namesIn(child));
  });
  return [...own, ...below];
}

function textOf(statement: ts.Statement): string {
  const [comment] =
    statement.getFullText().match(/^\s*\/\*\*(?:(?!\*\/).)*\*\/(?=\s*(?:export|declare|interface|type)\b)/s) ?? [];
  const code = statement.getText().replace(/^export /, "");
  const declared = /^(declare|interface|type)\b/.test(code) ? code : `declare ${code}`;
  return comment === undefined ? declared : `${comment.trim()}\n${declared}`;
}
