/** Validates documents, P-codes and values of `x-` keys. */
import { join } from "node:path";
import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { SourceLocation } from "../contract/model/index.ts";
import { readYaml } from "../contract/sources/index.ts";
import { isChoice, toViolation, type Violation, withoutDerivedErrors } from "./violations.ts";

export function createAjv(options: Options = {}): Ajv2020 {
  // strictTypes and strictRequired are off, because they would require each schema to repeat keywords of other schemas in its `allOf`.
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

/** The types to which a keyword applies. Keywords that apply to all types are not included. */
export const typesOfKeyword: ReadonlyMap<string, readonly string[]> = (() => {
  const typesByKeyword = new Map<string, string[]>();
  for (const { type, rules } of sharedAjv.RULES.rules) {
    if (type === undefined) continue;
    const types = type === "number" ? ["number", "integer"] : [type];
    for (const { keyword } of rules) typesByKeyword.set(keyword, [...(typesByKeyword.get(keyword) ?? []), ...types]);
  }
  return typesByKeyword;
})();

export function resultOrError<Result>(run: () => Result): Result | Error {
  try {
    return run();
  } catch (error) {
    return error as Error;
  }
}

const compiledSchemas = new WeakMap<object, ValidateFunction | Error>();

/** Reads a schema that accepts any value of an `x-` key, because lint checks these values against extensions.yaml. */
export function readSchema(
  name: "errors" | "extensions" | "open-questions" | "openapi" | "probes" | "resources" | "scenario",
): object {
  const schema = readYaml(join(import.meta.dirname, `schemas/${name}.schema.yaml`), "The schema");
  return JSON.parse(JSON.stringify(schema), (key, value) => (key.startsWith("x-") ? true : value)) as object;
}

/** Returns no violations if the schema does not compile: see {@link compileErrorOf}. */
export function violationsOf(schema: object, value: SourceLocation): Violation[] {
  const validate = compile(schema);
  if (validate instanceof Error || validate(value.value)) return [];
  return withoutAlternatives(validate.errors ?? []).map((error) => toViolation(error, value));
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

/** If a `oneOf` or `anyOf` fails, returns one error in place of all errors; otherwise, the errors that do not follow from others. */
function withoutAlternatives(errors: ErrorObject[]): ErrorObject[] {
  const choiceError = errors.findLast(({ keyword }) => isChoice(keyword));
  return choiceError === undefined
    ? withoutDerivedErrors(errors)
    : [{ ...choiceError, message: "has none of its permitted forms" }];
}
