import { junitReport } from "../base/index.ts";
import type { ConditionResult, Finding, ProofReport } from "./report.ts";

const formatSeconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;
const nameWidth = 25;

export function conditionMeaning({ name, meaning }: Pick<ConditionResult, "name" | "meaning">): string {
  return `${name.padEnd(nameWidth)}${meaning}`;
}

export function conditionLine({ name, result, ...details }: ConditionResult): string {
  const { runs, failedRuns, unclear, milliseconds, rightUpToSeconds } = details;
  const resultText = { passed: "ok", failed: "FAILED", "not-met": "not met" }[result];
  const notes = [
    ...(failedRuns > 0 ? [`${failedRuns} of ${runs} runs went wrong`] : runs > 1 ? [`${runs} runs`] : []),
    ...(unclear > 0 ? [`${unclear} ${unclear === 1 ? "row" : "rows"} reported as unclear`] : []),
    ...(rightUpToSeconds === undefined ? [] : [`correct up to ${rightUpToSeconds} s`]),
    formatSeconds(milliseconds),
  ];
  return `${name.padEnd(nameWidth)}${resultText.padEnd(9)}${notes.join(", ")}`;
}

/**
 * The report without the lines of the conditions, which {@link conditionLine} formats.
 *
 * @param formatRerun returns the command that repeats the run of a finding.
 */
export function reportText(report: ProofReport, formatRerun: FormatRerun): string {
  const { findings, conditions, input, lateSeconds, remarks, questions } = report;
  const failedConditions = conditions.filter(({ result }) => result === "failed");
  const verdict =
    failedConditions.length === 0
      ? "No condition failed."
      : `${failedConditions.length} of ${conditions.length} conditions failed: ${failedConditions.map(({ name }) => name).join(", ")}.`;
  const delaySentences = conditions.flatMap(({ name, rightUpToSeconds }) => {
    if (rightUpToSeconds === undefined) return [];
    const limitText = rightUpToSeconds < lateSeconds ? `; ${lateSeconds} s were tried` : ", the longest that was tried";
    return [`${name}: the program stayed correct up to a delay of ${rightUpToSeconds} s${limitText}.`];
  });
  const [count, pluralSuffix] = [questions.length, questions.length === 1 ? "" : "s"];
  const dependence = `This depends on ${count} assumption${pluralSuffix} about the open question${pluralSuffix} below; the service may behave differently.`;
  return [
    ...(questions.length === 0 ? [] : [dependence]),
    ...groupFindings(findings).map((group, index) => findingText(group, index + 1, formatRerun)),
    ...(findings.length === 0 || input.length === 0 ? [] : [`The input:\n${input.map(indent).join("\n")}`]),
    [verdict, ...delaySentences, ...remarks].join("\n"),
    ...(questions.length === 0
      ? []
      : [
          `The open questions on which this depends:\n${questions.map(({ id, question }) => `  ${id}  ${question}`).join("\n")}`,
        ]),
    `Not proven:\n${report.cannotProve.map(indent).join("\n")}`,
    `${conditions.reduce((sum, { runs }) => sum + runs, 0)} runs in ${formatSeconds(report.milliseconds)}, seed ${report.seed}.`,
  ].join("\n\n");
}

export type FormatRerun = (finding: Pick<Finding, "only" | "answers">) => string;

const indent = (line: string) => `  ${line}`;

function groupFindings(findings: readonly Finding[]): readonly (readonly Finding[])[] {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const name = [finding.condition, finding.kind, ...(finding.answers ?? [])].join(" ");
    groups.set(name, [...(groups.get(name) ?? []), finding]);
  }
  return [...groups.values()];
}

/**
 * All findings are of the same kind under one condition. The first is shown in full; of the others, only the call, or `seen` if there is no
 * call.
 */
function findingText(group: readonly Finding[], number: number, formatRerun: FormatRerun): string {
  const [firstFinding = {} as Finding, ...otherFindings] = group;
  const { title, condition, call, seen, only, answers } = firstFinding;
  const callLocation = call === undefined ? condition : `${condition}, call ${call.number} of ${call.operation}`;
  const location = answers === undefined ? callLocation : `${only}, with ${answers.join(", ")}`;
  const otherLocations = otherFindings.flatMap((otherFinding) =>
    otherFinding.call === undefined ? [otherFinding.seen] : otherFinding.only,
  );
  const lines = [
    `${number}. ${title}: ${location}`,
    seen,
    `Only this run: ${formatRerun(firstFinding)}`,
    ...(otherLocations.length === 0 ? [] : [`The same: ${otherLocations.join(", ")}`]),
  ];
  return lines.join("\n   ");
}

export function reportJson(report: ProofReport): string {
  return JSON.stringify({ ...report, isPassed: report.findings.length === 0 && !report.isStopped }, undefined, 2);
}

/** @param formatRerun returns the command that repeats the run of a finding. */
export function reportJunit(
  report: ProofReport,
  { formatRerun, startedAt }: { readonly formatRerun: FormatRerun; readonly startedAt: Date },
): string {
  const { proof, conditions, findings, milliseconds, isStopped } = report;
  const cases = conditions.map(({ name, result, milliseconds: duration }) => {
    const caseFindings = findings.filter(({ condition }) => condition === name);
    const [firstFinding] = caseFindings;
    const lines = caseFindings.map((finding) => `${finding.title}: ${finding.seen} (${formatRerun(finding)})`);
    const caseFailure = firstFinding && {
      type: firstFinding.kind,
      message: `${firstFinding.title}: ${firstFinding.seen}`,
      text: lines.join("\n"),
    };
    const skipReason = result === "not-met" ? "the program made no such call, or is not on Node.js" : undefined;
    return { classname: `prove ${proof}`, name, milliseconds: duration, failure: caseFailure, skipReason };
  });
  const failure = { type: "stopped", message: "it was stopped before its end", text: "" };
  const stoppedCases = isStopped ? [{ classname: `prove ${proof}`, name: "all conditions", failure }] : [];
  const suite = { name: `prove ${proof}`, packageName: "partner-wallet-api" };
  return `${junitReport(suite, [...cases, ...stoppedCases], { milliseconds, startedAt })}\n`;
}
