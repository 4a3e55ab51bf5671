import type { ErrorObject } from "ajv/dist/2020.js";

type BranchErrorsOf = (branch: object | boolean, value: unknown) => ErrorObject[];

/** Leaves out errors that follow from others, and reduces those of a failed `oneOf` or `anyOf`: see {@link choiceErrors}. */
export function essentialErrors(errors: ErrorObject[], branchErrorsOf: BranchErrorsOf): ErrorObject[] {
  return withoutDerivedErrors(withoutBranchErrors(errors, branchErrorsOf));
}

function withoutBranchErrors(errors: ErrorObject[], branchErrorsOf: BranchErrorsOf): ErrorObject[] {
  const index = errors.findLastIndex(({ keyword }) => keyword === "oneOf" || keyword === "anyOf");
  const choiceError = errors[index];
  if (choiceError === undefined) return errors;
  const { keyword, parentSchema, params, data } = choiceError;
  const branches: (object | boolean)[] = parentSchema?.[keyword];
  // Ajv tries no other branch after a second one that the value matches.
  const triedBranches = branches.slice(0, (params.passingSchemas?.[1] ?? branches.length) + 1);
  const branchErrors = triedBranches.map((branch) => branchErrorsOf(branch, data));
  // Ajv lists the errors of the branches directly before that of the choice.
  const earlierErrors = errors.slice(0, index - branchErrors.flat().length);
  return [
    ...withoutBranchErrors(earlierErrors, branchErrorsOf),
    ...choiceErrors(
      choiceError,
      branchErrors.map((errors) => essentialErrors(errors, branchErrorsOf)),
    ),
    ...errors.slice(index + 1),
  ];
}

/** The errors of the branch that the value matches best, if that is clear; otherwise, one error of the choice. */
function choiceErrors(choiceError: ErrorObject, branchErrors: ErrorObject[][]): ErrorObject[] {
  if (choiceError.params.passingSchemas)
    return [{ ...choiceError, message: "has more than one of its permitted forms" }];
  const leastDistance = Math.min(...branchErrors.map(distance));
  const [closestErrors = [], ...otherErrors] = branchErrors.filter((errors) => distance(errors) === leastDistance);
  if (leastDistance < Number.POSITIVE_INFINITY && otherErrors.length === 0)
    return closestErrors.map((error) => ({ ...error, instancePath: choiceError.instancePath + error.instancePath }));
  if (leastDistance < Number.POSITIVE_INFINITY) return [{ ...choiceError, message: "has none of its permitted forms" }];
  const typeErrors = branchErrors.flatMap((errors) => errors.filter(isWrongType));
  const type = [...new Set(typeErrors.flatMap(({ params }) => params.type))];
  return [{ ...choiceError, keyword: "type", params: { type }, message: `must be ${type.join(" or ")}` }];
}

/**
 * Removes errors that can be consequences of others at or below the same value, unless there are no others. For example, if a branch
 * fails, Ajv also reports its properties as unevaluated.
 */
function withoutDerivedErrors(errors: ErrorObject[]): ErrorObject[] {
  const isDerivable = ({ keyword }: ErrorObject) => ["unevaluatedProperties", "if", "propertyNames"].includes(keyword);
  const causes = errors.filter((error) => !isDerivable(error));
  return errors.filter(
    (error) =>
      !isDerivable(error) || !causes.some((cause) => `${cause.instancePath}/`.startsWith(`${error.instancePath}/`)),
  );
}

/** The number of errors. Those that show that another branch was meant count most. */
function distance(errors: ErrorObject[]): number {
  if (errors.some(isWrongType)) return Number.POSITIVE_INFINITY;
  return 1000 * errors.filter(showsOtherBranch).length || errors.length;
}

function isWrongType({ keyword, instancePath }: ErrorObject): boolean {
  return keyword === "type" && instancePath === "";
}

/** If the value has none of the required properties, only the error of the first one counts. */
function showsOtherBranch({ keyword, instancePath, params, parentSchema, data }: ErrorObject): boolean {
  if (["const", "enum", "not"].includes(keyword)) return true;
  const required: string[] | undefined = parentSchema?.required;
  return (
    keyword === "required" &&
    instancePath === "" &&
    params.missingProperty === required?.[0] &&
    !required?.some((key) => Object.hasOwn(data as object, key))
  );
}
