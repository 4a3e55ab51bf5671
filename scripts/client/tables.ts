/** Generates the tables that the runtime of the client works with: operations, P-codes and sensitive names. */
import {
  type Body,
  type Contract,
  type ErrorCode,
  isRef,
  type JsonSchema,
  type Operation,
  type Place,
  propertiesOf,
  resolutionWithNames,
  UsageError,
} from "../contract/index.ts";
import { isProposed } from "./operation-types.ts";
import { generatedNotice, oneLine, runtimePath, toLiteral, toMembers } from "./text.ts";
import { brandedSchemas } from "./types.ts";

/** Functions of the runtime that rows name, by the file that has them. */
const rowFunctions = { "json-body.ts": "toJsonBody", "multipart.ts": "prepareUpload", "query.ts": "toQuery" };

/** A name in the place of a JSON value. */
class Name {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  toJSON(): string {
    return `<${this.name}>`;
  }
}

/** Returns the text of `operation-table.ts`: every operation by its operationId. */
export function operationTableSource(contract: Contract): string {
  const rows = contract.operations.map((operation) => {
    const text = toLiteral(JSON.parse(JSON.stringify(rowOf(operation)))).replaceAll(/"<(\w+)>"/g, "$1");
    return `export const ${operation.operationId}: Operation = ${shorten(text)};\n`;
  });
  const text = rows.join("\n");
  const codes = contract.errorCodes.flatMap(({ code }) => (new RegExp(`\\b${code}\\b`).test(text) ? [code] : []));
  const imports = Object.entries(rowFunctions).flatMap(([file, name]) =>
    text.includes(name) ? [`import { ${name} } from "${runtimePath}/${file}";\n`] : [],
  );
  return `${generatedNotice}
/** What the client knows of every operation: one constant each, so that bundlers leave out those that are not called. */
import type { Operation } from "${runtimePath}/operation.ts";
${imports.join("")}${codes.length === 0 ? "" : `import { ${codes.join(", ")} } from "./catalogue.ts";\n`}
${text}`;
}

/** `{ P403: P403 }` as `{ P403 }`. */
function shorten(text: string): string {
  return text.replaceAll(/\b(\w+): \1\b/g, "$1");
}

function rowOf(operation: Operation): Record<string, unknown> {
  const body = operation.requestBody?.bodies[0];
  const isMultipart = body?.mediaType.startsWith("multipart/") ?? false;
  const amounts = amountsOf(operation);
  const accept = acceptOf(operation);
  return {
    id: operation.operationId,
    method: operation.method.toUpperCase(),
    path: operation.path,
    ...(isProposed(operation) ? { edition: "test" } : {}),
    ...(operation.address === "deposit_base_url" ? { deposit: true } : {}),
    ...(operation.parameters.some((parameter) => parameter.in === "query") ? { query: new Name("toQuery") } : {}),
    ...(body === undefined || isMultipart ? {} : { body: new Name("toJsonBody") }),
    ...(body !== undefined && isMultipart ? { upload: { prepare: new Name("prepareUpload"), ...partsOf(body) } } : {}),
    ...(amounts.length === 0 ? {} : { amounts }),
    ...(accept === "application/json" ? {} : { accept }),
    answers: Object.fromEntries(
      operation.answers.map(({ status, codes }) => [
        status,
        Object.fromEntries(codes.map((code) => [code, new Name(code)])),
      ]),
    ),
    ...openStatusesOf(operation),
    ...(isMessageOnly(operation) ? { message: true } : {}),
    // A GET with side effects is not safe (RFC 9110, section 9.2.1).
    ...(operation.method === "get" && !operation.sideEffects ? { safe: true } : {}),
  };
}

/** Names of the query parameters and of the body's properties that are amounts. */
function amountsOf({ parameters, requestBody }: Operation): string[] {
  const named = parameters.flatMap(({ name, schema }) => (isAmount(schema) ? [name] : []));
  const body = requestBody?.bodies[0]?.schema;
  const properties = body === undefined ? [] : [...propertiesOf(body)];
  return [...named, ...properties.flatMap(([name, place]) => (isAmount(place) ? [name] : []))];
}

/** Whether a schema is that of a request's amount: an amount is what can be sent as a decimal string. */
function isAmount(place: Place | undefined): boolean {
  return place?.exists === true && place.target.name in brandedSchemas;
}

/**
 * The parts of a multipart body in the order of the contract, and the limits of their files.
 *
 * @throws {UsageError} naming the place, when a part is no file.
 */
