/**
 * Ajv as lint uses it, and the forms of what OpenAPI does not describe: the registers, the P-codes and the values of
 * `x-` keys. Their schemas are used as they are, without being closed.
 */
import { join } from "node:path";
import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Place } from "../contract/model/index.ts";
import { readYaml } from "../contract/sources/index.ts";
import { isChoice, toViolation, type Violation, withoutConsequences } from "./violations.ts";

/** An Ajv for JSON Schema 2020-12: strict mode, formats checked, all errors. */
export function createAjv(options: Options = {}): Ajv2020 {
  // strictTypes and strictRequired demand in each schema what, with allOf, another one states.
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allErrors: true,
    verbose: true,
    inlineRefs: false,
    // Each function judges few values: to shorten its code takes longer than to run it.
    code: { optimize: false },
    ...options,
  });
  addFormats.default(ajv);
  return ajv;
}

/** Shared by all lints of a process, since compiling the metaschema takes longer than all else. */
export const sharedAjv: Ajv2020 = createAjv();

/** Every keyword that says something about values of some types only, with these types. */
export const keywordsOfTypes: ReadonlyMap<string, readonly string[]> = (() => {
  const found = new Map<string, string[]>();
  for (const { type, rules } of sharedAjv.RULES.rules) {
    if (type === undefined) continue;
    const types = type === "number" ? ["number", "integer"] : [type];
    for (const { keyword } of rules) found.set(keyword, [...(found.get(keyword) ?? []), ...types]);
  }
  return found;
})();

/** What a function returns, or the error that it throws. */
export function attempt<Result>(run: () => Result): Result | Error {
  try {
    return run();
  } catch (error) {
    return error as Error;
  }
}

const compiled = new WeakMap<object, ValidateFunction | Error>();

/**
 * A schema that editors use as well, by the name of its file in `schemas/`. What it says about `x-` keys is meant for
 * editors and left out: the rules judge these by extensions.yaml, wherever they stand.
 */
export function readSchema(
  name: "errors" | "extensions" | "open-questions" | "openapi" | "probes" | "resources" | "scenario",
): object {
  const schema = readYaml(join(import.meta.dirname, `schemas/${name}.schema.yaml`), "The schema");
  return JSON.parse(JSON.stringify(schema), (key, value) => (key.startsWith("x-") ? true : value)) as object;
}

/** What in a value violates a schema. Nothing, when the schema does not compile: see {@link compileErrorOf}. */
export function violationsOf(schema: object, value: Place): Violation[] {
  const validate = compile(schema);
  if (validate instanceof Error || validate(value.value)) return [];
  return withoutAlternatives(validate.errors ?? []).map((error) => toViolation(error, value));
}

/** Why a schema does not compile, undefined when it does. */
export function compileErrorOf(schema: object): string | undefined {
  const validate = compile(schema);
  return validate instanceof Error ? validate.message : undefined;
}

function compile(schema: object): ValidateFunction | Error {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const validate = attempt(() => sharedAjv.compile(schema));
  compiled.set(schema, validate);
  return validate;
}

/** A value that has none of several forms is one error, however many forms there are. */
function withoutAlternatives(errors: ErrorObject[]): ErrorObject[] {
  const choice = errors.findLast(({ keyword }) => isChoice(keyword));
  return choice === undefined
    ? withoutConsequences(errors)
    : [{ ...choice, message: "has none of the forms that it can have" }];
}
