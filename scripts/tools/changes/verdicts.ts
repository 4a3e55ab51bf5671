/** How a difference affects partners, and the words for it. */
import type { Direction } from "./element.ts";

export type Severity = "breaking" | "additive" | "editorial";

export interface Verdict {
  readonly severity: Severity;
  /** The change, then the consequence for partners. Continues a sentence that starts with the element: "is now required." */
  readonly sentence: string;
}

export const breaking = (sentence: string): Verdict => ({ severity: "breaking", sentence });
export const additive = (sentence: string): Verdict => ({ severity: "additive", sentence });
export const editorial = (sentence: string): Verdict => ({ severity: "editorial", sentence });

/** Judges the change of a fact; undefined if it does not concern partners. */
export type Rule = (before: unknown, after: unknown, direction: Direction) => Verdict | undefined;

/** A rule by which each change is breaking. */
export const breaks =
  (say: (after: unknown, before: unknown) => string): Rule =>
  (before, after) =>
    breaking(say(after, before));

/** A rule by which each change is breaking. The sentence contains the new and the old value: "starts from `a` now (it was `b`)." */
export const changedTo = (verb: string, remedy = "", unit = ""): Rule =>
  breaks((after, before) => `${verb} ${text(after)}${unit} now (it was ${text(before)}).${remedy && ` ${remedy}`}`);

/** Fewer values break requests; more values break programs that read responses. */
export function judgeRange(tighter: boolean, direction: Direction, what: string): Verdict {
  if (tighter) {
    if (direction === "response") return additive(`${what}.`);
    return breaking(`${what}. Values that were accepted are refused: check what you send.`);
  }
  if (direction === "request") return additive(`${what}.`);
  return breaking(`${what}. Values arrive that were excluded: check what you read.`);
}

export const code = (value: unknown): string => `\`${value}\``;
export const list = (values: readonly string[] = []): string => values.map(code).join(", ");
export const text = (value: unknown): string =>
  value === undefined ? "nothing" : code(typeof value === "string" ? value : JSON.stringify(value).slice(0, 200));
