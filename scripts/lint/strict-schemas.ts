/** Compiles schemas of the contract with Ajv (2020-12, strict), where they stand, with extra properties refused. */
import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { isRef } from "../contract/document.ts";
import type { Place } from "./place.ts";
import { branchesOf, walkSchemas } from "./walk-schema.ts";

/** Something that does not fit a schema. */
export interface Misfit {
  /** Where in the value. */
  place: Place;
  problem: string;
}

/** Keywords of OpenAPI that say nothing about validity. */
const annotations = new Set(["discriminator", "xml", "externalDocs", "example"]);
const schemaLists = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const schemaMaps = new Set(["properties", "patternProperties", "dependentSchemas", "$defs"]);
const schemas = new Set([
  ...["items", "contains", "additionalProperties", "propertyNames", "unevaluatedItems", "unevaluatedProperties"],
  ...["not", "if", "then", "else"],
]);
const conditions = new Set(["not", "if", "contains"]);
/** Keywords whose schemas judge a part of the value, which is closed on its own. */
const parts = new Set(["properties", "patternProperties", "items", "prefixItems", "additionalProperties"]);

/**
 * How a schema is closed against extra properties: `whole`, it describes a whole value and is closed; `branch`, it
 * describes a value together with others, and only the parts of the value are closed; `condition`, nothing is, since
 * closing would change which case applies.
 */
type Closing = "whole" | "branch" | "condition";

/** Shared by all lints of a process, since compiling the metaschema takes longer than all else. */
export const sharedAjv = createAjv();

export class StrictSchemas {
  // The metaschema is left to `sharedAjv`.
  readonly #ajv = createAjv({ meta: false, validateSchema: false });
  readonly #validators = new Map<string, ValidateFunction | Error>();
  /** The same by the text of the schema: many answers have the same codes. */
  readonly #validatorsByText = new Map<string, ValidateFunction | Error>();
  readonly #names = new Map<string, string>();

  /**
   * What of a value does not fit a schema, extra properties included.
   *
   * @returns undefined when the schema itself cannot be compiled: see {@link StrictSchemas.faults}.
   */
  misfits(schema: Place, value: Place): Misfit[] | undefined {
    const validate = this.#compile(schema);
    if (validate instanceof Error) return undefined;
    if (validate(value.value)) return [];
    return this.#explain(validate.errors ?? []).map((error) => toMisfit(error, value));
  }

  /** Why a schema cannot be compiled; nothing when it can. */
  faults(schema: Place): Misfit[] {
    const validate = this.#compile(schema);
    if (!(validate instanceof Error)) return [];
    const found: Misfit[] = [];
    walkSchemas([schema], (place) => {
      const fault = this.#faultOf(place);
      if (fault !== undefined) found.push({ place, problem: fault });
    });
    return found.length > 0 ? found : [{ place: schema, problem: validate.message }];
  }

  #compile(schema: Place): ValidateFunction | Error {
    const place = isPlainRef(schema) ? schema.target : schema;
    const known = this.#validators.get(place.id);
    if (known !== undefined) return known;
    const validate = this.#compileText(attempt(() => assertSchema(this.#translate(schema, "whole"))));
    this.#validators.set(place.id, validate);
    return validate;
  }

  #compileText(translated: object | Error): ValidateFunction | Error {
    if (translated instanceof Error) return translated;
    const text = JSON.stringify(translated);
    const validate = this.#validatorsByText.get(text) ?? attempt(() => this.#ajv.compile(translated));
    this.#validatorsByText.set(text, validate);
    return validate;
  }

  /** The schema as Ajv takes it: references by name, `x-` keys left out, closed. */
  #translate(schema: Place, closing: Closing): unknown {
    if (typeof schema.value !== "object" || schema.value === null) return schema.value;
    const translated: Record<string, unknown> = {};
    for (const [keyword, value] of Object.entries(schema.value)) {
      if (keyword.startsWith("x-") || annotations.has(keyword)) continue;
      const place = schema.own(keyword);
      const inner = innerClosing(keyword, closing);
      if (keyword === "$ref") translated.$ref = this.#nameOf(schema.target, inner);
      else if (schemaLists.has(keyword))
        translated[keyword] = place.items().map((item) => this.#translate(item, inner));
      else if (schemaMaps.has(keyword)) translated[keyword] = this.#translateMap(place, inner);
      else if (schemas.has(keyword)) translated[keyword] = this.#translate(place, inner);
      else translated[keyword] = value;
    }
    if (closing === "whole" && mayBeObject(schema)) translated.unevaluatedProperties ??= false;
    return translated;
  }

  #translateMap(map: Place, closing: Closing): Record<string, unknown> {
    return Object.fromEntries(map.entries().map(([key, schema]) => [key, this.#translate(schema, closing)]));
  }

  /** The name under which Ajv knows a schema that others refer to. */
  #nameOf(schema: Place, closing: Closing): string {
    const id = `${schema.id} ${closing}`;
    const known = this.#names.get(id);
    if (known !== undefined) return known;
    const name = `schema-${this.#names.size}`;
    this.#names.set(id, name);
    this.#ajv.addSchema(assertSchema(this.#translate(schema, closing)), name);
    return name;
  }

  /**
   * The errors that a person wants to see. A value that fits no branch of a `oneOf` fails in each of them; told are the
   * errors of the branch that it comes closest to.
   */
  #explain(errors: ErrorObject[]): ErrorObject[] {
    const choice = errors.findLast(({ keyword, params }) => isChoice(keyword) && !params.passingSchemas);
    if (choice === undefined) return withoutConsequences(errors);
    const { instancePath, keyword, parentSchema, data } = choice;
    const branches: object[] = parentSchema?.[keyword] ?? [];
    const attempts = branches.map((branch) => this.#errorsOf(branch, data));
    const closest = attempts.reduce((best, attempt) => (distance(attempt) < distance(best) ? attempt : best));
    const elsewhere = errors.filter((error) => !`${error.instancePath}/`.startsWith(`${instancePath}/`));
    return [
      ...(elsewhere.length > 0 ? this.#explain(elsewhere) : []),
      ...this.#explain(closest).map((error) => ({ ...error, instancePath: instancePath + error.instancePath })),
    ];
  }

  #errorsOf(schema: object, value: unknown): ErrorObject[] {
    const validate = this.#ajv.compile(schema);
    return validate(value) ? [] : (validate.errors ?? []);
  }

  /** What is wrong with a schema itself, the schemas in it left aside. */
  #faultOf(schema: Place): string | undefined {
    const own = Object.entries(schema.value as object).filter(
      ([keyword]) => !keyword.startsWith("x-") && !annotations.has(keyword) && !isStructural(keyword),
    );
    const result = attempt(() => this.#ajv.compile(assertSchema(Object.fromEntries(own))));
    return result instanceof Error ? result.message : undefined;
  }
}

