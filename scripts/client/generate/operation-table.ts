/** Generates the file `operation-table.ts`: what the runtime knows about each operation. */
import { UsageError } from "../../contract/base/index.ts";
import {
  alternativesOf,
  type Body,
  bodyOf,
  type Contract,
  type DocumentedResponse,
  isJsonType,
  isSuccess,
  type JsonSchema,
  type Operation,
  type Parameter,
  parseExpression,
  propertiesOf,
  type SourceLocation,
} from "../../contract/model/index.ts";
import { brandedSchemas, isProposed } from "./operation-types.ts";
import { contractTypesPath, generatedNotice, toLiteral } from "./text.ts";

export function operationTableSource(contract: Contract): string {
  const rows = contract.operations.map(
    (operation) => `export const ${operation.operationId}: Operation = ${toLiteral(rowOf(operation))};\n`,
  );
  return `${generatedNotice}
/** The client's data on the operations: a constant for each, so that bundlers leave out unused operations. */
import type { Operation } from "${contractTypesPath}";

${rows.join("\n")}`;
}

function rowOf(operation: Operation): Record<string, unknown> {
  const { parameters, requestBody, responses } = operation;
  const body = requestBody && bodyOf(requestBody);
  const isJson = body !== undefined && isJsonType(body.mediaType);
  const amounts = amountNamesOf(parameters, body);
  const openStatuses = responses.filter(({ isOpen }) => isOpen).map(({ status }) => status);
  return {
    id: operation.operationId,
    method: operation.method.toUpperCase(),
    path: operation.path,
    edition: isProposed(operation) ? "test" : undefined,
    deposit: operation.address === "deposit_base_url" || undefined,
    query: parameters.some((parameter) => parameter.in === "query") || undefined,
    json: isJson || undefined,
    upload: body === undefined || isJson ? undefined : uploadRulesOf(body),
    patterns: patternsOf(operation),
    amounts: amounts.length === 0 ? undefined : amounts,
    explicit: explicitMembersOf(body?.schema),
    accept: acceptedTypeOf(operation),
    responses: Object.fromEntries(responses.map(({ status, codes }) => [status, codes])),
    open: openStatuses.length === 0 ? undefined : openStatuses,
    required: isMessageOnly(operation) ? undefined : requiredFieldsOf(operation),
    list: successesOf(operation).some((success) => schemaAt(bodyOf(success)?.schema).type === "array") || undefined,
    message: isMessageOnly(operation) || undefined,
    safe: isSafe(operation) || undefined,
  };
}

/** A GET with side effects is not safe (RFC 9110, section 9.2.1). */
function isSafe({ method, hasSideEffects }: Operation): boolean {
  return method === "get" && !hasSideEffects;
}

function patternsOf({ parameters }: Operation): Record<string, RegExp> | undefined {
  const patterns = parameters.flatMap(({ in: location, name, schema }): [string, RegExp][] => {
    const { pattern } = schemaAt(schema);
    return location === "path" && pattern !== undefined ? [[name, new RegExp(String(pattern), "u")]] : [];
  });
  return patterns.length === 0 ? undefined : Object.fromEntries(patterns);
}

/** The media type of the successes, which is the same for all; undefined for JSON. */
function acceptedTypeOf({ responses, location }: Operation): string | undefined {
  const mediaTypes = responses.filter(isSuccess).flatMap((response) => bodyOf(response)?.mediaType ?? []);
  const [otherType] = mediaTypes.filter((mediaType) => !isJsonType(mediaType));
  if (otherType === undefined || mediaTypes.every((mediaType) => mediaType === otherType)) return otherType;
  throw new UsageError(
    `${location.pointer}: the successes have several media types: ${mediaTypes.join(", ")}. Document the one that is used.`,
  );
}

function amountNamesOf(parameters: readonly Parameter[], body: Body | undefined): string[] {
  const parameterNames = parameters.flatMap(({ name, schema }) => (isAmount(schema) ? [name] : []));
  const properties = body === undefined ? [] : [...propertiesOf(body.schema)];
  return [...parameterNames, ...properties.flatMap(([name, location]) => (isAmount(location) ? [name] : []))];
}

