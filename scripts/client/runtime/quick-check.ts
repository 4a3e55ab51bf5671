/**
 * Recognises a body that deviates in nothing, which is what nearly all bodies do, without making anything in memory.
 * `conformance.ts` looks closer at every other one.
 */
import type { JsonType, Schema } from "./schema.ts";

/**
 * Whether a value certainly deviates in nothing from its schema, unlisted fields and values included.
 *
 * @returns false also where only a closer look can tell, for example for `if`.
 */
export function surelyConforms(schema: Schema, value: unknown): boolean {
  if (needsCloserLook(schema) || !hasType(schema, value) || !isListed(schema, value)) return false;
  if (schema.anyOf !== undefined && !schema.anyOf.some((branch) => surelyConforms(branch, value))) return false;
  if (schema.oneOf !== undefined && !conformsToOne(schema.oneOf, value)) return false;
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return fieldsConform(schema, value as Record<string, unknown>);
  }
  if (schema.allOf !== undefined && !schema.allOf.every((part) => surelyConforms(part, value))) return false;
  if (typeof value === "string") return hasTextForm(schema, value);
  if (typeof value === "number") return hasNumberForm(schema, value);
  return !Array.isArray(value) || listConforms(schema, value);
}

function needsCloserLook({ not, if: condition, additionalProperties, minProperties }: Schema): boolean {
  return (not ?? condition ?? additionalProperties ?? minProperties) !== undefined;
}

/** The JSON type of a value; every number is a `number`. */
export function typeOf(value: unknown): JsonType {
  return value === null ? "null" : Array.isArray(value) ? "array" : (typeof value as JsonType);
}

/** Whether a value has a type of the schema; every value has where none is given. */
function hasType({ type }: Schema, value: unknown): boolean {
  if (type === undefined) return true;
  const actual = typeOf(value);
  return typeof type === "string" ? type === actual : type.includes(actual);
}

function isListed({ const: only, enum: closed, known }: Schema, value: unknown): boolean {
  if (only !== undefined && only !== value) return false;
  if (closed !== undefined && !closed.includes(value)) return false;
  return known === undefined || typeof value !== "string" || known.includes(value);
}

/** Whether a value conforms to one branch and is of another type than all others. */
function conformsToOne(branches: readonly Schema[], value: unknown): boolean {
  let found = 0;
  for (const branch of branches) {
    if (branch.type === undefined || hasType(branch, value)) {
      if (!surelyConforms(branch, value)) return false;
      found += 1;
    }
  }
  return found === 1;
}

function hasTextForm({ pattern, format, minLength, maxLength }: Schema, text: string): boolean {
  if (minLength !== undefined || maxLength !== undefined) {
    const { length } = [...text];
    if (length < (minLength ?? 0) || length > (maxLength ?? Infinity)) return false;
  }
  return (pattern === undefined || pattern.test(text)) && (format === undefined || format.test(text));
}

function hasNumberForm(schema: Schema, value: number): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  if (minimum !== undefined && value < minimum) return false;
  if (maximum !== undefined && value > maximum) return false;
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) return false;
  return exclusiveMaximum === undefined || value < exclusiveMaximum;
}

function listConforms({ items, minItems = 0, maxItems = Infinity }: Schema, list: readonly unknown[]): boolean {
  if (list.length < minItems || list.length > maxItems) return false;
  return items === undefined || list.every((item) => surelyConforms(items, item));
}

/** An object of which nothing is known deviates from nothing; otherwise each of its fields must be listed. */
function fieldsConform(schema: Schema, fields: Record<string, unknown>): boolean {
  const { allOf, properties } = schema;
  // Which branch lists a field is for the closer look.
  if ((schema.anyOf ?? schema.oneOf) !== undefined || !hasRequired(schema, fields)) return false;
  if (allOf !== undefined && !allOf.every((part) => isPlainObject(part) && hasRequired(part, fields))) return false;
  if (allOf === undefined && properties === undefined) return true;
  for (const name of Object.keys(fields)) {
    let isListed = false;
    for (let part = -1; part < (allOf?.length ?? 0); part += 1) {
      const listed = part < 0 ? properties : allOf?.[part]?.properties;
      const property = listed !== undefined && Object.hasOwn(listed, name) ? listed[name] : undefined;
      if (property === undefined) continue;
      if (!surelyConforms(property, fields[name])) return false;
      isListed = true;
    }
    if (!isListed) return false;
  }
  return true;
}

function hasRequired({ required }: Schema, fields: Record<string, unknown>): boolean {
  return required === undefined || required.every((name) => Object.hasOwn(fields, name) && fields[name] !== undefined);
}

/** Whether a schema describes an object by its fields alone. */
function isPlainObject(schema: Schema): boolean {
  const { allOf, anyOf, oneOf, type, const: only, enum: closed } = schema;
  return type === "object" && (allOf ?? anyOf ?? oneOf ?? only ?? closed) === undefined && !needsCloserLook(schema);
}
