/** Refuses contracts from which no correct TypeScript follows. */
import ts from "typescript";
import { UsageError } from "../../contract/base/index.ts";
import type { Contract, SourceLocation } from "../../contract/model/index.ts";

/** What the generated files use of TypeScript, besides what they declare and import. */
const standardNames = ["Omit", "Promise", "Readonly", "Record", "TypeError"];

/** The names of schemas, operations and resources become names in TypeScript. */
export function checkContract({ root, operations, resources }: Contract): void {
  for (const [name, schema] of root.child("components", "schemas").entries()) checkName(name, schema);
  for (const { operationId, location, responses } of operations) {
    checkName(operationId, location);
    for (const { status, location: response } of responses)
      if (Number.isNaN(status))
        throw new UsageError(`${response.pointer}: the client needs one status for each response, such as "200".`);
  }
  for (const { name, location } of resources) checkName(name, location, "openapi/resources.yaml");
}

function checkName(name: string, { pointer }: SourceLocation, file = ""): void {
  const scanner = ts.createScanner(ts.ScriptTarget.ES2022, false, ts.LanguageVariant.Standard, name);
  if (scanner.scan() === ts.SyntaxKind.Identifier && scanner.getTokenEnd() === name.length) return;
  throw new UsageError(
    `${file}${pointer}: "${name}" cannot be a name in TypeScript. Use letters and digits, and no keyword.`,
  );
}

/** A name of the contract can be one that the client declares or imports for itself. */
export function checkDeclarations(file: string, text: string): void {
  const names = new Set(standardNames);
  for (const name of ts.createSourceFile(file, text, ts.ScriptTarget.ES2022).statements.flatMap(declaredNames)) {
    if (names.has(name))
      throw new UsageError(
        `generated/client/${file} would have two meanings of ${name}. Rename what has this name in the contract, such as #/components/schemas/${name}.`,
      );
    names.add(name);
  }
}

function declaredNames(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []));
  }
  if (ts.isImportDeclaration(statement)) {
    const bindings = statement.importClause?.namedBindings;
    if (bindings === undefined) return [];
    return ts.isNamespaceImport(bindings) ? [bindings.name.text] : bindings.elements.map(({ name }) => name.text);
  }
  const { name } = statement as ts.Statement & { name?: ts.Identifier };
  return name === undefined ? [] : [name.text];
}
