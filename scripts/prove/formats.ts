import { junitReport } from "../contract/messages/index.ts";
import type { ConditionResult, Finding, ProofReport } from "./report.ts";
import { onlyOf } from "./select.ts";

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;
const widest = 25;

export function conditionLine({ name, result, ...about }: ConditionResult): string {
  const { runs, failedRuns, unclear, milliseconds, rightUpToSeconds } = about;
  const words = { passed: "ok", failed: "FAILED", "not-met": "not met" }[result];
  const notes = [
    ...(failedRuns > 0 ? [`${failedRuns} of ${runs} runs went wrong`] : runs > 1 ? [`${runs} runs`] : []),
    ...(unclear > 0 ? [`${unclear} ${unclear === 1 ? "row" : "rows"} reported as unclear`] : []),
    ...(rightUpToSeconds === undefined ? [] : [`correct up to ${rightUpToSeconds} s`]),
    seconds(milliseconds),
  ];
  return `${name.padEnd(widest)}${words.padEnd(9)}${notes.join(", ")}`;
}

/**
 * The report as text, without the line of each condition, which {@link conditionLine} formats.
 *
 * @param rerun returns the command that repeats one finding.
 */
export function reportText(report: ProofReport, rerun: Rerun): string {
  const { findings, conditions, input, lateSeconds, remarks, questions } = report;
  const failed = conditions.filter(({ result }) => result === "failed");
  const verdict =
    failed.length === 0
      ? "No condition failed."
      : `${failed.length} of ${conditions.length} conditions failed: ${failed.map(({ name }) => name).join(", ")}.`;
  const delays = conditions.flatMap(({ name, rightUpToSeconds }) => {
    if (rightUpToSeconds === undefined) return [];
    const longest = rightUpToSeconds < lateSeconds ? `; ${lateSeconds} s were tried` : ", the longest that was tried";
    return [`${name}: the program stayed correct up to a delay of ${rightUpToSeconds} s${longest}.`];
  });
  const [count, plural] = [questions.length, questions.length === 1 ? "" : "s"];
  const dependence = `This depends on ${count} assumption${plural} about the open question${plural} below; the service may behave differently.`;
  return [
    ...(questions.length === 0 ? [] : [dependence]),
    ...grouped(findings).map((same, index) => findingText(same, index + 1, rerun)),
    ...(findings.length === 0 || input.length === 0 ? [] : [`The input:\n${input.map(indented).join("\n")}`]),
    [verdict, ...delays, ...remarks].join("\n"),
    ...(questions.length === 0
      ? []
      : [
          `The open questions on which this depends:\n${questions.map(({ id, question }) => `  ${id}  ${question}`).join("\n")}`,
        ]),
    `Not proven:\n${report.cannotProve.map(indented).join("\n")}`,
    `${conditions.reduce((sum, { runs }) => sum + runs, 0)} runs in ${seconds(report.milliseconds)}, seed ${report.seed}.`,
  ].join("\n\n");
}

export type Rerun = (finding: Pick<Finding, "only" | "answers">) => string;

const indented = (line: string) => `  ${line}`;

function grouped(findings: readonly Finding[]): readonly (readonly Finding[])[] {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const name = [finding.condition, finding.kind, ...(finding.answers ?? [])].join(" ");
    groups.set(name, [...(groups.get(name) ?? []), finding]);
  }
  return [...groups.values()];
}

/** Formats the first finding in full, and of each other finding only its call, or its `seen` if it has no call. */
function findingText(same: readonly Finding[], number: number, rerun: Rerun): string {
  const [first = {} as Finding, ...others] = same;
  const { title, condition, call, seen, only, answers } = first;
  const place = call === undefined ? condition : `${condition}, call ${call.number} of ${call.operation}`;
  const where = answers === undefined ? place : `${only}, with ${answers.join(", ")}`;
  const more = others.flatMap((one) => (one.call === undefined ? [one.seen] : onlyOf(one.condition, one.call)));
  const lines = [
    `${number}. ${title}: ${where}`,
    seen,
    `Only this run: ${rerun(first)}`,
    ...(more.length === 0 ? [] : [`The same: ${more.join(", ")}`]),
  ];
  return lines.join("\n   ");
}

export function reportJson(report: ProofReport): string {
  return JSON.stringify({ ...report, isPassed: report.findings.length === 0 && !report.isStopped }, undefined, 2);
}

export function reportJunit(report: ProofReport, startedAt: Date): string {
  const { proof, conditions, findings, milliseconds, isStopped } = report;
  const cases = conditions.map(({ name, result, milliseconds: took }) => {
    const own = findings.filter(({ condition }) => condition === name);
    const [first] = own;
    const lines = own.map(
      ({ title, seen, only, answers }) =>
        `${title}: ${seen} (${["--only", only, ...(answers ?? []).flatMap((each) => ["--answers", JSON.stringify(each)])].join(" ")})`,
    );
    const about = first && { type: first.kind, message: `${first.title}: ${first.seen}`, text: lines.join("\n") };
    const skipped = result === "not-met" ? "the program made no such call" : undefined;
    return { ...{ classname: `prove ${proof}`, name, milliseconds: took }, failure: about, skipped };
  });
  const failure = { type: "stopped", message: "it was stopped before its end", text: "" };
  const stopped = isStopped ? [{ classname: `prove ${proof}`, name: "all conditions", failure }] : [];
  return `${junitReport(`prove ${proof}`, [...cases, ...stopped], { milliseconds, startedAt })}\n`;
}
