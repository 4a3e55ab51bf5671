/** The form of the schemas that the client carries. */

/** The type of a JSON value; an `integer` is a `number`. */
export type JsonType = "null" | "boolean" | "number" | "integer" | "string" | "array" | "object";

/**
 * A schema of the contract, reduced to what can be compared: keywords of JSON Schema, with the regular expression of a
 * format in place of its name. The generator refuses keywords that are not listed here.
 */
export interface Schema {
  readonly type?: JsonType | readonly JsonType[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: RegExp;
  readonly format?: RegExp;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly not?: Schema;
  readonly if?: Schema;
  readonly then?: Schema;
  readonly else?: Schema;
  /** The listed values of an open set, which accepts any other. */
  readonly known?: readonly string[];
  /** The open question that covers the schema. */
  readonly question?: string;
}
