import type { SchemaObject, TransformNodeOptions } from "openapi-typescript";
import ts from "typescript";
import type { JsonSchema } from "../../../contract/model/index.ts";
import { createReference, createUnion } from "./nodes.ts";

/**
 * For an amount of a request, a file or an open enum. Undefined for other schemas, which openapi-typescript translates.
 *
 * @param amountTypes the types of the amounts, by the name of their schema.
 */
export function transformSchema(
  schema: SchemaObject,
  { path }: TransformNodeOptions,
  amountTypes: ReadonlyMap<string, readonly string[]>,
): ts.TypeNode | undefined {
  const node = schema as JsonSchema;
  const typesOfAmount = path === undefined ? undefined : amountTypes.get(path.replace("#/components/schemas/", ""));
  if (typesOfAmount !== undefined) return createUnion(typesOfAmount.map(createReference));
  if (node.type === "string" && node.format === "binary") return createReference("FileUpload");
  const knownValues = node["x-open-enum"] as Record<string, unknown> | undefined;
  if (knownValues === undefined) return undefined;
  return createOpenUnion(Object.keys(knownValues), [node.type].flat().includes("null"));
}

/** `"A" | "B" | (string & Record<never, never>)`: any string, with completion for the known values, even inside `NonNullable`. */
function createOpenUnion(values: string[], isNullable: boolean): ts.TypeNode {
  const literals = [
    ...values.map((value) => ts.factory.createStringLiteral(value)),
    ...(isNullable ? [ts.factory.createNull()] : []),
  ].map((literal) => ts.factory.createLiteralTypeNode(literal));
  const never = ts.factory.createKeywordTypeNode(ts.SyntaxKind.NeverKeyword);
  const anyString = ts.factory.createIntersectionTypeNode([
    ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
    ts.factory.createTypeReferenceNode("Record", [never, never]),
  ]);
  return createUnion([...literals, ts.factory.createParenthesizedType(anyString)]);
}
