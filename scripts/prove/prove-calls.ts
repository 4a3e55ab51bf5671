/** Tests a program that makes calls: applies each condition to each of its calls, each time in a new world of the mock. */
import { setMaxListeners } from "node:events";
import type { Answers } from "../mock/answers/index.ts";
import { startMock } from "../mock/host/index.ts";
import type { Plan } from "../mock/plan/index.ts";
import { failureOf, refusalOf } from "./caller.ts";
import type { Condition } from "./conditions.ts";
import { type Journey, shownInput } from "./journey.ts";
import type { ProveOptions } from "./options.ts";
import { ProveError } from "./processes.ts";
import { type ConditionProof, proofOf, type RunResult, reportOf } from "./proof.ts";
import { type Call, type FindingKind, findingTitles, type ProofReport } from "./report.ts";
import { type ProofContext, runCondition } from "./run-condition.ts";
import { allOf, type Limit, limitTo } from "./schedule.ts";
import { onlyOf, readOnly } from "./select.ts";
import { namesOf, readWorlds } from "./worlds.ts";

/** What a slow machine can cause, by a timeout of the program or of its connection. Nothing is paid twice for that reason. */
const canBeSlowness: readonly FindingKind[] = ["not-done-not-reported", "does-not-finish", "reported-without-reason"];
/** How often a run that went wrong in such a way is run again before it counts as a success. */
const repetitions = 2;

/** The conditions that are tried with other answers. */
const tried = ["no-fault", "response-lost", "run-again", "ends-failed"];

/** The number of further runs that search for the longest delay without a finding, by bisection. */
const halvings = 4;

export async function proveCalls(plan: Plan, journey: Journey, options: ProveOptions): Promise<ProofReport> {
  const startedAt = performance.now();
  const { seed, signal, edition } = options;
  const { conditions, operations } = journey;
  const selected = readOnly(options.only, conditions);
  const absent = operations.filter((operation) =>
    plan.operations.every((one) => one.operationId !== operation || !one.editions.includes(edition)),
  );
  if (absent.length > 0) {
    throw new ProveError(
      `${journey.name} cannot be proven in the edition ${edition}, which has no ${absent.join(", ")}.`,
    );
  }
  // Each running program adds a listener; 0 switches off the warning about many listeners.
  setMaxListeners(0, signal);
  const mock = await startMock(plan, { seed, edition });
  try {
    const worlds = readWorlds(plan, options.answers ?? []);
    const proving: ProofContext = { plan, mock, journey, options, answers: worlds.always };
    const [noFault] = conditions as [Condition];
    const about = { proof: journey.name, startedAt, input: shownInput(journey) };
    const alone = limitTo(1);
    const firstRun = await runUntilCertain(proving, noFault, undefined, alone).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    if (firstRun === undefined) {
      const proofs = selected.map(() => Promise.reject(signal.reason));
      return await reportOf(plan, options, { ...about, conditions: [], proofs, remarks: [] });
    }
    const { calls: made, ...first } = firstRun;
    const firstMs = performance.now() - startedAt;
    if (operations.every((operation) => made[operation] === 0)) {
      const [problem] = first.problems.filter(({ kind }) => kind === "does-not-finish");
      const reads = "Does it read PARTNER_WALLET_BASE_URL and PARTNER_WALLET_API_KEY?";
      throw new ProveError(
        `The program called none of ${operations.join(", ")} at the mock. ${reads} ${problem?.seen ?? ""}`.trim(),
      );
    }
    const isUsable = first.problems.every(
      ({ kind }) => kind === "secret-in-the-clear" || kind === "reported-without-reason",
    );
    const planned = isUsable ? selected : [{ condition: noFault, calls: undefined }];
    const limit = limitTo(options.parallel);
    const prove = async ({ condition, calls }: (typeof planned)[number]): Promise<ConditionProof> => {
      const { done } = journey;
      if (condition === noFault) return proofOf(noFault, [first], { done, milliseconds: firstMs });
      const met = condition.fault === undefined ? [undefined] : (calls ?? callsOf(proving, condition, made));
      let startedOne = performance.now();
      const tasks = met.map((call, index) => async () => {
        if (index === 0) startedOne = performance.now();
        return proveCall(proving, condition, call, alone);
      });
      const runs = await allOf(tasks.map(limit));
      return proofOf(condition, runs, { done, milliseconds: performance.now() - startedOne });
    };
    const inWorld = async (answers: Answers, index: number): Promise<ConditionProof> => {
      const about = { name: `answers-${index + 1}`, meaning: namesOf(answers).join("; ") };
      const startedOne = performance.now();
      const tasks = selected
        .filter(({ condition }) => tried.includes(condition.name))
        .flatMap(({ condition, calls }) => {
          const met = condition.fault === undefined ? [undefined] : (calls ?? callsOf(proving, condition, made));
          return met.map((call) => () => proveInWorld({ ...proving, answers }, condition, call, alone));
        });
      const runs = await allOf(tasks.map(limit));
      return proofOf(about, runs, { done: journey.done, milliseconds: performance.now() - startedOne });
    };
    return await reportOf(plan, options, {
      ...{ ...about, proofs: [...planned.map(prove), ...(isUsable ? worlds.sets.map(inWorld) : [])] },
      conditions: planned.map(({ condition }) => condition),
      remarks: isUsable ? [] : ["Without a fault the program does not do what it should: nothing else was tried."],
    });
  } finally {
    await mock.close();
  }
}

