/** Formats a report as text, JSON, and JUnit XML for a CI server. */

import type { ConditionResult, Finding, ProofReport } from "./report.ts";
import { onlyOf } from "./select.ts";

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;
const widest = 25;

/** One line for a condition. */
export function conditionLine({
  name,
  result,
  runs,
  failedRuns,
  unclear,
  milliseconds,
  ...rest
}: ConditionResult): string {
  const words = { passed: "ok", failed: "FAILED", "not-met": "not met" }[result];
  const notes = [
    ...(failedRuns > 0 ? [`${failedRuns} of ${runs} runs went wrong`] : runs > 1 ? [`${runs} runs`] : []),
    ...(unclear > 0 ? [`${unclear} ${unclear === 1 ? "row" : "rows"} called unclear`] : []),
    ...(rest.rightUpToSeconds === undefined ? [] : [`right up to ${rest.rightUpToSeconds} s`]),
    seconds(milliseconds),
  ];
  return `${name.padEnd(widest)}${words.padEnd(9)}${notes.join(", ")}`;
}

/**
 * The report as text, without the lines of the conditions.
 *
 * @param rerun returns the command that repeats one finding, by the value of `--only`.
 */
export function reportText(report: ProofReport, rerun: (only: string) => string): string {
  const { findings, conditions, input, lateSeconds, remarks, questions } = report;
  const failed = conditions.filter(({ result }) => result === "failed");
  const verdict =
    failed.length === 0
      ? "No condition failed."
      : `${failed.length} of ${conditions.length} conditions failed: ${failed.map(({ name }) => name).join(", ")}.`;
  const delays = conditions.flatMap(({ name, rightUpToSeconds }) => {
    if (rightUpToSeconds === undefined) return [];
    const longest = rightUpToSeconds < lateSeconds ? `; ${lateSeconds} s were tried` : ", the longest that was tried";
    return [`${name}: the program stayed right up to a delay of ${rightUpToSeconds} s${longest}.`];
  });
  return [
    ...grouped(findings).map((same, index) => findingText(same, index + 1, rerun)),
    ...(findings.length === 0 || input.length === 0 ? [] : [`The input:\n${input.map(indented).join("\n")}`]),
    [verdict, ...delays, ...remarks].join("\n"),
    ...(questions.length === 0
      ? []
      : [`This rests on open questions:\n${questions.map(({ id, question }) => `  ${id}  ${question}`).join("\n")}`]),
    `Not proven:\n${report.cannotProve.map(indented).join("\n")}`,
    `${conditions.reduce((sum, { runs }) => sum + runs, 0)} runs in ${seconds(report.milliseconds)}, seed ${report.seed}.`,
  ].join("\n\n");
}

const indented = (line: string) => `  ${line}`;

/** Groups findings by kind and condition, in order of first occurrence. */
function grouped(findings: readonly Finding[]): readonly (readonly Finding[])[] {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const name = `${finding.condition} ${finding.kind}`;
    groups.set(name, [...(groups.get(name) ?? []), finding]);
  }
  return [...groups.values()];
}

/** A group of findings: the first in full, and the calls of the others. */
function findingText(same: readonly Finding[], number: number, rerun: (only: string) => string): string {
  const [{ title, condition, call, seen, only } = {} as Finding, ...others] = same;
  const where = call === undefined ? condition : `${condition}, call ${call.number} of ${call.operation}`;
  const more = others.flatMap((one) => (one.call === undefined ? [one.seen] : onlyOf(one.condition, one.call)));
  const lines = [
    `${number}. ${title}: ${where}`,
    seen,
    `Just this one: ${rerun(only)}`,
    ...(more.length === 0 ? [] : [`The same: ${more.join(", ")}`]),
  ];
  return lines.join("\n   ");
}

/** The report as JSON, with descriptions. */
export function reportJson(report: ProofReport): string {
  return JSON.stringify({ ...report, isPassed: report.findings.length === 0 }, undefined, 2);
}

/**
 * The report as JUnit XML, valid by the schema of Apache Ant: a test case for each condition, which fails with its findings.
 *
 * @param startedAt the time at which the proof began.
 */
export function reportJunit({ proof, conditions, findings, milliseconds }: ProofReport, startedAt: Date): string {
  const time = (value: number) => (value / 1000).toFixed(3);
  const cases = conditions.map(({ name, result, milliseconds: took }) => {
    const open = `    <testcase classname="prove ${proof}" name="${xml(name)}" time="${time(took)}"`;
    if (result === "not-met") return `${open}>\n      <skipped message="no call met it"/>\n    </testcase>`;
    const own = findings.filter(({ condition }) => condition === name);
    const [first] = own;
    if (first === undefined) return `${open}/>`;
    const message = xml(`${first.title}: ${first.seen}`);
    const lines = own.map(({ title, seen, only }) => xml(`${title}: ${seen} (--only ${only})`));
    return `${open}>\n      <failure type="${first.kind}" message="${message}">${lines.join("\n")}</failure>\n    </testcase>`;
  });
  const count = (wanted: ConditionResult["result"]) => conditions.filter(({ result }) => result === wanted).length;
  const at = `timestamp="${startedAt.toISOString().slice(0, 19)}" hostname="localhost"`;
  const counts = `tests="${conditions.length}" failures="${count("failed")}" errors="0" skipped="${count("not-met")}" time="${time(milliseconds)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    "<testsuites>",
    `  <testsuite name="prove ${proof}" package="partner-wallet-api" id="0" ${at} ${counts}>`,
    "    <properties/>",
    ...cases,
    "    <system-out/>",
    "    <system-err/>",
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

/** Escapes a text for XML 1.0 and drops invalid characters. */
function xml(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that XML does not allow
  const allowed = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/gu, "");
  return allowed.replace(/[&<>"\n]/g, (character) => `&#${character.charCodeAt(0)};`);
}
