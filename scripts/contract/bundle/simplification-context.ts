import { type JsonSchema, type OpenApiDocument, pointerOf, visitObjects } from "../model/index.ts";
import { type ExampleTypes, valueTypeOf } from "./inline-examples.ts";
import { RefusedSchema } from "./refused-schema.ts";

/**
 * The types in examples and the pointer of a refused schema are looked up by object identity. So a parameter `schema` beside a context is
 * always an object of `document`, which does not change. The part that is already simplified is another parameter, such as `base`.
 */
export interface Context {
  readonly document: OpenApiDocument;
  readonly exampleTypes: ExampleTypes;
  /** References whose targets are being copied now. */
  readonly openReferences?: readonly string[];
}

export function isInExamples(type: JsonSchema["type"], schema: JsonSchema, { exampleTypes }: Context): boolean {
  return exampleTypes.get(schema)?.has(valueTypeOf(type)) === true;
}

export function refuseSchema(problem: string, remedy: string, schema: JsonSchema, context: Context): never {
  throw new RefusedSchema(pointerTo(schema, context), { problem, remedy });
}

export function pointerTo(schema: JsonSchema, { document }: Context): string {
  let pointer = "";
  visitObjects(document, (object, path) => {
    if (object === schema) pointer = pointerOf(path);
  });
  return pointer;
}
