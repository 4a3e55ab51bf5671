/** Lets the rules of this project judge the contract. */
import type { Place } from "../contract/index.ts";
import { withRemedy } from "./findings.ts";
import type { Check, Exception, Rule } from "./rule.ts";
import type { SourceContract } from "./source-contract.ts";

/** The key of an exception: the rules that a place may break, each with the reason. */
export const exceptionsKey = "x-lint-exceptions";

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

/**
 * Judges the contract by every rule, in their order. A problem that an exception covers is left out.
 */
export function judge(rules: readonly Rule[], contract: SourceContract): Judgement {
  const exceptions = exceptionsOf(contract);
  const used = new Set<Exception>();
  const problems = new Map<string, Problem[]>();
  const checks = new Map<string, number>();
  for (const rule of rules) {
    const found = new Map<string, Problem>();
    let count = 0;
    const check: Check = (holds, place, problem, remedy) => {
      count += 1;
      if (holds) return;
      const exception = exceptions.find((candidate) => covers(candidate, rule.name, place));
      if (exception !== undefined) used.add(exception);
      else found.set(`${place.id} ${problem}`, { place, message: withRemedy(problem, remedy) });
    };
    rule.judge(contract, check, () => exceptions.filter((exception) => !used.has(exception)));
    problems.set(rule.name, [...found.values()]);
    checks.set(rule.name, count);
  }
  return { problems, checks };
}

function exceptionsOf(contract: SourceContract): Exception[] {
  return contract
    .marksOf(exceptionsKey)
    .flatMap(({ holder, place }) => place.entries().map(([rule, reason]) => ({ rule, holder, place: reason })));
}

/** Whether a place stands on or below the object that carries the exception, in the same file. */
function covers({ rule, holder }: Exception, name: string, place: Place): boolean {
  const below = holder.pointer.endsWith("/") ? holder.pointer : `${holder.pointer}/`;
  return rule === name && place.file === holder.file && `${place.pointer}/`.startsWith(below);
}
