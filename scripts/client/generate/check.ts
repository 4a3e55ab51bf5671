/** Refuses contracts from which no correct TypeScript follows. */
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import ts from "typescript";
import { projectRoot, UsageError } from "../../contract/base/index.ts";
import {
  alternativesOf,
  type Body,
  type Contract,
  codeOf,
  compositions,
  generalError,
  isJsonType,
  isRef,
  isSuccess,
  type JsonSchema,
  type Operation,
  type SourceLocation,
  schemasOfValue,
  subschemasOf,
  walkSchema,
} from "../../contract/model/index.ts";
import { amountTypes } from "./operation-facts.ts";
import { contractTypesPath, oneLine } from "./text.ts";

/** Members of every client; `await` calls `then`. */
const membersOfClient = new Set(["edition", "then"]);

/** The names of schemas, operations and resources become names in TypeScript. */
export function checkContract({ root, operations, webhooks, resources }: Contract): void {
  for (const [name, schema] of root.child("components", "schemas").entries()) {
    checkName(name, schema);
    checkSchema(schema);
  }
  for (const operation of operations) {
    const { operationId, location } = operation;
    demand(location.child("operationId").exists, location, "needs an operationId, which names its function.");
    checkName(operationId, location);
    demand(
      operations.find((other) => other.operationId === operationId) === operation,
      location,
      `has another operation ${operationId}. Choose another operationId.`,
    );
    demand(!membersOfClient.has(operationId), location, `has ${operationId} for itself. Choose another operationId.`);
    checkParameters(operation);
    checkMessages(operation);
    checkAmounts(operation);
  }
  for (const { method, requestBody, location } of webhooks) {
    demand(method === "post", location, "receives webhooks by POST only.");
    checkBodies(requestBody?.bodies ?? []);
  }
  for (const { name, location } of resources) checkName(name, location, "openapi/resources.yaml");
}

function demand(condition: boolean, { pointer }: SourceLocation, message: string): void {
  if (!condition) throw new UsageError(`${pointer}: the client ${message}`);
}

/** Keywords that change a type, which openapi-typescript leaves out beside a reference. */
const typeKeywords = [
  "type",
  "enum",
  "const",
  "properties",
  "required",
  "items",
  "additionalProperties",
  ...compositions,
];

/** A reference in it leads to a component, whose name is the name of a type and of a constant. */
function checkSchema(schema: SourceLocation): void {
  walkSchema(schema, (part, { ancestors }) => {
    const { properties, additionalProperties, type, "x-open-enum": knownValues } = part.value as JsonSchema;
    if (isRef(part.value)) {
      const { $ref } = part.value;
      demand(part.nextTarget.exists, part, `finds no schema ${$ref}.`);
      demand(
        /^#\/components\/schemas\/[^/]+$/.test($ref),
        part,
        `needs a name for ${$ref}. Move it to components/schemas.`,
      );
      const otherKeyword = typeKeywords.find((name) => part.child(name).exists);
      demand(otherKeyword === undefined, part, `has no type for ${otherKeyword} beside $ref. Write both under allOf.`);
      const enclosingIds = [part, ...ancestors].map(({ id }) => id);
      demand(!enclosingIds.includes(part.nextTarget.id), part, `cannot read ${$ref}, which contains itself.`);
    }
    demand(
      properties === undefined ||
        typeof additionalProperties !== "object" ||
        Object.keys(additionalProperties).length === 0,
      part,
      "has no type for properties beside a schema of additionalProperties. Write additionalProperties: true.",
    );
    demand(
      knownValues === undefined || [type].flat().every((name) => name === "string" || name === "null"),
      part,
      "reads x-open-enum of strings only.",
    );
  });
}

/** JSON types that cannot be written as a parameter. */
const refusedTypes: Record<string, readonly string[]> = { path: ["object", "array", "boolean"], query: ["object"] };
const defaultStyles: Record<string, string> = { path: "simple", query: "form" };

function checkParameters({ parameters, path, location: operation }: Operation): void {
  for (const { in: group, location, schema, node } of parameters) {
    const types = refusedTypes[group] ?? [];
    demand(types.length > 0, location, "sends parameters in the path and the query only.");
    demand(schema.exists, location, "needs a schema of the parameter, in place of its content.");
    const { style = defaultStyles[group], explode = group === "query", allowReserved = false } = node;
    demand(
      style === defaultStyles[group] && explode === (group === "query") && !allowReserved,
      location,
      "writes parameters in the default style. Leave out style, explode and allowReserved.",
    );
    checkSchema(schema);
    walkSchema(schema, (part) =>
      demand(
        !part.texts("type").some((type) => types.includes(type)),
        part,
        `sends no ${types.join(" or ")} in the ${group}.`,
      ),
    );
  }
  const namesInPath = path.match(/(?<=\{)[^}]*/g) ?? [];
  const names = parameters.flatMap(({ in: group, name }) => (group === "path" ? [name] : []));
  demand(
    namesInPath.every((name) => /^\w+$/.test(name)) && `${namesInPath.sort()}` === `${names.sort()}`,
    operation,
    `needs the parameters of ${path}, with names of letters, digits and _.`,
  );
}

