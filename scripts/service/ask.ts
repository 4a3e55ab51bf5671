/** The calls are described in `openapi/probes.yaml`. */
import { inspect, type Schema } from "../client/src/entries/internal/index.ts";
import type { Probe, ProbedQuestion, ProbeOutcome, ProbeSchema } from "../mock/plan/index.ts";
import { Caller, type CallerOptions, type CallResult, type Change, changeLines, ServiceError } from "./caller.ts";
import { codeIn, describe } from "./masking.ts";
import { isSafe, isSuccess } from "./operations.ts";
import { valuesAt } from "./pointers.ts";

export type Verdict = "answered" | "contradicted" | "open";

export interface Finding {
  readonly verdict: Verdict;
  readonly evidence: string;
  readonly change?: string;
}

export interface QuestionResult extends Pick<ProbedQuestion, "id" | "question" | "assumption"> {
  readonly verdict: Verdict;
  readonly findings: readonly Finding[];
}

export interface AskOptions extends CallerOptions {
  /** The ids of the questions to answer; empty for all questions that have a probe. */
  readonly questions: readonly string[];
  readonly mayWrite: boolean;
}

export interface AskResult {
  readonly answers: readonly QuestionResult[];
  readonly calls: number;
  /** The calls that have changed data, or may have changed data, and were not undone. */
  readonly changes: readonly Change[];
  /** See {@link Caller.isComplete}. A probe that was not made for lack of `--set` or `--write` does not count. */
  readonly isComplete: boolean;
}

/** @throws {ServiceError} when there is nothing to report, see {@link Caller.checkReached}. */
export async function ask(options: AskOptions): Promise<AskResult> {
  const { plan, questions, mayWrite } = options;
  const caller = new Caller(options);
  // The first calls are those whose responses contain identifiers that the probes need.
  for (const source of Object.values(plan.probes.values).flat()) {
    const operation = caller.operation(source.operation);
    const isCalled = caller.calls.some((call) => call.operation === operation);
    if (!isCalled && isSafe(operation.operationId) && caller.missingOptions(operation) === undefined)
      await caller.attempt(operation);
  }
  const answers: QuestionResult[] = [];
  for (const probedQuestion of plan.probes.questions) {
    const { id, question, assumption, probes } = probedQuestion;
    if (questions.length > 0 && !questions.includes(id)) continue;
    const findings: Finding[] = [];
    for (const probe of probes) findings.push(await runProbe(caller, probe, probedQuestion, mayWrite));
    answers.push({ id, question, assumption, verdict: verdictOf(findings), findings });
  }
  caller.checkReached();
  return { answers, calls: caller.calls.length, changes: caller.changes, isComplete: caller.isComplete };
}

function verdictOf(findings: readonly Finding[]): Verdict {
  const hasVerdict = (expected: Verdict) => findings.some(({ verdict }) => verdict === expected);
  return hasVerdict("contradicted") ? "contradicted" : hasVerdict("open") ? "open" : "answered";
}

async function runProbe(caller: Caller, probe: Probe, question: ProbedQuestion, mayWrite: boolean): Promise<Finding> {
  const { operation, before = [], input = {} } = probe;
  const openFinding = (evidence: string): Finding => ({ verdict: "open", evidence });
  const isRead = isSafe(operation) && before.length === 0;
  if (!isRead && !mayWrite) return openFinding(`${operation} needs --write`);
  const missingForPreparation = before.map((id) => caller.missingOptions(caller.operation(id)));
  const missingOptions = [caller.missingOptions(caller.operation(operation), input), ...missingForPreparation].find(
    (candidate) => candidate !== undefined,
  );
  if (missingOptions !== undefined) return openFinding(`${operation} needs ${missingOptions}`);
  const { result, problems } = await callAndUndo(caller, probe);
  if (result === undefined) return openFinding(problems.join("; "));
  const evidence = [evidenceOf(probe, result), ...problems].join("; ");
  const outcome = probe.outcomes.find((candidate) => matchesOutcome(candidate, result));
  // A success without a JSON body may come from a gateway, so it is accepted only for an outcome with `drift` (see probes.yaml).
  if (isSuccess(result.status) && result.body === undefined && outcome?.drift === undefined)
    return openFinding(`${evidence}; its body is not JSON that the client accepts`);
  if (outcome === undefined) return openFinding(evidence);
  const { answer } = outcome;
  if (answer === "assumed")
    return {
      verdict: "answered",
      evidence,
      change: "As assumed: the references to the question are removed from the contract.",
    };
  // If the contract assumes nothing, an answer cannot contradict the contract.
  const verdict = question.assumesNothing ? "answered" : "contradicted";
  return { verdict, evidence, change: `${answer}: ${question.change[answer]}` };
}

interface ProbeCall {
  /** If undefined, `problems` says why. */
  readonly result?: CallResult;
  readonly problems: readonly string[];
}

/** Undoes the probe's changes also if a call throws. */
async function callAndUndo(caller: Caller, probe: Probe): Promise<ProbeCall> {
  const earlierChanges = new Set(caller.changes);
  const undo = () => {
    const probeChanges = caller.changes.filter((change) => !earlierChanges.has(change));
    return undoChanges(caller, probeChanges, probe.undo);
  };
  let call: ProbeCall;
  try {
    call = await callProbe(caller, probe);
  } catch (error) {
    await undo();
    throw error;
  }
  return { ...call, problems: [...call.problems, ...(await undo())] };
}

async function callProbe(caller: Caller, { operation, before = [], input }: Probe): Promise<ProbeCall> {
  const problem = await prepare(caller, before);
  if (problem !== undefined) return { problems: [problem] };
  const result = await caller.attempt(caller.operation(operation), input);
  return result instanceof ServiceError ? { problems: [result.message] } : { result, problems: [] };
}

