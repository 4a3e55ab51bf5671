import type { SourceLocation } from "../contract/model/index.ts";
import type { Violation } from "../contract/sources/index.ts";
import type { SourceContract } from "./source-contract.ts";

/** The first lines of `rules.yaml` describe the fields. */
export interface RuleText {
  severity?: "warn";
  states: string;
  why: string;
  remedy?: string;
  reads?: string[];
  file: string;
  example: string;
}

export interface Rule extends RuleText {
  /** The name without Redocly's prefix `contract/`. */
  name: string;
  judge: Judge;
}

/** Calls `check` once for each requirement on an element of the contract. */
export type Judge = (contract: SourceContract, check: Check) => void;

/** Calls are counted: a test fails if a rule checks nothing. */
export interface Check {
  /** Reports the problem unless the requirement is fulfilled. The default remedy is in rules.yaml. */
  (isFulfilled: boolean, location: SourceLocation, problem: string, remedy?: string): void;
  problem(problem: string | undefined, location: SourceLocation, remedy?: string): void;
  /** Reports each violation; `summary` starts the message. Without violations, counts one check of `value`. */
  violations(violations: Violation[], value: SourceLocation, summary: string, remedy?: string): void;
}

export function nameOneOf(names: readonly string[]): string {
  return names.length <= 20 ? `Name one of ${names.join(", ")}` : "Correct the name";
}
