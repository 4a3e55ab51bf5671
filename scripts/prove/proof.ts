import type { Plan } from "../mock/plan/index.ts";
import type { Condition } from "./conditions.ts";
import type { ProveOptions } from "./options.ts";
import {
  type Call,
  type ConditionResult,
  type Finding,
  findingTitles,
  limitations,
  type Problem,
  type ProofReport,
} from "./report.ts";
import { awaitAll } from "./schedule.ts";
import { formatOnly } from "./select.ts";

const shortPausesRemark =
  "PARTNER_WALLET_PROVE=1 was set: pauses that the program shortens for it are longer in production.";

/** One run of the program, or runs with the same call and different delays. */
export interface RunResult {
  readonly call?: Call | undefined;
  /**
   * For a run with a finding in an additional run for `--answers`: the tested condition, and the answers that lead to the finding. The report
   * lists such runs under a name for the set of answers, such as `answers-1`.
   */
  readonly origin?: { readonly condition: string; readonly answers: readonly string[] } | undefined;
  /** Whether the condition was applied; false if the program has not made the call in this run. */
  readonly isMet: boolean;
  readonly problems: readonly Problem[];
  readonly remarks: readonly string[];
  readonly unclearCount: number;
  readonly runCount: number;
  /** If the condition has a delay: the longest tested delay without a problem, in milliseconds; 0 if there was a problem at every delay. */
  readonly rightUpToMs?: number;
}

export interface ConditionProof {
  readonly condition: ConditionResult;
  readonly findings: readonly Finding[];
  readonly remarks: readonly string[];
}

export function makeProof(
  { name, meaning }: Pick<Condition, "name" | "meaning">,
  runs: readonly RunResult[],
  { successWord, milliseconds }: { readonly successWord: string; readonly milliseconds: number },
): ConditionProof {
  const findings = runs.flatMap(({ call, origin, problems }) =>
    problems.map(
      ({ kind, seen }): Finding => ({
        condition: name,
        call,
        kind,
        title: findingTitles[kind](successWord),
        seen,
        only: formatOnly(origin?.condition ?? name, call),
        answers: origin?.answers,
      }),
    ),
  );
  const failedRuns = runs.filter(({ problems }) => problems.length > 0).length;
  const rightDelays = runs.flatMap(({ rightUpToMs }) => rightUpToMs ?? []);
  const condition: ConditionResult = {
    name,
    meaning,
    failedRuns,
    milliseconds,
    result: failedRuns > 0 ? "failed" : runs.some(({ isMet }) => isMet) ? "passed" : "not-met",
    runs: runs.reduce((sum, { runCount }) => sum + runCount, 0),
    unclear: runs.reduce((sum, { unclearCount }) => sum + unclearCount, 0),
    ...(rightDelays.length === 0 ? {} : { rightUpToSeconds: Math.min(...rightDelays) / 1000 }),
  };
  return { condition, findings, remarks: runs.flatMap(({ remarks }) => remarks) };
}

const kinds = Object.keys(findingTitles);
const rankOf = ({ kind }: Finding) => kinds.indexOf(kind);

/**
 * Waits for `proofs`, and makes the report. Calls `onCondition` with each result, in order. After an abort, the report contains only the
 * conditions before the first one without a result.
 *
 * @param facts `conditions`: the tested conditions, which name open questions. `proofs`: the results, in the order of the report.
 * @throws the error of a condition, unless the signal is aborted.
 */
export async function makeReport(
  { version, probes }: Plan,
  { seed, lateSeconds, signal, hasFullPauses, onCondition }: ProveOptions,
  facts: Pick<ProofReport, "proof" | "input" | "remarks"> & {
    readonly conditions: readonly Pick<Condition, "questions">[];
    readonly proofs: readonly Promise<ConditionProof>[];
    /** The number of conditions to prove; after an abort, `proofs` may lack some of them. Default: the number of `proofs`. */
    readonly plannedCount?: number;
    /** Start of the run, as returned by `performance.now()`. */
    readonly startedAt: number;
  },
): Promise<ProofReport> {
  const { proof, input, conditions, proofs, startedAt, plannedCount = proofs.length } = facts;
  const results: ConditionProof[] = [];
  const allProofs = awaitAll(proofs);
  try {
    for (const conditionProof of proofs) {
      const result = await conditionProof;
      results.push(result);
      onCondition?.(result.condition);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await allProofs.catch(() => {});
  }
  const isStopped = results.length < plannedCount;
  const stoppedRemark = `Stopped: ${plannedCount - results.length} of ${plannedCount} conditions have no result.`;
  const ids = [...new Set(conditions.flatMap(({ questions }) => questions))];
  return {
    proof,
    version,
    seed,
    lateSeconds,
    isStopped,
    conditions: results.map(({ condition }) => condition),
    findings: results.flatMap(({ findings }) => findings).sort((a, b) => rankOf(a) - rankOf(b)),
    input,
    remarks: [
      ...new Set([...facts.remarks, ...results.flatMap(({ remarks }) => remarks)]),
      ...(hasFullPauses ? [] : [shortPausesRemark]),
      ...(isStopped ? [stoppedRemark] : []),
    ],
    questions: ids.map((id) => ({ id, question: probes.texts[id] ?? "" })),
    cannotProve: limitations,
    milliseconds: performance.now() - startedAt,
  };
}