/** Stops at the first call that fails. @returns the reason for the failure. */
async function prepare(caller: Caller, before: readonly string[]): Promise<string | undefined> {
  for (const id of before) {
    const result = await caller.attempt(caller.operation(id));
    if (result instanceof ServiceError) return `${id}: ${result.message}`;
    if (result.status >= 400) return `${id} → ${result.status}`;
  }
  return undefined;
}

/**
 * Undoes changes, the last one first. Refused calls have made no change: a user who was already suspended before the probe stays suspended.
 *
 * @param undo by operation, the operation that undoes it. The changes of other operations are not undone.
 * @returns the problems, such as `NOT UNDONE: call unblockCard`.
 */
async function undoChanges(caller: Caller, changes: readonly Change[], undo: Probe["undo"] = {}): Promise<string[]> {
  const problems: string[] = [];
  for (const operationId of new Set(changes.map((change) => change.operationId).toReversed())) {
    const undoId = undo[operationId];
    if (undoId === undefined) continue;
    const result = await caller.undo(caller.operation(undoId));
    if (result instanceof ServiceError) problems.push(result.message, `NOT UNDONE: call ${undoId}`);
    else if (!isSuccess(result.status)) problems.push(`NOT UNDONE: call ${undoId}`);
    else caller.forget(changes.filter((change) => change.operationId === operationId));
  }
  return problems;
}

function matchesOutcome(outcome: ProbeOutcome, { status, headers, body, drift }: CallResult): boolean {
  const { code, header, every = {}, some = {}, sorted } = outcome;
  const responseCode = codeIn(body);
  const matchesPointer = ([pointer, schema]: [string, ProbeSchema], mustAllMatch: boolean) => {
    const values = valuesAt(body, pointer);
    const matchesSchema = (value: unknown) =>
      inspect(toSchema(schema), value).violations.every(({ rule }) => rule.startsWith("unlisted"));
    return values.length > 0 && (mustAllMatch ? values.every(matchesSchema) : values.some(matchesSchema));
  };
  return (
    (outcome.status === undefined || [outcome.status].flat().includes(status)) &&
    (code === undefined || code === (responseCode ?? "none") || (code === "other" && responseCode !== undefined)) &&
    (header === undefined || headers.has(header)) &&
    (outcome.drift === undefined ||
      (outcome.drift === "none" ? drift.length === 0 : drift.some(({ rule }) => outcome.drift?.includes(rule)))) &&
    Object.entries(every).every((entry) => matchesPointer(entry, true)) &&
    Object.entries(some).every((entry) => matchesPointer(entry, false)) &&
    (sorted === undefined || isSorted(valuesAt(body, sorted)))
  );
}

/** Whether the values are sorted as texts, in either direction. False for fewer than ten different values: they could be sorted by chance. */
function isSorted(values: readonly unknown[]): boolean {
  const texts = values.map(String);
  const ascendingTexts = [...texts].sort();
  const orders = [ascendingTexts, ascendingTexts.toReversed()].map((order) => order.join("\n"));
  return new Set(texts).size >= 10 && orders.includes(texts.join("\n"));
}

function toSchema(schema: ProbeSchema): Schema {
  const { pattern, ...rest } = schema;
  return { ...rest, ...(pattern === undefined ? {} : { pattern: new RegExp(String(pattern), "u") }) } as Schema;
}

function evidenceOf({ operation, outcomes }: Probe, { status, headers, body, drift }: CallResult): string {
  const pointers = [
    ...new Set(outcomes.flatMap(({ every = {}, some = {} }) => [...Object.keys(every), ...Object.keys(some)])),
  ];
  const valueTexts = pointers.map((pointer) => {
    const texts = [...new Set(valuesAt(body, pointer).map((value) => describe(value, pointer)))];
    return `${pointer || "body"}: ${texts.slice(0, 5).join(", ") || "nothing"}${texts.length > 5 ? " …" : ""}`;
  });
  const headerTexts = outcomes.flatMap(({ header }) =>
    header !== undefined && headers.has(header) ? [`header ${header}`] : [],
  );
  const deviationTexts = outcomes.some((outcome) => outcome.drift !== undefined)
    ? drift.slice(0, 5).map(({ pointer, rule }) => `${pointer} ${rule}`.trim())
    : [];
  const callText = `${operation} → ${[status, codeIn(body) ?? []].flat().join(" ")}`;
  return [callText, ...valueTexts, ...headerTexts, ...deviationTexts].join("; ");
}

export function markdownOf({ answers, calls, changes }: AskResult): string {
  const resultsWith = (expected: Verdict) => answers.filter(({ verdict }) => verdict === expected);
  const counts = (["answered", "contradicted", "open"] as const).map(
    (verdict) => `${resultsWith(verdict).length} ${verdict}`,
  );
  const sections = (["contradicted", "answered", "open"] as const).flatMap((verdict) => {
    const rows = resultsWith(verdict).map(({ id, question, assumption, findings }) => {
      const lines = findings.flatMap(({ evidence, change }) => [
        `- ${evidence}`,
        ...(change === undefined ? [] : [`  - ${change}`]),
      ]);
      return `### ${id}\n\n${question} Assumed: ${assumption}\n\n${lines.join("\n")}`;
    });
    return rows.length === 0 ? [] : [`## ${verdict[0]?.toUpperCase()}${verdict.slice(1)}`, ...rows];
  });
  const changeItems = changeLines(changes).map((line) => `- ${line}`);
  return [
    ...[`# Open questions: ${counts.join(", ")}`, `Calls that were made: ${calls}.`, ...sections],
    ...(changeItems.length === 0 ? [] : [`## Changed and not reverted\n\n${changeItems.join("\n")}`]),
  ].join("\n\n");
}