/**
 * In a world with answers that a program need not expect, the program may report a row as unclear or failed without a reason. Any other
 * finding is traced to one answer, by trying each alone.
 */
async function proveInWorld(
  proving: ProofContext,
  condition: Condition,
  call: Call | undefined,
  alone: Limit,
): Promise<RunResult> {
  const run = async (answers: Answers) => {
    const result = await runUntilCertain({ ...proving, answers }, condition, call, alone);
    return { ...result, problems: result.problems.filter(({ kind }) => kind !== "reported-without-reason") };
  };
  const result = await run(proving.answers);
  if (result.problems.length === 0) return result;
  const each = Object.entries(proving.answers).map(([id, answer]) => ({ [id]: answer }));
  const found = await allOf(each.map(async (one) => ((await run(one)).problems.length > 0 ? namesOf(one) : [])));
  const answers = found.some(({ length }) => length > 0) ? found.flat() : namesOf(proving.answers);
  return { ...result, within: { condition: condition.name, answers } };
}

/** If the delay has a finding, searches for the longest delay without one. */
async function proveCall(
  proving: ProofContext,
  condition: Condition,
  call: Call | undefined,
  alone: Limit,
): Promise<RunResult> {
  const lateMs = proving.options.lateSeconds * 1000;
  const result = await runUntilCertain(proving, condition, call, alone);
  if (condition.isLate !== true) return result;
  let [right, wrong, runs] = result.problems.length === 0 ? [lateMs, lateMs, 1] : [0, lateMs, 1];
  while (right < wrong && runs <= halvings) {
    const tried = (right + wrong) / 2;
    const { problems } = await runCondition(proving, condition, call, tried);
    if (problems.length === 0) right = tried;
    else wrong = tried;
    runs += 1;
  }
  return { ...result, runs, rightUpToMs: right };
}

type ConditionRun = Awaited<ReturnType<typeof runCondition>>;

/** Runs again, one at a time, what a slow machine can have caused: it counts as a failure if it goes wrong once more. */
async function runUntilCertain(
  proving: ProofContext,
  condition: Condition,
  call: Call | undefined,
  alone: Limit,
): Promise<ConditionRun> {
  const result = await runCondition(proving, condition, call);
  const { problems } = result;
  if (problems.length === 0 || problems.some(({ kind }) => !canBeSlowness.includes(kind))) return result;
  let again = result;
  for (let run = 0; run < repetitions; run += 1) {
    again = await alone(() => runCondition(proving, condition, call));
    if (again.problems.length > 0) return again;
  }
  const titles = [...new Set(problems.map(({ kind }) => findingTitles[kind](proving.journey.done)))];
  const said = `${onlyOf(condition.name, call)}: once "${titles.join('", "')}", and no finding in ${repetitions} more runs: this counts as a success, because a slow machine can cause it.`;
  return { ...again, remarks: [...again.remarks, said] };
}

function callsOf(
  { plan, journey }: ProofContext,
  { on, needs }: Condition,
  made: Readonly<Record<string, number>>,
): readonly Call[] {
  const isPossible = { failure: failureOf, refusal: refusalOf };
  const operations = (on ?? journey.operations).filter(
    (one) => needs === undefined || isPossible[needs](plan, one) !== undefined,
  );
  return operations.flatMap((operation) =>
    Array.from({ length: made[operation] ?? 0 }, (_, index) => ({ operation, number: index + 1 })),
  );
}