/** The members that only some alternatives of a body require. A call without such a member can be valid, but has another meaning. */
function explicitMembersOf(body: SourceLocation | undefined): string[] | undefined {
  if (body === undefined) return undefined;
  const parts = [body.target, ...body.target.child("allOf").items()];
  const alternatives = parts.flatMap((part) => part.child("anyOf").items()).map(requiredNamesOf);
  const names = [...new Set(alternatives.flat())].filter((name) =>
    alternatives.some((alternative) => !alternative.includes(name)),
  );
  return names.length === 0 ? undefined : names;
}

function isAmount({ target }: SourceLocation): boolean {
  return brandedSchemas.has(target.name);
}

function uploadRulesOf(body: Body): Record<string, unknown> {
  if (!/^multipart\/form-data\b/i.test(body.mediaType))
    throw new UsageError(`${body.location.pointer}: the client sends application/json and multipart/form-data only.`);
  const properties = [...propertiesOf(body.schema)];
  const limits = properties.flatMap(([name, property]) => {
    const { maxItems: maxFiles } = schemaAt(property);
    const items = property.at("items");
    const { "x-max-bytes": maxBytes, format } = schemaAt(items.exists ? items : property);
    if (format !== "binary") {
      throw new UsageError(`${property.pointer}: the client uploads files only (format: binary).`);
    }
    return maxFiles === undefined && maxBytes === undefined ? [] : [[name, { maxFiles, maxBytes }]];
  });
  return {
    parts: properties.map(([name]) => name),
    limits: limits.length === 0 ? undefined : Object.fromEntries(limits),
  };
}

function schemaAt(location: SourceLocation | undefined): JsonSchema {
  return (location?.target.value ?? {}) as JsonSchema;
}

function successesOf({ responses }: Operation): DocumentedResponse[] {
  return responses.filter((response) => isSuccess(response) && response.codes.length === 0);
}

function requiredFieldsOf(operation: Operation): Record<string, string[]> | undefined {
  const createdFields = operation.effects.flatMap(({ kind, id }) => {
    const expression = parseExpression(id);
    return kind === "creates" && expression?.source === "response" ? [expression.name] : [];
  });
  const rows = successesOf(operation).flatMap((success): [string, string[]][] => {
    const body = bodyOf(success);
    if (body === undefined) return [];
    const properties = propertiesOf(body.schema);
    const names = [...new Set([...requiredNamesOf(body.schema), ...createdFields])];
    const requiredFields = names.map((name) => {
      const types = typesOf(properties.get(name));
      return `${types}` === "string" || isSafe(operation) ? name : [name, ...types].join(" ");
    });
    return names.length === 0 ? [] : [[success.key, requiredFields]];
  });
  return rows.length === 0 ? undefined : Object.fromEntries(rows);
}

function requiredNamesOf(schema: SourceLocation): string[] {
  const properties = propertiesOf(schema);
  const { required = [] } = schemaAt(schema) as { required?: string[] };
  const partNames = schema.target.child("allOf").items().flatMap(requiredNamesOf);
  return [...required, ...partNames].filter((name) => !isNullable(properties.get(name)));
}

const typeofNames: Readonly<Record<string, string>> = { integer: "number", array: "object", null: "object" };

/** The JSON types that a schema allows, as the names that `typeof` returns, because the client compares with `typeof`. */
function typesOf(schema: SourceLocation | undefined): string[] {
  if (schema === undefined) return [];
  const { type } = schemaAt(schema);
  const directTypes = [type ?? []].flat().map((jsonType) => typeofNames[String(jsonType)] ?? String(jsonType));
  return [...new Set([...directTypes, ...alternativesOf(schema).flatMap(typesOf)])];
}

function isNullable(schema: SourceLocation | undefined): boolean {
  const { type } = schemaAt(schema);
  return [type].flat().includes("null") || (schema !== undefined && alternativesOf(schema).some(isNullable));
}

function isMessageOnly(operation: Operation): boolean {
  const successes = successesOf(operation);
  return successes.length > 0 && successes.every((success) => bodyOf(success)?.schema.target.name === "Message");
}
