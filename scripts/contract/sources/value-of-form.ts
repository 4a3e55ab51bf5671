import type { ErrorObject } from "ajv/dist/2020.js";
import { UsageError } from "../../base/index.ts";
import type { SourceLocation } from "../model/index.ts";
import { positionText, reportedPosition } from "./line-of.ts";
import { nameOf } from "./source-files.ts";
import { errorsOf } from "./validation.ts";
import { statementOf } from "./violations.ts";

export const text = { type: "string", minLength: 1 };
export const mapOf = (values: object) => ({ type: "object", additionalProperties: values });
export const listOf = (items: object) => ({ type: "array", items });
export const textList = listOf(text);
/** Has no other keys. */
export const mapWith = (required: object, optional: object = {}) => ({
  ...{ type: "object", required: Object.keys(required), additionalProperties: false },
  properties: { ...required, ...optional },
});

/** @throws {UsageError} with the file and line. */
export function refuse(location: SourceLocation, problem: string, remedy: string): never {
  const position = positionText(reportedPosition(location), { nameOf });
  throw new UsageError(`${position}: ${location.pointer} ${problem}. ${remedy}.`);
}

/**
 * @param schema JSON Schema. The `description` of a part tells what to write there.
 * @throws {UsageError} at the line of the first mistake; a key that is unknown comes before one that is missing.
 */
export function valueOfForm<Value>(location: SourceLocation, schema: object): Value {
  const errors = errorsOf(schema, location.value);
  const error = errors.find(({ keyword }) => keyword === "additionalProperties") ?? errors[0];
  if (error === undefined) return location.value as Value;
  const { location: place, keys, statement } = statementOf(error, location);
  const isUnknownKey = error.keyword === "additionalProperties";
  const position = positionText({ ...reportedPosition(place), ...(isUnknownKey && { reportOnKey: true }) }, { nameOf });
  const problem = error.data === null ? "has no value" : statement;
  const end = problem.endsWith("?") ? "" : ".";
  throw new UsageError(`${position}: ${location.child(...keys).pointer} ${problem}${end} ${remedyFor(error)}.`);
}

function remedyFor({ keyword, data, params, parentSchema }: ErrorObject): string {
  const { description, properties = {} } = (parentSchema ?? {}) as { description?: string; properties?: object };
  if (keyword === "additionalProperties") return `Use one of ${Object.keys(properties).join(", ")}`;
  if (keyword === "required") {
    const { [params.missingProperty]: missing } = properties as Record<string, { description?: string }>;
    return missing?.description === undefined ? "Add it" : `Write ${missing.description}`;
  }
  if (description !== undefined) return `Write ${description}`;
  return data === null ? "Complete it, or remove it" : "Correct it";
}
