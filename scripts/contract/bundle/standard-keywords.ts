/**
 * Adds standard keywords of OpenAPI and JSON Schema, for tools that ignore `x-` keys or infer nothing, and the texts of open questions
 * (`x-questions`).
 */
import {
  branchesOf,
  compositions,
  isRef,
  type JsonSchema,
  methods,
  type OpenApiDocument,
  type OpenQuestion,
  type OperationObject,
  type PathItemObject,
  type SourceLocation,
  schemasOfValue,
  subschemasOf,
} from "../model/index.ts";
import type { Publication } from "../sources/index.ts";
import { locateSchemas } from "./components.ts";

export function addStandardKeywords(document: OpenApiDocument, { questions, support }: Publication): void {
  const schemas = locateSchemas(document);
  for (const { value } of schemas) addAnyOfKnownValues(value as JsonSchema);
  addTypes(schemas);
  for (const [key, item] of Object.entries(document.webhooks ?? {})) {
    for (const method of methods) if (item[method] !== undefined) item[method] = { operationId: key, ...item[method] };
  }
  for (const item of Object.values(document.paths ?? {})) {
    for (const method of methods) addAddressToSummary(item[method], item.servers);
  }
  if (support !== null) document.info.contact = contactOf(support);
  const texts = questionTexts(document, questions);
  if (Object.keys(texts).length > 0) document["x-questions"] = texts;
}

/** The texts of the questions whose ids occur anywhere in `node`. */
export function questionTexts(
  node: object,
  questions: Record<string, Pick<OpenQuestion, "question" | "assumption">>,
): NonNullable<OpenApiDocument["x-questions"]> {
  const mentionedIds = new Set(JSON.stringify(node).match(/\bQ-[a-z0-9-]+/g));
  return Object.fromEntries(
    Object.entries(questions)
      .filter(([id]) => mentionedIds.has(id))
      .map(([id, { question, assumption }]) => [id, { question, assumption }]),
  );
}

function addAnyOfKnownValues(schema: JsonSchema): void {
  const knownValues = schema["x-open-enum"];
  if (knownValues === undefined) return;
  insertKeywords(schema, { anyOf: [{ type: "string", enum: Object.keys(knownValues) }, { type: "string" }] });
}

/** Many code generators ignore the servers of an operation or a path, so the summary names the address. */
function addAddressToSummary(operation: OperationObject | undefined, itemServers: PathItemObject["servers"]): void {
  const [server] = operation?.servers ?? itemServers ?? [];
  if (operation !== undefined && server !== undefined) operation.summary = `${operation.summary} (at ${server.url})`;
}

function addTypes(schemas: readonly SourceLocation[]): void {
  // If one part had a `type`, the value could no longer be null or have the types of other parts.
  const partsOfSeveralTypes = new Set(
    schemas
      .flatMap(partsThatStayUntyped)
      .flatMap((part) => [part, ...conditionsOf(part)])
      .map(({ value }) => value),
  );
  for (const schema of schemas) {
    const value = schema.value as JsonSchema;
    if (value.type !== undefined || isRef(value) || partsOfSeveralTypes.has(value)) continue;
    const type = impliedTypeOf(schema);
    if (type !== undefined) insertKeywords(value, { type });
  }
}

/** If the value can have several types, the schemas that describe it; otherwise empty. */
function partsThatStayUntyped(schema: SourceLocation): SourceLocation[] {
  const combined = schemasOfValue(schema, "allOf");
  if (combined.some(({ value }) => Array.isArray((value as JsonSchema | undefined)?.type)))
    return schemasOfValue(schema);
  const hasSeveralTypes = (choice: SourceLocation[]) => new Set(choice.map((branch) => impliedTypeOf(branch))).size > 1;
  const choices = combined.flatMap((part) => [branchesOf(part, "anyOf"), branchesOf(part, "oneOf")]);
  return choices.some(hasSeveralTypes) ? combined : [];
}

function conditionsOf(schema: SourceLocation): SourceLocation[] {
  return subschemasOf(schema).flatMap(({ role, schema: condition }) => (role === "condition" ? [condition] : []));
}

function impliedTypeOf(schema: SourceLocation, visitedIds: readonly string[] = []): JsonSchema["type"] {
  const { target } = schema;
  const value = (target.value ?? {}) as JsonSchema;
  if (value.type !== undefined) return value.type;
  if (value.properties !== undefined || value.required !== undefined) return "object";
  if (visitedIds.includes(target.id)) return undefined;
  const branches = subschemasOf(target).filter(({ keyword }) => (compositions as readonly string[]).includes(keyword));
  const types = branches.map((branch) => impliedTypeOf(branch.schema, [...visitedIds, target.id]));
  const [firstType] = types;
  return typeof firstType === "string" && types.every((type) => type === firstType) ? firstType : undefined;
}

/** Puts the keywords before the `x-` keys of the schema. */
function insertKeywords(schema: JsonSchema, keywords: JsonSchema): void {
  const marks = Object.entries(schema).filter(([key]) => key.startsWith("x-"));
  for (const [key] of marks) delete schema[key];
  Object.assign(schema, keywords, Object.fromEntries(marks));
}

function contactOf(support: string): { name: string; email: string } | { name: string; url: string } {
  const name = "Support";
  return support.startsWith("mailto:") ? { name, email: support.slice("mailto:".length) } : { name, url: support };
}
