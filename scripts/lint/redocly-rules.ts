/** The rules of this project as rules of a Redocly plugin. */
import { readFileSync } from "node:fs";
import type { Oas3Rule, UserContext } from "@redocly/openapi-core";
import { projectRoot } from "../contract/index.ts";
import { Sources } from "../sources/index.ts";
import { createCollector, placeAt } from "./collect.ts";
import { type Judgement, judge, type Problem } from "./judge.ts";
import { rules } from "./rules/index.ts";
import { SourceContract } from "./source-contract.ts";

/** Options that a tool of this process gives; Redocly's own command gives none. */
export interface RuleOptions {
  /** The sources that a root document belongs to; read from the disk by default. */
  sourcesOf?: (rootFile: string) => Sources;
  /** What `info.version` must be; the version in package.json by default. */
  packageVersion?: string;
  /** Is told what was judged, once a run. */
  onJudgement?: (judgement: Judgement, contract: SourceContract) => void;
}

/**
 * One rule of Redocly for each rule of this project. All of them share one collection of places and one judgement a
 * run, made when the root is left.
 */
export function redoclyRules(options: RuleOptions = {}): Record<string, Oas3Rule> {
  let run: Run | undefined;
  return Object.fromEntries(
    rules.map(({ name }) => [
      name,
      () => {
        // Redocly makes the visitors of a run one after the other, without a pause: what is made later is another run.
        const isFirst = run === undefined;
        run ??= new Run(options);
        if (isFirst) queueMicrotask(() => (run = undefined));
        const { problemsOf, visitor } = run;
        const report = (root: unknown, context: UserContext) => {
          for (const problem of problemsOf(name, root, context)) context.report(toRedocly(problem));
        };
        return { ...(isFirst ? visitor : {}), Root: { leave: report } };
      },
    ]),
  );
}

/** Every rule of this project with its severity, for `extends` in redocly.yaml. */
export const allRules: Record<string, "error" | "warn"> = Object.fromEntries(
  rules.map(({ name, severity }) => [`contract/${name}`, severity ?? ("error" as const)]),
);

/** One walk of Redocly over a document. */
class Run {
  readonly #collector = createCollector();
  readonly #options: RuleOptions;
  #problems: Judgement["problems"] | undefined;

  constructor(options: RuleOptions) {
    this.#options = options;
  }

  get visitor() {
    return this.#collector.visitor;
  }

  /** What a rule found. */
  readonly problemsOf = (rule: string, root: unknown, context: UserContext): Problem[] => {
    this.#problems ??= this.#judge(root, context);
    return this.#problems.get(rule) ?? [];
  };

  /** Nothing when a reference leads nowhere: what else would be found follows from that. */
  #judge(root: unknown, context: UserContext): Judgement["problems"] {
    const collected = { root: placeAt(root, context), ...this.#collector.collected };
    if (collected.references.some(({ target }) => !target.exists)) return new Map();
    const { sourcesOf = (file) => new Sources(file), packageVersion = readPackageVersion() } = this.#options;
    const contract = new SourceContract(collected, sourcesOf(collected.root.file), packageVersion);
    const judgement = judge(rules, contract);
    this.#options.onJudgement?.(judgement, contract);
    return judgement.problems;
  }
}

/** Redocly names the place of a scalar itself, and of the key of everything else. */
function toRedocly({ place, message }: Problem) {
  const { source, pointer, value } = place;
  if (source === undefined) throw new Error(`The place ${pointer} is in no file.`);
  return { message, location: { source, pointer, reportOnKey: value === undefined || typeof value === "object" } };
}

function readPackageVersion(): string {
  const { version } = JSON.parse(readFileSync(`${projectRoot}/package.json`, "utf8")) as { version: string };
  return version;
}