function partsOf(body: Body): Record<string, unknown> {
  const properties = [...propertiesOf(body.schema)];
  const limits = properties.flatMap(([name, property]) => {
    const { maxItems: maxFiles } = schemaAt(property);
    const items = property.at("items");
    const { "x-max-bytes": maxBytes, format } = schemaAt(items.exists ? items : property);
    if (format !== "binary") {
      throw new UsageError(`${property.pointer}: the client uploads files only (format: binary).`);
    }
    if (maxFiles === undefined && maxBytes === undefined) return [];
    const row = {
      ...(maxFiles === undefined ? {} : { maxFiles }),
      ...(maxBytes === undefined ? {} : { maxBytes }),
    };
    return [[name, row]];
  });
  return {
    parts: properties.map(([name]) => name),
    ...(limits.length === 0 ? {} : { limits: Object.fromEntries(limits) }),
  };
}

function schemaAt(place: Place): JsonSchema {
  return (place.target.value ?? {}) as JsonSchema;
}

function openStatusesOf({ answers }: Operation): { open?: number[] } {
  const open = answers.filter(({ isOpen }) => isOpen).map(({ status }) => status);
  return open.length === 0 ? {} : { open };
}

/** Whether every success without a P-code is the shared schema `Message`. */
function isMessageOnly({ answers }: Operation): boolean {
  const successes = answers.filter(({ status, codes }) => status >= 200 && status < 300 && codes.length === 0);
  return successes.length > 0 && successes.every(({ bodies: [body] }) => body?.schema.target.name === "Message");
}

function acceptOf(operation: Operation): string {
  const success = operation.answers.find(({ status }) => status >= 200 && status < 300);
  return success?.bodies[0]?.mediaType ?? "application/json";
}

/** The texts of a P-code, each on one line as a log shows it. */
function adviceOf(entry: ErrorCode, contract: Contract): string {
  const { meaning, retry } = entry;
  return toLiteral({ meaning: oneLine(meaning), retry, resolution: oneLine(resolutionWithNames(entry, contract)) });
}

/** Returns the text of `catalogue.ts`: every P-code with its meaning, retry advice and resolution. */
export function catalogueSource(contract: Contract): string {
  const rows = contract.errorCodes.map(
    (entry) => `export const ${entry.code}: ErrorCodeEntry = ${adviceOf(entry, contract)};\n`,
  );
  return `${generatedNotice}
/** Every P-code of the contract: one constant each, so that bundlers leave out those of operations that are not called. */
import type { ErrorCodeEntry } from "${runtimePath}/operation.ts";

${rows.join("")}`;
}

/**
 * Returns the text of `whole-catalogue.ts`: the same once more, as one object. A bundler would put constants that this file and
 * the table of operations share into what is loaded at once.
 */
export function wholeCatalogueSource(contract: Contract): string {
  const rows = contract.errorCodes.map((entry) => [entry.code, adviceOf(entry, contract)] as const);
  return `${generatedNotice}
import type { ErrorCatalogue } from "${runtimePath}/operation.ts";

/** Every P-code of the contract, for those that an operation is not known to answer. */
export const catalogue: ErrorCatalogue = {
${toMembers(rows)}
};
`;
}

/** Returns the text of `contract.ts`: what every client is created from. */
export function contractSource(): string {
  return `${generatedNotice}
import type { ClientContract } from "${runtimePath}/operation.ts";
import { sensitiveNames } from "./sensitive-names.ts";

/** What every client is created from, besides its options. */
export const contract: ClientContract = {
  catalogue: async () => (await import("./whole-catalogue.ts")).catalogue,
  sensitiveNames,
  docs: "errors/",
  answers: () => import("./answer-schemas.ts"),
};
`;
}

/** Returns the text of `sensitive-names.ts`. */
export function sensitiveNamesSource(contract: Contract): string {
  return `${generatedNotice}
/** Names of the properties and parameters that the contract marks with x-sensitive. */
export const sensitiveNames: readonly string[] = ${toLiteral(findSensitiveNames(contract.root))};
`;
}

/**
 * The names of all properties, parameters and headers that are marked with `x-sensitive`, directly, in the schema that they
 * refer to, in a part of it (`allOf`, `anyOf`, `oneOf`) or in its items, in alphabetical order.
 */
export function findSensitiveNames(root: Place): string[] {
  const names = new Set<string>();
  const visit = (place: Place): void => {
    const { value } = place;
    if (typeof value !== "object" || value === null) return;
    for (const [name, property] of place.own("properties").entries()) if (isSensitive(property)) names.add(name);
    const name = place.own("name").value;
    if (typeof name === "string" && (isSensitive(place) || isSensitive(place.own("schema")))) names.add(name);
    for (const key of Object.keys(value)) visit(place.own(key));
  };
  visit(root);
  return [...names].sort();
}

function isSensitive(place: Place, seen: readonly string[] = []): boolean {
  if (!place.exists || seen.includes(place.id)) return false;
  if (place.own("x-sensitive").value === true) return true;
  const parts = ["allOf", "anyOf", "oneOf"].flatMap((keyword) => place.own(keyword).items());
  const target = isRef(place.value) ? [place.target] : [];
  const inner = [...target, ...parts, place.own("items"), place.own("additionalProperties")];
  return inner.some((part) => isSensitive(part, [...seen, place.id]));
}
