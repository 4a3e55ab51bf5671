/** Generates the tables that the runtime of the client works with: operations, P-codes and sensitive names. */
import {
  type Body,
  type Contract,
  type Edition,
  isRef,
  type JsonSchema,
  type Operation,
  type Place,
  propertiesOf,
} from "../contract/index.ts";
import { generatedNotice, runtimePath, toLiteral, toMembers } from "./text.ts";

/** Returns the text of `operations.ts`: every operation by its operationId. */
export function operationsSource(contract: Contract): string {
  const rows = contract.operations.map((operation) => [operation.operationId, toLiteral(rowOf(operation))] as const);
  return `${generatedNotice}
import type { OperationTable } from "${runtimePath}/operation.ts";

/** Every operation of the contract, by its operationId. */
export const operations: OperationTable = {
${toMembers(rows)}
};
`;
}

function rowOf(operation: Operation): Record<string, unknown> {
  const body = operation.requestBody?.bodies[0];
  const isMultipart = body?.mediaType.startsWith("multipart/") ?? false;
  return {
    method: operation.method.toUpperCase(),
    path: operation.path,
    address: operation.address === "deposit_base_url" ? "deposit" : "main",
    ...(body === undefined ? {} : { body: isMultipart ? "multipart" : "json" }),
    ...(body !== undefined && isMultipart ? partsOf(body) : {}),
    accept: acceptOf(operation),
    answers: Object.fromEntries(operation.answers.map(({ status, codes }) => [status, codes])),
    ...anyCodeOf(operation),
    ...(isMessageOnly(operation) ? { message: true } : {}),
    // A GET with side effects is not safe (RFC 9110, section 9.2.1).
    safe: operation.method === "get" && !operation.sideEffects,
  };
}

/** The parts of a multipart body in the order of the contract, and the limits of their files. */
function partsOf(body: Body): Record<string, unknown> {
  const properties = [...propertiesOf(body.schema)];
  const limits = properties.flatMap(([name, property]) => {
    const { maxItems: maxFiles } = schemaAt(property);
    const items = property.at("items");
    const { "x-max-bytes": maxBytes } = schemaAt(items.exists ? items : property);
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

/** The statuses of failures whose body has a P-code, but no list of those that it can be. */
function anyCodeOf({ answers }: Operation): { anyCode?: number[] } {
  const open = answers.filter(({ status, codes, bodies: [body] }) => {
    return status >= 400 && codes.length === 0 && body !== undefined && propertiesOf(body.schema).has("errorCode");
  });
  return open.length === 0 ? {} : { anyCode: open.map(({ status }) => status) };
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

/** Returns the text of `catalogue.ts`: every P-code with its meaning, retry advice and resolution. */
export function catalogueSource(contract: Contract, edition: Edition): string {
  const rows = contract.errorCodes.map(({ code, meaning, retry, resolution }) => {
    const docs = `${edition}/index.html#/errors/${code.toLowerCase()}`;
    return [code, toLiteral({ meaning, retry, resolution, docs })] as const;
  });
  return `${generatedNotice}
import type { ErrorCatalogue } from "${runtimePath}/operation.ts";

/** Every P-code of the contract. */
export const catalogue: ErrorCatalogue = {
${toMembers(rows)}
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
 * The names of all properties, parameters and headers that are marked with `x-sensitive`, directly or in the schema that
 * they refer to, in alphabetical order.
 */
function findSensitiveNames(root: Place): string[] {
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

function isSensitive(place: Place): boolean {
  if (place.own("x-sensitive").value === true) return true;
  return isRef(place.value) && isSensitive(place.target);
}
