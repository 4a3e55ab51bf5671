import type { ErrorObject } from "ajv/dist/2020.js";
import { didYouMean } from "../../base/index.ts";
import type { SourceLocation } from "../model/index.ts";

export interface Violation {
  location: SourceLocation;
  problem: string;
}

export function toViolation(
  error: ErrorObject,
  value: SourceLocation,
  nameOf = (keys: string[]) => keys.join(".") || "it",
): Violation {
  const { keyword, instancePath, propertyName, params, message, parentSchema } = error;
  const keys = keysOf(instancePath);
  const name = nameOf(keys);
  const location = value.child(...keys);
  const requirement = keyword === "enum" ? `must be one of ${params.allowedValues.join(", ")}` : message;
  if (propertyName !== undefined)
    return { location: location.child(propertyName), problem: `"${propertyName}" ${requirement}` };
  switch (keyword) {
    case "unevaluatedProperties":
    case "additionalProperties": {
      const extraName = params.unevaluatedProperty ?? params.additionalProperty;
      const suggestion = didYouMean(extraName, Object.keys(parentSchema?.properties ?? {}));
      const problem = `${nameOf([...keys, extraName])} is not a property of the schema${suggestion && `.${suggestion}`}`;
      return { location: location.child(extraName), problem };
    }
    case "required":
      return { location, problem: `${nameOf([...keys, params.missingProperty])} is missing` };
    case "const":
      return { location, problem: `${name} must be ${JSON.stringify(params.allowedValue)}` };
    case "false schema":
      return { location, problem: `${name} is not allowed` };
    default:
      return { location, problem: `${name} ${requirement}` };
  }
}

/** If a value matches no branch of a `oneOf` or `anyOf`, keeps only the errors of the branch that it matches best. */
export function essentialErrors(
  errors: ErrorObject[],
  errorsOf: (branch: object, value: unknown) => ErrorObject[],
): ErrorObject[] {
  const choiceError = errors.findLast(({ keyword, params }) => isChoice(keyword) && !params.passingSchemas);
  if (choiceError === undefined) return withoutDerivedErrors(errors);
  const { instancePath, keyword, parentSchema, data } = choiceError;
  const branches = parentSchema?.[keyword] as object[];
  const branchErrors = branches.map((branch) => errorsOf(branch, data));
  const closestErrors = branchErrors.reduce((best, errors) => (distance(errors) < distance(best) ? errors : best));
  const otherErrors = errors.filter((error) => !`${error.instancePath}/`.startsWith(`${instancePath}/`));
  return [
    ...essentialErrors(otherErrors, errorsOf),
    ...essentialErrors(closestErrors, errorsOf).map((error) => ({
      ...error,
      instancePath: instancePath + error.instancePath,
    })),
  ];
}

export function isChoice(keyword: string): boolean {
  return keyword === "oneOf" || keyword === "anyOf";
}

/**
 * Removes errors that can be consequences of others, unless there are no others. For example, if a branch fails, Ajv also reports its
 * properties as unevaluated.
 */
export function withoutDerivedErrors(errors: ErrorObject[]): ErrorObject[] {
  const causes = errors.filter(({ keyword }) => !["unevaluatedProperties", "if", "propertyNames"].includes(keyword));
  return causes.length > 0 ? causes : errors;
}

/** The number of errors. Errors of `const`, `enum` or `not` count most, because they show that another branch was meant. */
function distance(errors: ErrorObject[]): number {
  const literalErrors = errors.filter(({ keyword }) => ["const", "enum", "not"].includes(keyword));
  return 1000 * literalErrors.length + errors.length;
}

function keysOf(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}
