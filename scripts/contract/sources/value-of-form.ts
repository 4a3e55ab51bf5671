import type { ErrorObject } from "ajv/dist/2020.js";
import { UsageError } from "../../base/index.ts";
import type { SourceLocation } from "../model/index.ts";
import { positionOf } from "./line-of.ts";
import { nameOf } from "./source-files.ts";
import { errorsOf } from "./validation.ts";
import { toViolation } from "./violations.ts";

export const text = { type: "string", minLength: 1 };
export const mapOf = (values: object) => ({ type: "object", additionalProperties: values });
export const listOf = (items: object) => ({ type: "array", items });
export const textList = listOf(text);
/** A map in which other keys are refused. */
export const mapWith = (required: object, optional: object = {}) => ({
  type: "object",
  required: Object.keys(required),
  additionalProperties: false,
  properties: { ...required, ...optional },
});

/** The problem and the remedy end without a full stop. */
export class RefusedValue extends UsageError {
  readonly location: SourceLocation;
  readonly problem: string;
  readonly remedy: string;

  constructor(location: SourceLocation, problem: string, remedy: string) {
    super(`${positionOf(location, { nameOf })}: ${problem}${problem.endsWith("?") ? "" : "."} ${remedy}.`);
    this.location = location;
    this.problem = problem;
    this.remedy = remedy;
  }
}

/** @throws {RefusedValue} */
export function refuse(location: SourceLocation, problem: string, remedy: string): never {
  throw new RefusedValue(location, `${location.pointer} ${problem}`, remedy);
}

/**
 * @param schema JSON Schema. The `description` of a part is the remedy: it says what to write there.
 * @throws {RefusedValue} at the line of the first mistake. An unknown key is reported first: it is often a missing key, misspelt.
 */
export function valueOfForm<Value>(location: SourceLocation, schema: object): Value {
  const errors = errorsOf(schema, location.value);
  const error = errors.find(({ keyword }) => keyword === "additionalProperties") ?? errors[0];
  if (error === undefined) return location.value as Value;
  const violation = toViolation(error, location, (keys) => location.child(...keys).pointer);
  if (error.data === null) refuse(violation.location, "has no value", remedyFor(error));
  throw new RefusedValue(violation.location, violation.problem, remedyFor(error));
}

/** Descriptions that begin with a capital letter are sentences for editors, which do not say what to write. */
const isInstruction = (description: string | undefined): description is string => /^[^A-Z]/.test(description ?? "");

function remedyFor({ keyword, data, params, parentSchema }: ErrorObject): string {
  const { description, properties = {} } = (parentSchema ?? {}) as { description?: string; properties?: object };
  if (keyword === "additionalProperties") return `Use one of ${Object.keys(properties).join(", ")}`;
  if (keyword === "required") {
    const { [params.missingProperty]: missing } = properties as Record<string, { description?: string }>;
    return isInstruction(missing?.description) ? `Write ${missing.description}` : "Add it";
  }
  if (isInstruction(description)) return `Write ${description}`;
  return data === null ? "Complete it, or remove it" : "Correct it";
}
