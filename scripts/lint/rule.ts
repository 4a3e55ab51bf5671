/** What a rule of this project is. */
import type { Place } from "../contract/index.ts";
import type { SourceContract } from "./source-contract.ts";
import type { Violation } from "./violations.ts";

/**
 * States what must hold at a place. When it does not, the place becomes a finding. Calls are counted, so that a rule
 * that never looks at anything is noticed.
 */
export type Check = (holds: boolean, place: Place, problem: string, remedy: string) => void;

/** An entry of `x-lint-exceptions`: a rule that the object and everything below it, in the same file, may break. */
export interface Exception {
  rule: string;
  holder: Place;
  /** The reason. */
  place: Place;
}

export interface Rule {
  /** The name, without the prefix `contract/` that Redocly gives it. */
  name: string;
  /** An error unless it says otherwise; redocly.yaml can change it. */
  severity?: "warn";
  /** What must hold, in one or two sentences. */
  states: string;
  /** What goes wrong when it does not hold. */
  why: string;
  /** A few lines of YAML that break the rule. */
  wrong: string;
  /** The same lines as they should be. */
  right: string;
  /**
   * @param contract the contract to judge.
   * @param check to be called for everything that must hold.
   * @param unusedExceptions the exceptions that no rule before this one has made use of.
   */
  judge(contract: SourceContract, check: Check, unusedExceptions: () => Exception[]): void;
}

/** States that a value fits a schema, given what does not. */
export function checkFits(check: Check, value: Place, violations: Violation[], subject: string, remedy: string): void {
  if (violations.length === 0) check(true, value, subject, remedy);
  for (const { place, problem } of violations) check(false, place, `${subject}: ${problem}`, remedy);
}
