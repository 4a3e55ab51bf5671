import type { SchemaError } from "../plan/plan.ts";

export interface BrokenRule {
  /** The names and indices that lead to the invalid value; empty for the whole value. */
  readonly path: readonly string[];
  /**
   * The violated requirement, such as `must be a text`. It contains no received value, but it can contain the name of an unknown member.
   */
  readonly rule: string;
  readonly keyword: string;
}

const choiceKeywords = ["anyOf", "oneOf"];

/**
 * In the order of the errors. The errors in all branches of an `anyOf` or `oneOf` become one rule. Errors of `if` are left out, because
 * `then` and `else` report their own errors.
 */
export function brokenRules(errors: readonly SchemaError[]): BrokenRule[] {
  let remainingErrors: SchemaError[] = [];
  const rules = new Map<SchemaError, BrokenRule>();
  for (const error of errors) {
    if (error.keyword === "if") continue;
    const branches = choiceKeywords.includes(error.keyword)
      ? remainingErrors.filter((remainingError) => isBranch(remainingError, error))
      : [];
    const branchRules = branches.flatMap((branch) => rules.get(branch) ?? []);
    remainingErrors = [...remainingErrors.filter((remainingError) => !branches.includes(remainingError)), error];
    rules.set(error, choiceKeywords.includes(error.keyword) ? mergeBranches(error, branchRules) : brokenRule(error));
  }
  return remainingErrors.flatMap((error) => rules.get(error) ?? []);
}

/**
 * Whether an error is in a branch of the `anyOf` or `oneOf` whose error is `choice`. Instance paths are compared too, because schema paths
 * restart at a `$ref`.
 */
function isBranch({ instancePath, schemaPath = "" }: SchemaError, choice: SchemaError): boolean {
  if (schemaPath.startsWith(`${choice.schemaPath}/`)) return true;
  return choice.instancePath !== "" && `${instancePath}/`.startsWith(`${choice.instancePath}/`);
}

function mergeBranches({ instancePath, keyword }: SchemaError, branchRules: readonly BrokenRule[]): BrokenRule {
  const path = pathOf(instancePath);
  const missingNames = branchRules
    .filter((branchRule) => branchRule.keyword === "required")
    .map((item) => item.path.at(-1));
  if (missingNames.length === branchRules.length && missingNames.length > 0) {
    return { path, keyword, rule: `${[...new Set(missingNames)].join(" or ")} is required` };
  }
  const rulesAtPath = branchRules
    .filter((branchRule) => branchRule.path.length === path.length)
    .map(({ rule }) => rule.replace(/^must /, ""));
  const rule =
    rulesAtPath.length === 0 ? "has none of the possible forms" : `must ${[...new Set(rulesAtPath)].join(", or ")}`;
  return { path, keyword, rule };
}

function brokenRule({ instancePath, keyword, message = "", params }: SchemaError): BrokenRule {
  const { missingProperty } = params as { missingProperty?: string };
  const path = pathOf(instancePath);
  if (missingProperty === undefined) return { path, keyword, rule: ruleTexts[keyword]?.(params) ?? message };
  return { path: [...path, missingProperty], keyword, rule: "is required" };
}

function pathOf(instancePath: string): string[] {
  return instancePath.split("/").filter((name) => name !== "");
}

const typeTexts: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  object: "an object",
  array: "a list",
  null: "null",
};

const formatTexts: Readonly<Record<string, string>> = {
  date: "a date, such as 2026-04-01",
  "date-time": "a time, such as 2026-04-01T07:00:00Z",
  email: "an e-mail address",
  uri: "a URL",
  uuid: "a UUID",
};

const formatCharacterCount = (limit: unknown) => `${limit} ${limit === 1 ? "character" : "characters"}`;

const ruleTexts: Readonly<Record<string, (params: Readonly<Record<string, unknown>>) => string | undefined>> = {
  type: ({ type }) =>
    `must be ${[type]
      .flat()
      .map((name) => typeTexts[String(name)] ?? name)
      .join(" or ")}`,
  enum: ({ allowedValues }) => `must be one of ${(allowedValues as unknown[]).join(", ")}`,
  const: ({ allowedValue }) => `must be ${JSON.stringify(allowedValue)}`,
  format: ({ format }) =>
    Object.hasOwn(formatTexts, String(format)) ? `must be ${formatTexts[String(format)]}` : undefined,
  pattern: ({ pattern }) => `must match the pattern ${pattern}`,
  minLength: ({ limit }) => `must have at least ${formatCharacterCount(limit)}`,
  maxLength: ({ limit }) => `must have at most ${formatCharacterCount(limit)}`,
  additionalProperties: ({ additionalProperty }) => `has a member ${additionalProperty}, which is not known`,
  unevaluatedProperties: ({ unevaluatedProperty }) => `has a member ${unevaluatedProperty}, which is not known`,
};
