/** What a rule of this project is. */
import type { Place } from "../contract/model/index.ts";
import type { SourceContract } from "./source-contract.ts";
import type { Violation } from "./violations.ts";

/** A rule as `rules.yaml` describes it. Its texts are what `npm run lint -- --explain` prints. */
export interface RuleText {
  /** An error unless it says otherwise; redocly.yaml can change it. */
  severity?: "warn";
  /** What must hold, in one or two sentences. */
  states: string;
  /** What goes wrong when it does not hold. */
  why: string;
  /** What to do, where it is the same for everything that the rule finds. */
  remedy?: string;
  /** The file of the small contract in `test/lint/clean/` that the example is a part of. */
  file: string;
  /** A few lines of it: with `-` those that break the rule, with `+` those that stand there. */
  example: string;
}

export interface Rule extends RuleText {
  /** The name, without the prefix `contract/` that Redocly gives it. */
  name: string;
  judge: Judge;
}

/** Calls `check` for everything that must hold. */
export type Judge = (contract: SourceContract, check: Check) => void;

/** How rules say what must hold at a place. Calls are counted, so that a rule that never looks at anything is noticed. */
export interface Check {
  /** When it does not hold, the place becomes a finding. The remedy is that of the rule unless one is given. */
  (holds: boolean, place: Place, problem: string, remedy?: string): void;
  /** The same, given what is wrong; undefined when nothing is. */
  problem(problem: string | undefined, place: Place, remedy?: string): void;
  /** States that a value fits a schema, given what does not. */
  fits(violations: Violation[], value: Place, subject: string, remedy?: string): void;
}

/** What to do about a name that does not exist. All that exist are listed where they are few. */
export function nameOneOf(names: readonly string[]): string {
  return names.length <= 20 ? `Name one of ${names.join(", ")}` : "Correct the name";
}