function checkMessages({ method, requestBody, responses, location: operation }: Operation): void {
  demand(
    ["get", "put", "post", "delete", "patch"].includes(method),
    operation,
    "calls GET, PUT, POST, DELETE and PATCH only.",
  );
  if (requestBody !== undefined) {
    demand(method !== "get", requestBody.location, "cannot send a body with GET.");
    demand(requestBody.required, requestBody.location, "always sends the body. Write required: true.");
  }
  for (const { bodies } of [...(requestBody === undefined ? [] : [requestBody]), ...responses]) checkBodies(bodies);
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
  demand(responses.some(isSuccess), operation, "needs a response with a status of success, such as 200.");
}

function checkBodies(bodies: readonly Body[]): void {
  for (const { schema, location } of bodies) {
    demand(schema.exists, location, "needs a schema of the body.");
    checkSchema(schema);
  }
}

/** The runtime writes amounts that are parameters or members of a body. */
function checkAmounts({ parameters, requestBody }: Operation): void {
  const members = (requestBody?.bodies ?? []).flatMap(({ schema }) => partsOf(schema));
  const items = members.filter(({ property }) => property === undefined);
  const values = [...parameters, ...members.filter(({ property }) => property !== undefined)];
  for (const { schema: part } of [...items, ...values.flatMap(({ schema }) => partsOf(schema))])
    walkSchema(part, ({ name }) =>
      demand(!amountTypes.has(name), part, `writes ${name} in parameters and direct members of a body only.`),
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

const entriesFolder = join(projectRoot, "scripts/client/src/entries");
const generatedFolder = join(projectRoot, "generated/client");

/** `export *` leaves out a name that another file of the entry exports too, without an error of the build. */
export function checkExports({ root, operations }: Contract, files: Readonly<Record<string, string>>): void {
  const textOf = (path: string) =>
    path.startsWith(`${generatedFolder}/`) ? (files[basename(path)] ?? "") : readFileSync(path, "utf8");
  const ownersByName = new Map<string, Set<string>>();
  const add = (name: string, owner: string) => ownersByName.set(name, (ownersByName.get(name) ?? new Set()).add(owner));
  for (const entry of ["index.ts", "operations.ts"]) addExports(join(entriesFolder, entry), textOf, add);
  for (const text of Object.values(files)) for (const name of namesOfRuntime(text)) add(name, contractTypesPath);
  for (const name of standardNames()) add(name, "lib.d.ts");
  const isFree = (name: string, ownFile: string) =>
    [...(ownersByName.get(name) ?? [])].every((owner) => owner === join(generatedFolder, ownFile));
  for (const [name, schema] of root.child("components", "schemas").entries())
    demand(isFree(name, "types.ts"), schema, `has ${name} for itself. Choose another name for the schema.`);
  for (const { operationId: name, location } of operations)
    demand(isFree(name, "operations.ts"), location, `has ${name} for itself. Choose another operationId.`);
}

function addExports(path: string, textOf: (path: string) => string, add: (name: string, owner: string) => void): void {
  for (const statement of parse(path, textOf(path)).statements) {
    if (!ts.isExportDeclaration(statement)) {
      const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
      if (modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword))
        for (const name of declaredNames(statement)) add(name, path);
    } else if (statement.exportClause === undefined) {
      addExports(join(dirname(path), (statement.moduleSpecifier as ts.StringLiteral).text), textOf, add);
    } else if (ts.isNamedExports(statement.exportClause)) {
      for (const { name } of statement.exportClause.elements) add(name.text, path);
    }
  }
}

/** What a generated file imports of the runtime. */
function namesOfRuntime(text: string): string[] {
  return parse("generated.ts", text).statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement)) return [];
    return (statement.moduleSpecifier as ts.StringLiteral).text === contractTypesPath ? declaredNames(statement) : [];
  });
}

let globalNames: readonly string[] | undefined;

/** The generated files use some of the names of the language, such as Record. */
function standardNames(): Set<string> {
  const library = join(dirname(ts.sys.getExecutingFilePath()), "lib.es5.d.ts");
  globalNames ??= parse(library, readFileSync(library, "utf8")).statements.flatMap(declaredNames);
  return new Set(globalNames);
}

function parse(file: string, text: string): ts.SourceFile {
  return ts.createSourceFile(file, text, ts.ScriptTarget.ES2022);
}

/** A name of the contract can be one that the client declares or imports for itself. */
export function checkDeclarations(file: string, text: string): void {
  const names = standardNames();
  // TypeScript does not declare this property.
  const { statements, parseDiagnostics } = parse(file, text) as ts.SourceFile & {
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
