import { basename } from "node:path";
import type { Oas3Rule, Oas3Visitor, UserContext } from "@redocly/openapi-core";
import { readManifest } from "../base/index.ts";
import { keysOf, type SourceLocation } from "../contract/model/index.ts";
import { reportedPosition, Sources } from "../contract/sources/index.ts";
import { withRemedy } from "./findings.ts";
import type { Check, Rule } from "./rule.ts";
import { rules } from "./rules/index.ts";
import { Collector, locationAt, type SourceContract } from "./source-contract.ts";

interface RuleOptions {
  sources?: Sources;
  packageVersion?: string | undefined;
  /** Called after all rules were evaluated; not called if a reference is broken. `checks` is the number of checks by rule. */
  onJudgement?: (checks: Map<string, number>, contract: SourceContract) => void;
  /** Called with an error that a rule throws. Without this option, the rule reports the error as a problem. */
  onFailure?: (error: unknown) => void;
}

interface Problem {
  location: SourceLocation;
  message: string;
}

/** All rules of a run share one collection of nodes, and are evaluated after Redocly has visited the whole document. */
export function redoclyRules(options: RuleOptions = {}): Record<string, Oas3Rule> {
  let run: Run | undefined;
  return Object.fromEntries(
    rules.map(({ name }) => [
      name,
      () => {
        let visitor: Oas3Visitor = {};
        if (run === undefined) {
          run = new Run(options);
          ({ visitor } = run);
          // Redocly creates all visitors of a run synchronously, so a later call belongs to another run.
          queueMicrotask(() => (run = undefined));
        }
        const { problemsOf } = run;
        const report = (root: unknown, context: UserContext) => {
          for (const { message, location } of problemsOf(name, root, context))
            context.report({ message, location: reportedPosition(location) });
        };
        return { ...visitor, Root: { leave: report } };
      },
    ]),
  );
}

/** redocly.yaml uses these severities through `extends`. */
export const severityByRule: Record<string, "error" | "warn"> = Object.fromEntries(
  rules.map(({ name, severity }) => [`contract/${name}`, severity ?? ("error" as const)]),
);

class Run {
  readonly #collector = new Collector();
  readonly #options: RuleOptions;
  #problems: Map<string, Problem[]> | undefined;

  constructor(options: RuleOptions) {
    this.#options = options;
  }

  get visitor() {
    return this.#collector.visitor;
  }

  readonly problemsOf = (rule: string, root: unknown, context: UserContext): Problem[] => {
    this.#problems ??= this.#judge(locationAt(root, context));
    return this.#problems.get(rule) ?? [];
  };

  /** If a reference is broken, returns no problems, because other problems may be consequences of it. */
  #judge(root: SourceLocation): Map<string, Problem[]> {
    const { sources = new Sources(root.file), packageVersion = readManifest().version, onFailure } = this.#options;
    const contract = this.#collector.contract(root, sources, packageVersion);
    if (contract === undefined) return new Map();
    const results = rules.map((rule) => ({ rule, ...judgeRule(rule, contract, onFailure) }));
    this.#options.onJudgement?.(new Map(results.map(({ rule, count }) => [rule.name, count])), contract);
    const malformedParts = new Set(
      results
        .filter(({ rule }) => formRules.includes(rule.name))
        .flatMap(({ problems }) => problems.map(({ location }) => partOf(location))),
    );
    const canJudge = ({ reads = [] }: Rule) => !reads.some((part) => malformedParts.has(part));
    return new Map(results.map(({ rule, problems }) => [rule.name, canJudge(rule) ? problems : []]));
  }
}

/** These rules check the form of what the other rules read. */
const formRules = ["extension-value", "register-form"];

/** The x- key or the file in which a location is: an item of `reads` in rules.yaml. */
function partOf({ pointer, file }: SourceLocation): string {
  return keysOf(pointer).find((key) => key.startsWith("x-")) ?? basename(file);
}

function judgeRule(
  { judge, remedy: defaultRemedy = "" }: Rule,
  contract: SourceContract,
  onFailure: RuleOptions["onFailure"],
): { problems: Problem[]; count: number } {
  const problemsByKey = new Map<string, Problem>();
  let count = 0;
  let lastLocation = contract.root;
  const problem: Check["problem"] = (text, location, remedy = defaultRemedy) => {
    count += 1;
    lastLocation = location;
    if (text !== undefined)
      problemsByKey.set(`${location.id} ${text}`, { location, message: withRemedy(text, remedy) });
  };
  const check: Check = Object.assign(
    (isFulfilled: boolean, location: SourceLocation, text: string, remedy?: string) =>
      problem(isFulfilled ? undefined : text, location, remedy),
    {
      problem,
      violations: ((violations, value, summary, remedy) => {
        if (violations.length === 0) problem(undefined, value);
        for (const violation of violations) problem(`${summary}: ${violation.problem}`, violation.location, remedy);
      }) satisfies Check["violations"],
    },
  );
  try {
    judge(contract, check);
  } catch (error) {
    // A rule can throw if the document is malformed in a way that no earlier rule has reported.
    const text = `The rule cannot be evaluated after this place: ${(error as Error).message}`;
    const remedy = "Correct the form of what follows; if it is correct, the rule has a defect";
    if (onFailure === undefined) problem(text, lastLocation, remedy);
    else onFailure(error);
  }
  return { problems: [...problemsByKey.values()], count };
}
