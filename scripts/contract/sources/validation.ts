/** JSON Schema, for the files beside the OpenAPI document and for lint. */
import type { ErrorObject } from "ajv/dist/2020.js";
import { resultOrError } from "../../base/index.ts";
import { createValidator, type Validator } from "../../base/json-schema/index.ts";
import type { SourceLocation } from "../model/index.ts";
import { toViolation, type Violation } from "./violations.ts";

const validators = new WeakMap<object, Validator | Error>();

/** Returns no violations if the schema does not compile: see {@link compileErrorOf}. */
export function violationsOf(schema: object, value: SourceLocation): Violation[] {
  if (validatorOf(schema) instanceof Error) return [];
  return errorsOf(schema, value.value).map((error) => toViolation(error, value));
}

/** @throws {Error} if the schema does not compile. */
export function errorsOf(schema: object, value: unknown): ErrorObject[] {
  const validator = validatorOf(schema);
  if (validator instanceof Error) throw validator;
  return validator(value);
}

export function compileErrorOf(schema: object): string | undefined {
  const validator = validatorOf(schema);
  return validator instanceof Error ? validator.message : undefined;
}

/** Each schema has its own Ajv, because an Ajv keeps everything that it has compiled. */
function validatorOf(schema: object): Validator | Error {
  const cachedResult = validators.get(schema);
  if (cachedResult !== undefined) return cachedResult;
  const validator = resultOrError(() => createValidator(schema));
  validators.set(schema, validator);
  return validator;
}
