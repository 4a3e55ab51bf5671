/** Lets the rules of this project judge the contract. */
import { getLineColLocation } from "@redocly/openapi-core";
import type { Place } from "./place.ts";
import { type Finding, withRemedy } from "./report.ts";
import type { Rule } from "./rule.ts";
import type { SourceContract } from "./source-contract.ts";

export interface Verdict {
  findings: Finding[];
  /** How often each rule checked something. */
  checks: Map<string, number>;
}

export function judge(rules: Rule[], contract: SourceContract): Verdict {
  const findings: Finding[] = [];
  const checks = new Map<string, number>();
  for (const rule of rules) {
    let count = 0;
    rule.judge(contract, (holds, place, problem, remedy) => {
      count += 1;
      if (holds) return;
      findings.push({ ...lineOf(place), severity: "error", rule: rule.name, message: withRemedy(problem, remedy) });
    });
    checks.set(rule.name, count);
  }
  return { findings, checks };
}

/** File, line and column of a place: of a scalar itself, of the key of everything else. */
export function lineOf({ source, pointer, value }: Place): Pick<Finding, "file" | "line" | "column"> {
  const reportOnKey = value === undefined || typeof value === "object";
  const { start } = getLineColLocation({ source, pointer, reportOnKey });
  return { file: source.absoluteRef, line: start.line, column: start.col };
}
