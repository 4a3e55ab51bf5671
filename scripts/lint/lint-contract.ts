import { type Config, lintDocument, type NormalizedProblem } from "@redocly/openapi-core";
import type { Edition } from "../base/index.ts";
import type { BundledContract } from "../contract/bundle/index.ts";
import { type SourceLocation, valueAt } from "../contract/model/index.ts";
import { lineOf, readRedoclyConfig, type Sources } from "../contract/sources/index.ts";
import {
  errorsIn,
  type Finding,
  findingAtStart,
  sortFindings,
  toFinding,
  withRemedy,
  withSuggestedPath,
} from "./findings.ts";
import { redoclyRules, severityByRule } from "./redocly-rules.ts";
import type { SourceContract } from "./source-contract.ts";
import { unreadableFinding } from "./unreadable-files.ts";

export interface LintResult {
  findings: Finding[];
  files: string[];
  /** Number of checks by rule of this project; empty if the rules could not be evaluated. */
  checks: Map<string, number>;
  /** What `bundle` returned, if it was called. */
  bundledContract?: BundledContract;
}

interface LintOptions {
  sources: Sources;
  /** The required value of `info.version`. Default: the version in package.json. */
  packageVersion?: string | undefined;
  /** Called only if the sources have no errors. Without this option, Spectral does not run. */
  bundle?: (edition: Edition) => Promise<BundledContract | undefined>;
}

/** If these rules have findings, the other findings are not reported, because they may be consequences. */
const formRules = ["struct", "no-unresolved-refs"];

/**
 * Lints in levels. Reports a level only if the previous level has no errors, because one mistake would cause findings in both. Mistakes in
 * the contract are findings, not exceptions.
 *
 * @throws the error of a rule or of the model, if there is no finding that can be its cause.
 */
export async function lintContract({ sources, packageVersion, bundle }: LintOptions): Promise<LintResult> {
  const files = sources.paths;
  const unreadableFiles = sources.unreadableFiles();
  if (unreadableFiles.length > 0) {
    const findings = unreadableFiles.map((file) => unreadableFinding(file, sources));
    return { findings: sortFindings(findings), files, checks: new Map() };
  }

  const sourceLint = await lintSources(sources, packageVersion);
  const { checks, contract } = sourceLint;
  const findings = sortFindings(sourceLint.findings);
  const hasNoErrors = errorsIn(findings).length === 0;
  const bundledContract = hasNoErrors && contract !== undefined ? await bundle?.("test") : undefined;
  if (contract === undefined || bundledContract === undefined) return { findings, files, checks };

  // Imported here, because Spectral loads slowly and runs only if the sources have no errors.
  const { lintBundle } = await import("./lint-bundle.ts");
  const bundleFindings = await lintBundle(bundledContract, sources);
  return { findings: sortFindings([...findings, ...bundleFindings]), files, checks, bundledContract };
}

interface SourceLint {
  findings: Finding[];
  checks: Map<string, number>;
  contract: SourceContract | undefined;
}

async function lintSources(sources: Sources, packageVersion: string | undefined): Promise<SourceLint> {
  const failedLint = (findings: Finding[]): SourceLint => ({ findings, checks: new Map(), contract: undefined });
  const { mockControl } = sources.layout;
  const documents = [sources.rootFile, ...(sources.has(mockControl) ? [mockControl] : [])];
  const wrongDocument = documents.find((file) => !sources.isOpenApi31(file));
  if (wrongDocument !== undefined) {
    const remedy = "Name the root document of the contract, or start it with `openapi: 3.1.1`";
    return failedLint([
      findingAtStart(wrongDocument, "openapi-version", "This is not an OpenAPI 3.1 document", remedy),
    ]);
  }
  // The rules and the model would follow circular references without end.
  const circularFindings = sources.circularReferences().map(circularFinding);
  if (circularFindings.length > 0) return failedLint(circularFindings);
  let checks = new Map<string, number>();
  let contract: SourceContract | undefined;
  const failures: unknown[] = [];
  const rules = redoclyRules({
    sources,
    packageVersion,
    onFailure: (error) => failures.push(error),
    onJudgement: (counts, judgedContract) => {
      checks = counts;
      contract = judgedContract;
    },
  });
  const config = (
    await readRedoclyConfig({ configs: { all: { rules: severityByRule } }, rules: { oas3: rules } })
  ).forAlias("test");
  const problems = await lintWithRedocly(sources, config).catch((error) => {
    failures.push(error);
    return formProblems(sources, config);
  });
  if (sources.has(mockControl)) problems.push(...(await formProblems(sources, config, mockControl)));
  const hasPart = (file: string, pointer: string) => valueAt(sources.location(file).value, pointer) !== undefined;
  const findings = problems.map((problem) => withSuggestedPath(toFinding(problem), sources.paths, hasPart));
  const formFindings = findings.filter(({ rule }) => formRules.includes(rule));
  if (formFindings.length > 0) return failedLint(formFindings);
  if (failures.length > 0 && errorsIn(findings).length === 0) throw failures[0];
  return { findings, checks, contract };
}

async function lintWithRedocly(
  sources: Sources,
  config: Config,
  file = sources.rootFile,
): Promise<NormalizedProblem[]> {
  const resolver = sources.resolver();
  const document = await resolver.resolveDocument(null, file);
  if (document instanceof Error) throw document;
  return lintDocument({ document, externalRefResolver: resolver, config });
}

/** Runs only the rules that need no model, because the model throws on some malformed documents. */
async function formProblems(sources: Sources, config: Config, file?: string): Promise<NormalizedProblem[]> {
  const settings = config.rules.oas3_1;
  for (const rule of Object.keys(settings)) if (!formRules.includes(rule)) settings[rule] = "off";
  return lintWithRedocly(sources, config, file).catch(() => []);
}

function circularFinding(reference: SourceLocation): Finding {
  return {
    ...lineOf(reference.child("$ref")),
    severity: "error",
    rule: "circular-reference",
    message: withRemedy("A reference leads back to itself", "Refer to an object that does not contain the reference"),
  };
}
