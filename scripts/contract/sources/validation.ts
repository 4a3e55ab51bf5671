/** JSON Schema, for the files beside the OpenAPI document and for lint. */
import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { SourceLocation } from "../model/index.ts";
import { isChoice, toViolation, type Violation, withoutDerivedErrors } from "./violations.ts";

export function createAjv(options: Options = {}): Ajv2020 {
  // strictTypes and strictRequired are off: with them, each branch of an `allOf` would have to repeat keywords of the others.
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allErrors: true,
    verbose: true,
    inlineRefs: false,
    // Each compiled function validates few values, so optimizing its code takes longer than it saves.
    code: { optimize: false },
    ...options,
  });
  addFormats.default(ajv);
  return ajv;
}

/** Shared by all lint runs of a process, because compiling the metaschema is slow. */
export const sharedAjv: Ajv2020 = createAjv();

export function resultOrError<Result>(run: () => Result): Result | Error {
  try {
    return run();
  } catch (error) {
    return error as Error;
  }
}

const compiledSchemas = new WeakMap<object, ValidateFunction | Error>();

/** Returns no violations if the schema does not compile: see {@link compileErrorOf}. */
export function violationsOf(schema: object, value: SourceLocation): Violation[] {
  if (compile(schema) instanceof Error) return [];
  return errorsOf(schema, value.value).map((error) => toViolation(error, value));
}

/** @throws {Error} if the schema does not compile. */
export function errorsOf(schema: object, value: unknown): ErrorObject[] {
  const validate = compile(schema);
  if (validate instanceof Error) throw validate;
  return validate(value) ? [] : withoutAlternatives(validate.errors ?? []);
}

export function compileErrorOf(schema: object): string | undefined {
  const validate = compile(schema);
  return validate instanceof Error ? validate.message : undefined;
}

function compile(schema: object): ValidateFunction | Error {
  const cachedResult = compiledSchemas.get(schema);
  if (cachedResult !== undefined) return cachedResult;
  const validate = resultOrError(() => sharedAjv.compile(schema));
  compiledSchemas.set(schema, validate);
  return validate;
}

/** If a `oneOf` or `anyOf` fails, returns a single error for it. Otherwise, leaves out errors that follow from others. */
function withoutAlternatives(errors: ErrorObject[]): ErrorObject[] {
  const choiceError = errors.findLast(({ keyword }) => isChoice(keyword));
  return choiceError === undefined
    ? withoutDerivedErrors(errors)
    : [{ ...choiceError, message: "has none of its permitted forms" }];
}
