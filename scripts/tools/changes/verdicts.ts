import type { Direction, FactValues } from "./element.ts";

export type Severity = "breaking" | "additive" | "editorial";

export interface Verdict {
  readonly severity: Severity;
  /** The change, then the consequence for partners. Continues a sentence that starts with the element: "is now required." */
  readonly sentence: string;
}

export const breaking = (sentence: string): Verdict => ({ severity: "breaking", sentence });
export const additive = (sentence: string): Verdict => ({ severity: "additive", sentence });
export const editorial = (sentence: string): Verdict => ({ severity: "editorial", sentence });

/** @returns undefined if the change does not concern partners. */
export type Rule<Value = unknown> = (
  before: Value | undefined,
  after: Value | undefined,
  direction: Direction,
) => Verdict | undefined;

export type Rules = { readonly [Name in keyof FactValues]: Rule<FactValues[Name]> };

export const breakingRule =
  <Value>(sentenceOf: (after: Value | undefined, before: Value | undefined) => string): Rule<Value> =>
  (before, after) =>
    breaking(sentenceOf(after, before));

/** The sentence has the new and the old value: "starts from `a` now (it was `b`)." */
export const changeRule = (verb: string, remedy = "", unit = ""): Rule =>
  breakingRule(
    (after, before) => `${verb} ${codeText(after)}${unit} now (it was ${codeText(before)}).${remedy && ` ${remedy}`}`,
  );

/** Fewer permitted values break requests; more values break programs that read responses. */
export function judgeRange(isTighter: boolean, direction: Direction, change: string): Verdict {
  if (isTighter) {
    if (direction === "response") return additive(`${change}.`);
    return breaking(`${change}. Values that were accepted are refused: check what you send.`);
  }
  if (direction === "request") return additive(`${change}.`);
  return breaking(`${change}. Values arrive that were excluded: check what you read.`);
}

export const inCode = (value: unknown): string => `\`${value}\``;
export const codeList = (values: readonly string[] = []): string => values.map(inCode).join(", ");
export const codeText = (value: unknown): string =>
  value === undefined ? "nothing" : inCode(typeof value === "string" ? value : JSON.stringify(value).slice(0, 200));
