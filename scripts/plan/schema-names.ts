/** What the validators of schemas are called, before they are compiled. */
import type { Body, Operation, Parameter, Place } from "../contract/index.ts";

/** Gives each schema that the mock needs the name of its validator. */
export interface SchemaNames {
  /** The validator that accepts everything. */
  readonly none: string;
  parameter(operation: Operation, parameter: Parameter): string;
  requestBody(operation: Operation, body: Body): string;
  /** A schema of the bundle, of an answer or a webhook. */
  schema(place: Place): string;
}

/** For a plan without validators. */
export const noSchemas: SchemaNames = { none: "", parameter: () => "", requestBody: () => "", schema: () => "" };
