/** What the schemas say about the members that `x-lookup` compares. */
import type { ComparedKind, JsonSchema } from "./document.ts";
import type { LookupRecords } from "./extensions.ts";
import type { Operation, Subject } from "./model.ts";
import { propertiesOf, type Visit, walkSchema } from "./schemas.ts";
import type { SourceLocation } from "./source-location.ts";

/** One schema for each media type. */
export function bodySchemasOf({ requestBody }: Subject): SourceLocation[] {
  return (requestBody?.bodies ?? []).map(({ schema }) => schema);
}

export function requestSchemasOf(operation: Operation): SourceLocation[] {
  return [...operation.parameters.map(({ schema }) => schema), ...bodySchemasOf(operation)];
}

/** The schemas of the items of the response bodies; any other body counts as one item. */
export function recordSchemasOf(
  operations: readonly Operation[],
  { listOperationId }: LookupRecords,
): SourceLocation[] {
  const list = operations.find(({ operationId }) => operationId === listOperationId);
  return (list?.responses ?? []).flatMap(({ bodies }) =>
    bodies.map(({ schema }) => {
      const items = schema.at("items");
      return items.exists ? items : schema;
    }),
  );
}

/**
 * The request schemas of all operations whose lookup has the webhook. Some requests lack a member of the event: a payment of the partner
 * itself names no user. The request of another operation then shows what the member contains.
 */
export function reportedSchemasOf(operations: readonly Operation[], webhook: Subject): SourceLocation[] {
  return operations.filter(({ lookup }) => lookup?.webhook?.name === webhook.name).flatMap(bodySchemasOf);
}

/** The schemas of the member in those of `schemas` that have it. @param path names separated by slashes. */
export function memberSchemasAt(schemas: readonly SourceLocation[], path: string): SourceLocation[] {
  return path
    .split("/")
    .reduce((parents, name) => parents.flatMap((parent) => propertiesOf(parent).get(name) ?? []), [...schemas]);
}

/** The kinds of value in the schemas of two compared members. Empty for plain texts. Two kinds are a mistake in the contract. */
export function comparedKindsOf(schemas: readonly SourceLocation[]): ComparedKind[] {
  const kinds = new Set<ComparedKind>();
  const addKinds = ({ value }: SourceLocation, { path }: Visit): undefined | false => {
    if (path.length > 0) return false;
    const { "x-compared-as": kind, type } = value as JsonSchema;
    if (kind !== undefined) kinds.add(kind);
    if ([type].flat().includes("number")) kinds.add("amount");
    return undefined;
  };
  for (const schema of schemas) walkSchema(schema, addKinds, { includesConditions: false });
  return [...kinds];
}
