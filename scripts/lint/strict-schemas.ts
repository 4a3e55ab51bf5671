/** Compiles schemas of the contract with Ajv (2020-12, strict), and refuses unlisted properties. */
import type { ErrorObject, ValidateFunction } from "ajv/dist/2020.js";
import {
  branchesOf,
  isApplicator,
  isRef,
  type Role,
  type SourceLocation,
  subschemasUnder,
  walkSchema,
} from "../contract/model/index.ts";
import { attempt, createAjv, sharedAjv } from "./forms.ts";
import { essentialErrors, toViolation, type Violation } from "./violations.ts";

/** Keywords of OpenAPI that do not affect validity. */
const annotations = new Set(["discriminator", "xml", "externalDocs", "example"]);

/**
 * How a schema is closed against unlisted properties. `whole`: the schema describes a whole value, and is closed. `branch`: it describes a
 * value together with other schemas, so only nested values are closed. `condition`: nothing is closed, since that would change which case
 * applies.
 */
type Closing = "whole" | "branch" | "condition";

const closingOf: Record<Role, Closing> = { part: "whole", same: "branch", condition: "condition" };

/** Compiles the schemas of one contract, and validates values with them. */
export class StrictSchemas {
  // The metaschema is compiled in `sharedAjv` only.
  readonly #ajv = createAjv({ meta: false, validateSchema: false });
  /** Compiled schemas by node. */
  readonly #compiled = new Map<string, ValidateFunction | Error>();
  /** The names of referenced schemas in Ajv, by node and closing. */
  readonly #names = new Map<string, string>();

  /**
   * The violations of a schema by a value, unlisted properties included.
   *
   * @returns undefined when the schema itself does not compile: see {@link StrictSchemas.compileErrors}.
   */
  violations(schema: SourceLocation, value: SourceLocation): Violation[] | undefined {
    const validate = this.#compile(schema);
    if (validate instanceof Error) return undefined;
    if (validate(value.value)) return [];
    const errors = essentialErrors(validate.errors ?? [], (branch, data) => this.#errorsOf(branch, data));
    return errors.map((error) => toViolation(error, value));
  }

  /** Why a schema does not compile; empty when it does. */
  compileErrors(schema: SourceLocation): Violation[] {
    const validate = this.#compile(schema);
    if (!(validate instanceof Error)) return [];
    const found: Violation[] = [];
    walkSchema(schema, (location) => {
      const problem = this.#compileErrorOf(location);
      if (problem !== undefined) found.push({ location, problem });
    });
    return found.length > 0 ? found : [{ location: schema, problem: validate.message }];
  }

  #compile(schema: SourceLocation): ValidateFunction | Error {
    const location = isPlainRef(schema) ? schema.target : schema;
    const known = this.#compiled.get(location.id);
    if (known !== undefined) return known;
    const validate = attempt(() => this.#ajv.compile(assertSchema(this.#translate(schema, "whole"))));
    this.#compiled.set(location.id, validate);
    return validate;
  }

  /** The schema for Ajv: references by name, without `x-` keys, closed. */
  #translate(schema: SourceLocation, closing: Closing): unknown {
    if (typeof schema.value !== "object" || schema.value === null) return schema.value;
    const translated: Record<string, unknown> = {};
    for (const [keyword, value] of Object.entries(schema.value)) {
      if (keyword.startsWith("x-") || annotations.has(keyword)) continue;
      if (keyword === "$ref") translated.$ref = this.#nameOf(schema.target, innerClosing("same", closing));
      else translated[keyword] = isApplicator(keyword) ? this.#translateUnder(schema, keyword, closing) : value;
    }
    if (closing === "whole" && mayBeObject(schema)) translated.unevaluatedProperties ??= false;
    return translated;
  }

  /** The value of a keyword with schemas: a schema, a list, or schemas by name. */
  #translateUnder(schema: SourceLocation, keyword: string, closing: Closing): unknown {
    const holder = schema.own(keyword);
    const entries = subschemasUnder(schema, keyword).map(({ schema: inner, role }) => {
      return { inner, translated: this.#translate(inner, innerClosing(role, closing)) };
    });
    if (Array.isArray(holder.value)) return entries.map(({ translated }) => translated);
    const [first] = entries;
    if (first?.inner.id === holder.id) return first.translated;
    return Object.fromEntries(entries.map(({ inner, translated }) => [inner.key, translated]));
  }

  /** The name of a referenced schema in Ajv. */
  #nameOf(schema: SourceLocation, closing: Closing): string {
    const id = `${schema.id} ${closing}`;
    const known = this.#names.get(id);
    if (known !== undefined) return known;
    const name = `schema-${this.#names.size}`;
    this.#names.set(id, name);
    this.#ajv.addSchema(assertSchema(this.#translate(schema, closing)), name);
    return name;
  }

  #errorsOf(schema: object, value: unknown): ErrorObject[] {
    const validate = this.#ajv.compile(schema);
    return validate(value) ? [] : (validate.errors ?? []);
  }

  /** Why a schema does not compile even without its subschemas; undefined when it does. */
  #compileErrorOf(schema: SourceLocation): string | undefined {
    const own = Object.entries(schema.value as object).filter(
      ([keyword]) =>
        keyword !== "$ref" && !keyword.startsWith("x-") && !annotations.has(keyword) && !isApplicator(keyword),
    );
    const result = attempt(() => this.#ajv.compile(assertSchema(Object.fromEntries(own))));
    return result instanceof Error ? result.message : undefined;
  }
}

function innerClosing(role: Role, outer: Closing): Closing {
  return outer === "condition" ? "condition" : closingOf[role];
}

/** Whether the schema constrains objects. `{}` does not, and stays open. */
function mayBeObject(schema: SourceLocation, seen = new Set<string>()): boolean {
  if (typeof schema.value !== "object" || schema.value === null || seen.has(schema.id)) return false;
  seen.add(schema.id);
  const type = schema.own("type").value;
  if (type !== undefined) return [type].flat().includes("object");
  if (schema.own("properties").exists) return true;
  if (schema.target.id !== schema.id && mayBeObject(schema.target, seen)) return true;
  return branchesOf(schema).some((branch) => mayBeObject(branch, seen));
}

/**
 * Returns the schema if it is valid.
 *
 * @throws {Error} when it does not match the metaschema of JSON Schema 2020-12.
 */
function assertSchema(schema: unknown): object {
  if (sharedAjv.validateSchema(schema as object)) return schema as object;
  throw new Error(sharedAjv.errorsText(sharedAjv.errors, { dataVar: "it" }));
}

function isPlainRef({ value }: SourceLocation): boolean {
  return isRef(value) && Object.keys(value).length === 1;
}
