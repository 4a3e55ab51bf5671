/** Generates the file `operation-table.ts`: what the runtime knows about each operation. */
import {
  type Body,
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
  schemasOfValue,
} from "../../../contract/model/index.ts";
import { isAmount } from "../reading/amounts.ts";
import { bodyOf } from "../reading/bodies.ts";
import { isProposed } from "../reading/facts.ts";
import { choicesOfValue, typesOf } from "../reading/json-types.ts";
import { patternAt } from "../reading/patterns.ts";
import { demand, Refusal } from "../reading/refusal.ts";
import { contractTypesPath, generatedNotice, toLiteral } from "../writing/text.ts";

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
    list: successesOf(operation).some(isList) || undefined,
    message: isMessageOnly(operation) || undefined,
    safe: isSafe(operation) || undefined,
  };
}

/** A GET with side effects is not safe (RFC 9110, section 9.2.1). */
function isSafe({ method, hasSideEffects }: Operation): boolean {
  return method === "get" && !hasSideEffects;
}

function patternsOf({ parameters }: Operation): Record<string, RegExp> | undefined {
  const patterns = parameters.flatMap(({ in: group, name, schema }): [string, RegExp][] => {
    const holders = schemasOfValue(schema, "allOf").filter((part) => part.child("pattern").exists);
    const [holder, otherHolder] = group === "path" ? holders : [];
    if (otherHolder !== undefined)
      throw new Refusal(
        otherHolder.child("pattern"),
        `The client checks one pattern of the path parameter ${name} only`,
        "Join the patterns, or leave this one out",
      );
    return holder === undefined ? [] : [[name, patternAt(holder)]];
  });
  return patterns.length === 0 ? undefined : Object.fromEntries(patterns);
}

/** The media type of the successes, which is the same for all; undefined for JSON. */
function acceptedTypeOf({ responses, location }: Operation): string | undefined {
  const mediaTypes = responses.filter(isSuccess).flatMap((response) => bodyOf(response)?.mediaType ?? []);
  const [otherType] = mediaTypes.filter((mediaType) => !isJsonType(mediaType));
  if (otherType === undefined || mediaTypes.every((mediaType) => mediaType === otherType)) return otherType;
  throw new Refusal(
    location,
    `The successes have several media types: ${mediaTypes.join(", ")}`,
    "Document the one that is used",
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
  const names = choicesOfValue(body).flatMap((choice) => {
    const alternatives = choice.map(nonNullRequiredNamesOf);
    return alternatives.flat().filter((name) => alternatives.some((alternative) => !alternative.includes(name)));
  });
  return names.length === 0 ? undefined : [...new Set(names)];
}

function uploadRulesOf(body: Body): Record<string, unknown> {
  demand(
    /^multipart\/form-data\b/i.test(body.mediaType),
    body.location,
    "The client sends application/json and multipart/form-data only",
    "Document one of these media types",
  );
  const properties = [...propertiesOf(body.schema)];
  const limits = properties.flatMap(([name, property]) => {
    const { maxItems: maxFiles } = keywordsOf(property);
    const items = property.at("items");
    const { "x-max-bytes": maxBytes, format } = keywordsOf(items.exists ? items : property);
    demand(
      format === "binary",
      property,
      "The client uploads files only, and no other parts of a form",
      "Write format: binary for a file; for another part, extend scripts/client/src/upload",
    );
    return maxFiles === undefined && maxBytes === undefined ? [] : [[name, { maxFiles, maxBytes }]];
  });
  return {
    parts: properties.map(([name]) => name),
    limits: limits.length === 0 ? undefined : Object.fromEntries(limits),
  };
}

/** The keywords of all schemas that a value must match. */
function keywordsOf(schema: SourceLocation): JsonSchema {
  const schemas = schemasOfValue(schema, "allOf").map(({ value }) => value);
  return Object.assign({}, ...schemas.reverse());
}

function isList(success: DocumentedResponse): boolean {
  const body = bodyOf(success);
  return body !== undefined && keywordsOf(body.schema).type === "array";
}

function successesOf({ responses }: Operation): DocumentedResponse[] {
  return responses.filter((response) => isSuccess(response) && response.codes.length === 0);
}

function requiredFieldsOf(operation: Operation): Record<string, string[]> | undefined {
  const creations = operation.effects.flatMap(({ kind, id, resource }) => {
    const expression = parseExpression(id);
    return kind === "creates" && expression?.source === "response" ? [{ resource, field: expression.name }] : [];
  });
  const rows = successesOf(operation).flatMap((success): [string, string[]][] => {
    const body = bodyOf(success);
    if (body === undefined) return [];
    const properties = propertiesOf(body.schema);
    for (const { resource, field } of creations)
      demand(
        properties.has(field),
        success.location,
        `x-effects creates the ${resource} with the id ${field} of the response, which this success does not have`,
        `Add ${field} to its body, or leave this success out`,
      );
    const names = [...new Set([...nonNullRequiredNamesOf(body.schema), ...creations.map(({ field }) => field)])];
    const requiredFields = names.map((name) => {
      if (isSafe(operation)) return name;
      const types = new Set(typesOf(properties.get(name))?.map((type) => (type === "null" ? "object" : type)));
      demand(
        !name.includes(" "),
        body.schema,
        `The client cannot check the required member "${name}"`,
        "Leave it out of required",
      );
      demand(
        properties.has(name),
        body.schema,
        `The client checks ${name}, which required lists and properties does not`,
        "Add it to properties, or leave it out of required",
      );
      demand(types.size > 0, body.schema, `The client checks ${name}, whose type is not stated`, "State its type");
      return `${[...types]}` === "string" ? name : [name, ...types].join(" ");
    });
    return names.length === 0 ? [] : [[success.key, requiredFields]];
  });
  return rows.length === 0 ? undefined : Object.fromEntries(rows);
}

function nonNullRequiredNamesOf(schema: SourceLocation): string[] {
  const properties = propertiesOf(schema);
  const names = schemasOfValue(schema, "allOf").flatMap((part) => part.texts("required"));
  return names.filter((name) => !typesOf(properties.get(name))?.includes("null"));
}

function isMessageOnly(operation: Operation): boolean {
  const successes = successesOf(operation);
  return successes.length > 0 && successes.every((success) => isMessage(bodyOf(success)?.schema));
}

/** An object with a text under `message` and nothing else, whatever its schema is called. */
function isMessage(schema: SourceLocation | undefined): boolean {
  if (schema === undefined || `${typesOf(schema)}` !== "object") return false;
  const properties = propertiesOf(schema);
  return properties.size === 1 && `${typesOf(properties.get("message"))}` === "string";
}
