/** What a rule of this project is. */
import type { Place } from "../contract/index.ts";
import type { SourceContract } from "./source-contract.ts";
import type { Violation } from "./violations.ts";

/**
 * States what must hold at a place. When it does not, the place becomes a finding. Calls are counted, so that a rule
 * that never looks at anything is noticed.
 */
export type Check = (holds: boolean, place: Place, problem: string, remedy: string) => void;

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
   */
  judge(contract: SourceContract, check: Check): void;
}

/** States that a value fits a schema, given what does not. */
export function checkFits(check: Check, value: Place, violations: Violation[], subject: string, remedy: string): void {
  if (violations.length === 0) check(true, value, subject, remedy);
  for (const { place, problem } of violations) check(false, place, `${subject}: ${problem}`, remedy);
}
