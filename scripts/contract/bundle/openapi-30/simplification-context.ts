import type { JsonSchema, SourceLocation } from "../../model/index.ts";
import { type ExampleTypes, valueTypeOf } from "./inline-examples.ts";
import { RefusedSchema } from "./refused-schema.ts";

export interface Context {
  /** The root of the document. */
  readonly root: SourceLocation;
  readonly exampleTypes: ExampleTypes;
  /** The references whose targets are being copied. */
  readonly openReferences?: readonly string[];
}

export function isInExamples(type: JsonSchema["type"], schema: SourceLocation, { exampleTypes }: Context): boolean {
  return exampleTypes.get(schema.pointer)?.has(valueTypeOf(type)) === true;
}

export function refuseSchema(problem: string, remedy: string, { pointer }: SourceLocation): never {
  throw new RefusedSchema(pointer, { problem, remedy });
}
