/** The types of a rule of this project. */
import type { SourceLocation } from "../contract/model/index.ts";
import type { SourceContract } from "./source-contract.ts";
import type { Violation } from "./violations.ts";

/** A rule as described in `rules.yaml`. `npm run lint -- --explain` prints these texts. */
export interface RuleText {
  /** Default: error; redocly.yaml can change it. */
  severity?: "warn";
  /** The requirement, in one or two sentences. */
  states: string;
  /** The consequence of breaking it. */
  why: string;
  /** The remedy, where it is the same for all findings. */
  remedy?: string;
  /** The file of the small contract in `test/lint/clean/` that contains the example. */
  file: string;
  /** Some lines of it: those with `-` break the rule and replace those with `+`. */
  example: string;
}

export interface Rule extends RuleText {
  /** The name without Redocly's prefix `contract/`. */
  name: string;
  judge: Judge;
}

/** Calls `check` for every requirement. */
export type Judge = (contract: SourceContract, check: Check) => void;

/** Functions with which a rule states requirements. Calls are counted, so that a rule that never checks anything is noticed. */
export interface Check {
  /** Reports the node when the requirement does not hold. The rule's remedy is used unless one is given. */
  (holds: boolean, location: SourceLocation, problem: string, remedy?: string): void;
  /** Reports the problem at the node, unless it is undefined. */
  problem(problem: string | undefined, location: SourceLocation, remedy?: string): void;
  /** Requires that a value has no violations of a schema. */
  fits(violations: Violation[], value: SourceLocation, subject: string, remedy?: string): void;
}

/** The remedy for a name that does not exist. Lists the existing names if they are few. */
export function listNames(names: readonly string[]): string {
  return names.length <= 20 ? `Name one of ${names.join(", ")}` : "Correct the name";
}
