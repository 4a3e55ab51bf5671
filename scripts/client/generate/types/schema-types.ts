import type { SchemaObject, TransformNodeOptions } from "openapi-typescript";
import ts from "typescript";
import type { JsonSchema } from "../../../contract/model/index.ts";
import { brandedSchemas } from "../operation-types.ts";
import { createReference, createUnion } from "./nodes.ts";

/** For an amount of a request, a file or an open enum. Undefined for other schemas, which openapi-typescript translates. */
export function transformSchema(schema: SchemaObject, { path }: TransformNodeOptions): ts.TypeNode | undefined {
  const node = schema as JsonSchema;
  const brandedTypes = path === undefined ? undefined : brandedSchemas.get(path.replace("#/components/schemas/", ""));
  if (brandedTypes !== undefined) return createUnion(brandedTypes.map(createReference));
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
  return createUnion([...literals, createReference("(string & Record<never, never>)")]);
}
