import type { SourceLocation } from "../contract/model/index.ts";
import type { SourceContract } from "./source-contract.ts";
import type { Violation } from "./violations.ts";

/** A rule as described in `rules.yaml`. `npm run lint -- --explain` prints these texts. */
export interface RuleText {
  /** Default: error. redocly.yaml can change the severity. */
  severity?: "warn";
  states: string;
  why: string;
  /** The remedy, if the same for all findings. */
  remedy?: string;
  /** The file in `test/lint/clean/` that contains the example. */
  file: string;
  /** Lines of the file. Lines with `-` break the rule, and replace the lines with `+`. */
  example: string;
}

export interface Rule extends RuleText {
  /** Without Redocly's prefix `contract/`. */
  name: string;
  judge: Judge;
}

/** The function of a rule. Calls `check` once for each requirement on an element of the contract. */
export type Judge = (contract: SourceContract, check: Check) => void;

/** The functions with which a rule reports. Calls are counted: a test fails if a rule checks nothing. */
export interface Check {
  /** Reports the problem unless the requirement holds. Default of `remedy`: the remedy in rules.yaml. */
  (holds: boolean, location: SourceLocation, problem: string, remedy?: string): void;
  problem(problem: string | undefined, location: SourceLocation, remedy?: string): void;
  fits(violations: Violation[], value: SourceLocation, subject: string, remedy?: string): void;
}

/** The remedy for an unknown name. Lists the existing names if there are at most 20. */
export function listNames(names: readonly string[]): string {
  return names.length <= 20 ? `Name one of ${names.join(", ")}` : "Correct the name";
}
