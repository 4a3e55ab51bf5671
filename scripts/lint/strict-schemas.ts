/** Compiles the schemas so that they refuse unlisted properties. */
import { resultOrError } from "../base/index.ts";
import { assertSchema, createAjv, createValidator, type Validator } from "../base/json-schema/index.ts";
import {
  branchesOf,
  isApplicator,
  type Role,
  type SourceLocation,
  subschemasUnder,
  walkSchema,
} from "../contract/model/index.ts";
import { toViolation, type Violation } from "../contract/sources/index.ts";

/** Keywords of OpenAPI that do not affect validity. */
const annotationKeywords = new Set(["discriminator", "xml", "externalDocs", "example"]);

/**
 * Where a schema refuses unlisted properties. `whole`: in the value and in nested values. `branch`: only in nested values, because other
 * schemas can list properties of the value too. `condition`: nowhere, because a refusal would change whether the condition holds.
 */
type Closing = "whole" | "branch" | "condition";

const closingByRole: Record<Role, Closing> = { child: "whole", "in-place": "branch", condition: "condition" };

export class StrictSchemas {
  readonly #ajv = createAjv({ validateSchema: false });
  readonly #validators = new Map<string, Validator | Error>();
  readonly #names = new Map<string, string>();

  /** @returns undefined if the schema does not compile: see {@link StrictSchemas.compileErrors}. */
  violations(schema: SourceLocation, value: SourceLocation): Violation[] | undefined {
    const validator = this.#validatorOf(schema);
    return validator instanceof Error ? undefined : validator(value.value).map((error) => toViolation(error, value));
  }

  compileErrors(schema: SourceLocation): Violation[] {
    const validator = this.#validatorOf(schema);
    if (!(validator instanceof Error)) return [];
    const problems: Violation[] = [];
    walkSchema(schema, (location) => {
      const problem = this.#compileErrorOf(location);
      if (problem !== undefined) problems.push({ location, problem });
    });
    return problems.length > 0 ? problems : [{ location: schema, problem: validator.message }];
  }

  #validatorOf(schema: SourceLocation): Validator | Error {
    const cachedResult = this.#validators.get(schema.id);
    if (cachedResult !== undefined) return cachedResult;
    const validator = resultOrError(() => createValidator(this.#translate(schema, "whole"), this.#ajv));
    this.#validators.set(schema.id, validator);
    return validator;
  }

  #translate(schema: SourceLocation, closing: Closing): unknown {
    if (typeof schema.value !== "object") return schema.value;
    const translatedSchema: Record<string, unknown> = {};
    for (const [keyword, value] of Object.entries(schema.value as object)) {
      if (keyword.startsWith("x-") || annotationKeywords.has(keyword)) continue;
      if (keyword === "$ref") translatedSchema.$ref = this.#nameOf(schema.target, innerClosing("in-place", closing));
      else translatedSchema[keyword] = isApplicator(keyword) ? this.#translateUnder(schema, keyword, closing) : value;
    }
    if (closing === "whole" && describesObject(schema)) translatedSchema.unevaluatedProperties ??= false;
    return translatedSchema;
  }

  #translateUnder(schema: SourceLocation, keyword: string, closing: Closing): unknown {
    const holder = schema.child(keyword);
    const entries = subschemasUnder(schema, keyword).map(({ schema: inner, role }) => {
      return { inner, translated: this.#translate(inner, innerClosing(role, closing)) };
    });
    if (Array.isArray(holder.value)) return entries.map(({ translated }) => translated);
    const [firstEntry] = entries;
    if (firstEntry?.inner.id === holder.id) return firstEntry.translated;
    return Object.fromEntries(entries.map(({ inner, translated }) => [inner.key, translated]));
  }

  #nameOf(schema: SourceLocation, closing: Closing): string {
    const id = `${schema.id} ${closing}`;
    const cachedName = this.#names.get(id);
    if (cachedName !== undefined) return cachedName;
    const name = `schema-${this.#names.size}`;
    this.#names.set(id, name);
    this.#ajv.addSchema(assertSchema(this.#translate(schema, closing)), name);
    return name;
  }

  #compileErrorOf(schema: SourceLocation): string | undefined {
    const ownKeywords = Object.entries(schema.value as object).filter(
      ([keyword]) =>
        keyword !== "$ref" && !keyword.startsWith("x-") && !annotationKeywords.has(keyword) && !isApplicator(keyword),
    );
    const result = resultOrError(() => createValidator(Object.fromEntries(ownKeywords), this.#ajv));
    return result instanceof Error ? result.message : undefined;
  }
}

function innerClosing(role: Role, outerClosing: Closing): Closing {
  return outerClosing === "condition" ? "condition" : closingByRole[role];
}

/** Whether the schema describes objects, by `type` or `properties`. The schema `{}` does not, and must accept any property. */
function describesObject(schema: SourceLocation, visitedIds = new Set<string>()): boolean {
  if (visitedIds.has(schema.id)) return false;
  visitedIds.add(schema.id);
  const type = schema.child("type").value;
  if (type !== undefined) return [type].flat().includes("object");
  if (schema.child("properties").exists) return true;
  return [schema.target, ...branchesOf(schema)].some((other) => describesObject(other, visitedIds));
}
