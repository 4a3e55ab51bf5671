/** Refuses contracts from which no correct TypeScript follows. */
import ts from "typescript";
import { UsageError } from "../../contract/base/index.ts";
import {
  alternativesOf,
  type Contract,
  codeOf,
  generalError,
  isJsonType,
  type JsonSchema,
  type Operation,
  type SourceLocation,
  schemasOfValue,
  subschemasOf,
  walkSchema,
} from "../../contract/model/index.ts";
import { brandedSchemas } from "./operation-types.ts";
import { oneLine } from "./text.ts";

/** What the generated files use of TypeScript, besides what they declare and import. */
const standardNames = ["Omit", "Promise", "Readonly", "Record", "TypeError"];

/** The names of schemas, operations and resources become names in TypeScript. */
export function checkContract({ root, operations, resources }: Contract): void {
  for (const [name, schema] of root.child("components", "schemas").entries()) checkName(name, schema);
  for (const operation of operations) {
    checkName(operation.operationId, operation.location);
    checkMessages(operation);
    checkAmounts(operation);
  }
  for (const { name, location } of resources) checkName(name, location, "openapi/resources.yaml");
}

function demand(condition: boolean, { pointer }: SourceLocation, demand: string): void {
  if (!condition) throw new UsageError(`${pointer}: the client ${demand}`);
}

function checkMessages({ parameters, requestBody, responses }: Operation): void {
  for (const { in: group, location } of parameters)
    demand(["path", "query"].includes(group), location, "sends parameters in the path and the query only.");
  if (requestBody !== undefined)
    demand(requestBody.required, requestBody.location, "always sends the body. Write required: true.");
  for (const { bodies } of [...(requestBody === undefined ? [] : [requestBody]), ...responses])
    for (const { schema, location } of bodies) demand(schema.exists, location, "needs a schema of the body.");
  for (const { status, codes, bodies, location } of responses) {
    demand(!Number.isNaN(status), location, 'needs one status for each response, such as "200".');
    for (const { mediaType, schema } of bodies) {
      const readable = "reads JSON and texts only, without format: binary.";
      demand(isJsonType(mediaType) || /^text\//i.test(mediaType), location, readable);
      walkSchema(schema, (part) => demand((part.value as JsonSchema).format !== "binary", part, readable));
      const hasOnlyCodes = alternativesOf(schema).every(
        (alternative) => codeOf(alternative) !== undefined || alternative.target.name === generalError,
      );
      demand(codes.length === 0 || hasOnlyCodes, schema, `reads only ${generalError} beside P-codes.`);
    }
  }
}

/** The runtime writes amounts that are parameters or members of a body. */
function checkAmounts({ parameters, requestBody }: Operation): void {
  const members = (requestBody?.bodies ?? []).flatMap(({ schema }) => partsOf(schema));
  const items = members.filter(({ property }) => property === undefined);
  const values = [...parameters, ...members.filter(({ property }) => property !== undefined)];
  for (const { schema: part } of [...items, ...values.flatMap(({ schema }) => partsOf(schema))])
    walkSchema(part, ({ name }) =>
      demand(!brandedSchemas.has(name), part, `writes ${name} in parameters and direct members of a body only.`),
    );
}

function partsOf(schema: SourceLocation) {
  return schemasOfValue(schema)
    .flatMap(subschemasOf)
    .filter(({ role }) => role === "part");
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
  // TypeScript does not declare this property.
  const { statements, parseDiagnostics } = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022) as ts.SourceFile & {
    parseDiagnostics: ts.DiagnosticWithLocation[];
  };
  for (const { messageText, start } of parseDiagnostics)
    throw new UsageError(
      `generated/client/${file} would have a syntax error: ${ts.flattenDiagnosticMessageText(messageText, " ")} Change what the contract has near: ${oneLine(text.slice(Math.max(0, start - 60), start + 60))}`,
    );
  for (const name of statements.flatMap(declaredNames)) {
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
