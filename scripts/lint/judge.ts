/** Lets the rules of this project judge the contract. */
import type { Place } from "../contract/index.ts";
import { withRemedy } from "./findings.ts";
import type { Check, Rule } from "./rule.ts";
import type { SourceContract } from "./source-contract.ts";

/** Something that a rule found. */
export interface Problem {
  place: Place;
  message: string;
}

export interface Judgement {
  /** By rule. */
  problems: Map<string, Problem[]>;
  /** How often each rule checked something. */
  checks: Map<string, number>;
}

/** Judges the contract by every rule. */
export function judge(rules: readonly Rule[], contract: SourceContract): Judgement {
  const problems = new Map<string, Problem[]>();
  const checks = new Map<string, number>();
  for (const rule of rules) {
    const found = new Map<string, Problem>();
    let count = 0;
    const check: Check = (holds, place, problem, remedy) => {
      count += 1;
      if (!holds) found.set(`${place.id} ${problem}`, { place, message: withRemedy(problem, remedy) });
    };
    rule.judge(contract, check);
    problems.set(rule.name, [...found.values()]);
    checks.set(rule.name, count);
  }
  return { problems, checks };
}
