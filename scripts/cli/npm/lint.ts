import { statSync } from "node:fs";
import { resolve } from "node:path";
import { contractFile, type Edition, type StepState, stepStateOf, UsageError } from "../../base/index.ts";
import type { BundledContract } from "../../contract/bundle/index.ts";
import type { Sources } from "../../contract/sources/index.ts";
import type { Finding } from "../../lint/index.ts";
import { refuseWith } from "../kit/arguments.ts";
import { runNpmCommand } from "../kit/npm-command.ts";

const formats = ["text", "json", "github", "sarif", "junit"];

const description = {
  text: "Reports what is wrong with the contract, where, and how to correct it.",
  operands: "[FILE]",
  maxOperands: 1,
  options: [
    { name: "explain", value: "[RULE]", text: "explain a rule of this project; without a name, list the rules" },
    { name: "format", value: "FORMAT", text: "how the findings are written", choices: formats, defaultValue: "text" },
  ],
};

async function lint(rootFile: string, format: string): Promise<void> {
  if (!statSync(rootFile, { throwIfNoEntry: false })?.isFile()) throw new UsageError(`There is no file ${rootFile}.`);
  const { errorsIn, formatFindings, lintContract, reportFormats } = await import("../../lint/index.ts");
  const formatReport = reportFormats[format];
  const { bundleContract } = await import("../../contract/bundle/index.ts");
  const { Sources } = await import("../../contract/sources/index.ts");
  const buildState = rootFile === contractFile ? await stateOfLintStep() : undefined;
  const sources = new Sources(rootFile);
  const bundle = (edition: Edition) => bundleContract(edition, sources);
  const lintResult = await lintContract({ sources, bundle });
  // Guides and client are derived from this repository's contract, and can be checked only if it has no errors.
  const { bundledContract } = lintResult;
  const canCheckDerivedParts =
    buildState !== undefined && bundledContract !== undefined && errorsIn(lintResult.findings).length === 0;
  // The next build then does not lint the same files again.
  if (canCheckDerivedParts) buildState.markAsDone();
  const findings = [
    ...lintResult.findings,
    ...(canCheckDerivedParts ? await lintDerivedParts(bundledContract, sources) : []),
  ];
  const errorCount = errorsIn(findings).length;
  if (errorCount > 0) process.exitCode = 1;
  if (formatReport !== undefined) return console.log(formatReport(findings));

  const isColoured = process.stdout.isTTY === true && process.env.NO_COLOR === undefined;
  if (findings.length > 0) console.log(formatFindings(findings, { isColoured }));
  const total = [...lintResult.checks.values()].reduce((sum, number) => sum + number, 0);
  // performance.now() counts from the start of the process.
  const seconds = (performance.now() / 1000).toFixed(1);
  const warningCount = findings.length - errorCount;
  console.log(
    `${formatCount(errorCount, "error")}, ${formatCount(warningCount, "warning")}; ${formatCount(lintResult.files.length, "file")}, ${total} checks in ${seconds} s.`,
  );
}

/** Loads the build only when it is needed: `--help` and `--explain` do without. */
async function stateOfLintStep(): Promise<StepState> {
  const { steps } = await import("../../tools/build/index.ts");
  return stepStateOf(steps.lint);
}

async function lintDerivedParts(contract: BundledContract, sources: Sources): Promise<Finding[]> {
  const { guideProblems } = await import("../../site/index.ts");
  const { clientFindings } = await import("../../tools/build/index.ts");
  return [
    ...(await clientFindings(contract, sources)),
    ...(await guideProblems(contract.document, sources.registers())),
  ];
}

function formatCount(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

await runNpmCommand("lint", description, async (parsedArgs) => {
  const [file] = parsedArgs.operands;
  refuseWith(parsedArgs, "explain", ["format"], 0);
  if (!parsedArgs.has("explain"))
    return lint(file === undefined ? contractFile : resolve(file), parsedArgs.requiredText("format"));
  const { explainRule } = await import("../../lint/index.ts");
  console.log(explainRule(parsedArgs.text("explain") ?? ""));
});