/** Ajv as this project uses it everywhere: 2020-12, strict, formats checked, all errors. */
export function createAjv(options: Options = {}): Ajv2020 {
  // strictTypes and strictRequired ask of each schema what, with allOf, another one states.
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allErrors: true,
    verbose: true,
    inlineRefs: false,
    ...options,
  });
  addFormats.default(ajv);
  return ajv;
}

/** What an error of Ajv is about, and where in the value that is. */
export function toMisfit({ keyword, instancePath, propertyName, params, message }: ErrorObject, value: Place): Misfit {
  const keys = instancePath
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
  const name = keys.length > 0 ? keys.join(".") : "it";
  const place = value.own(...keys);
  if (propertyName !== undefined) return { place: place.own(propertyName), problem: `"${propertyName}" ${message}` };
  switch (keyword) {
    case "unevaluatedProperties":
    case "additionalProperties": {
      const extra = params.unevaluatedProperty ?? params.additionalProperty;
      return {
        place: place.own(extra),
        problem: `${[...keys, extra].join(".")} is a property that the schema does not know`,
      };
    }
    case "required":
      return { place, problem: `${[...keys, params.missingProperty].join(".")} is missing` };
    case "enum":
      return { place, problem: `${name} must be one of ${params.allowedValues.join(", ")}` };
    case "const":
      return { place, problem: `${name} must be ${JSON.stringify(params.allowedValue)}` };
    case "false schema":
      return { place, problem: `${name} must not be there` };
    default:
      return { place, problem: `${name} ${message}` };
  }
}

function innerClosing(keyword: string, outer: Closing): Closing {
  if (outer === "condition" || conditions.has(keyword)) return "condition";
  return parts.has(keyword) ? "whole" : "branch";
}

/** Whether objects can fit a schema that says something about them. `{}`, which says nothing, stays open. */
function mayBeObject(schema: Place, seen = new Set<string>()): boolean {
  if (typeof schema.value !== "object" || schema.value === null || seen.has(schema.id)) return false;
  seen.add(schema.id);
  const type = schema.own("type").value;
  if (type !== undefined) return [type].flat().includes("object");
  if (schema.own("properties").exists) return true;
  if (schema.target.id !== schema.id && mayBeObject(schema.target, seen)) return true;
  return branchesOf(schema).some((branch) => mayBeObject(branch, seen));
}

/**
 * The schema, if it is one.
 *
 * @throws {Error} when the metaschema of JSON Schema 2020-12 refuses it.
 */
function assertSchema(schema: unknown): object {
  if (sharedAjv.validateSchema(schema as object)) return schema as object;
  throw new Error(sharedAjv.errorsText(sharedAjv.errors, { dataVar: "it" }));
}

/** Whether a keyword holds schemas or refers to one. */
function isStructural(keyword: string): boolean {
  return keyword === "$ref" || schemaLists.has(keyword) || schemaMaps.has(keyword) || schemas.has(keyword);
}

function isPlainRef({ value }: Place): boolean {
  return isRef(value) && Object.keys(value).length === 1;
}

export function isChoice(keyword: string): boolean {
  return keyword === "oneOf" || keyword === "anyOf";
}

/** Leaves out errors that only follow from others: a failed branch, say, evaluates no property. */
export function withoutConsequences(errors: ErrorObject[]): ErrorObject[] {
  const causes = errors.filter(({ keyword }) => !["unevaluatedProperties", "if", "propertyNames"].includes(keyword));
  return causes.length > 0 ? causes : errors;
}

/** How far a value is from a schema. A wrong constant says that another branch was meant. */
function distance(errors: ErrorObject[]): number {
  const wrongBranch = errors.filter(({ keyword }) => keyword === "const" || keyword === "enum" || keyword === "not");
  return 1000 * wrongBranch.length + errors.length;
}

/** What a function returns, or the error that it throws. */
export function attempt<Result>(run: () => Result): Result | Error {
  try {
    return run();
  } catch (error) {
    return error as Error;
  }
}
