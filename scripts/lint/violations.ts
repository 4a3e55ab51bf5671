/** What does not fit a schema, as a person should read it. */
import type { ErrorObject } from "ajv/dist/2020.js";
import type { Place } from "../contract/model/index.ts";

/** Something that does not fit a schema. */
export interface Violation {
  /** Where in the value. */
  place: Place;
  problem: string;
}

/** What an error of Ajv is about, and where in the value that is. */
export function toViolation(error: ErrorObject, value: Place): Violation {
  const { keyword, instancePath, propertyName, params, message } = error;
  const keys = keysOf(instancePath);
  const name = keys.length > 0 ? keys.join(".") : "it";
  const place = value.own(...keys);
  if (propertyName !== undefined) return { place: place.own(propertyName), problem: `"${propertyName}" ${message}` };
  switch (keyword) {
    case "unevaluatedProperties":
    case "additionalProperties": {
      const extra = params.unevaluatedProperty ?? params.additionalProperty;
      const problem = `${[...keys, extra].join(".")} is a property that the schema does not know`;
      return { place: place.own(extra), problem };
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

/**
 * The errors that a person has to correct. A value that matches no branch of a `oneOf` or `anyOf` fails in each of them;
 * only the errors of the branch with the fewest are kept.
 *
 * @param errors all errors of a validation.
 * @param errorsOf validates a value against a branch.
 */
export function essentialErrors(
  errors: ErrorObject[],
  errorsOf: (branch: object, value: unknown) => ErrorObject[],
): ErrorObject[] {
  const choice = errors.findLast(({ keyword, params }) => isChoice(keyword) && !params.passingSchemas);
  if (choice === undefined) return withoutConsequences(errors);
  const { instancePath, keyword, parentSchema, data } = choice;
  const branches: object[] = parentSchema?.[keyword] ?? [];
  const attempts = branches.map((branch) => errorsOf(branch, data));
  const closest = attempts.reduce((best, attempt) => (distance(attempt) < distance(best) ? attempt : best));
  const elsewhere = errors.filter((error) => !`${error.instancePath}/`.startsWith(`${instancePath}/`));
  return [
    ...(elsewhere.length > 0 ? essentialErrors(elsewhere, errorsOf) : []),
    ...essentialErrors(closest, errorsOf).map((error) => ({
      ...error,
      instancePath: instancePath + error.instancePath,
    })),
  ];
}

/** Whether a keyword chooses between schemas. */
export function isChoice(keyword: string): boolean {
  return keyword === "oneOf" || keyword === "anyOf";
}

/**
 * Leaves out errors that only follow from others: in a branch that fails, for example, no property counts as evaluated.
 */
export function withoutConsequences(errors: ErrorObject[]): ErrorObject[] {
  const causes = errors.filter(({ keyword }) => !["unevaluatedProperties", "if", "propertyNames"].includes(keyword));
  return causes.length > 0 ? causes : errors;
}

/** How far a value is from a schema. A constant that differs shows that another branch was meant. */
function distance(errors: ErrorObject[]): number {
  const wrongBranch = errors.filter(({ keyword }) => keyword === "const" || keyword === "enum" || keyword === "not");
  return 1000 * wrongBranch.length + errors.length;
}

/** The keys in a JSON pointer. */
function keysOf(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}
