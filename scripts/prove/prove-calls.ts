/** Tests a program that makes calls: applies each condition to each of its calls, each time in a new world of the mock. */
import { setMaxListeners } from "node:events";
import type { Answers } from "../mock/answers/index.ts";
import { startMock } from "../mock/host/index.ts";
import type { Edition, Plan } from "../mock/plan/index.ts";
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
const kindsOfSlowness: readonly FindingKind[] = ["not-done-not-reported", "does-not-finish", "reported-without-reason"];
/** How often a run that went wrong in such a way is run again before it counts as a success. */
const repetitions = 2;

/** The conditions that are tried with other answers. */
const triedInWorlds = ["no-fault", "response-lost", "run-again", "ends-failed"];

/** The number of further runs that search for the longest delay without a finding, by bisection. */
const halvings = 4;

export async function proveCalls(plan: Plan, journey: Journey, options: ProveOptions): Promise<ProofReport> {
  const startedAt = performance.now();
  const { seed, signal, edition } = options;
  checkEdition(plan, journey, edition);
  const selected = readOnly(options.only, journey.conditions);
  // Each running program adds a listener; 0 switches off the warning about many listeners.
  setMaxListeners(0, signal);
  const mock = await startMock(plan, { seed, edition });
  try {
    const { always, sets } = readWorlds(plan, options.answers ?? []);
    const proving: Proving = { plan, mock, journey, options, answers: always, alone: limitTo(1) };
    const [noFault] = journey.conditions as [Condition];
    const about = { proof: journey.name, startedAt, input: shownInput(journey) };
    const first = await runUntilCertain(proving, noFault, undefined).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    if (first === undefined) {
      const proofs = selected.map(() => Promise.reject(signal.reason));
      return await reportOf(plan, options, { ...about, conditions: [], proofs, remarks: [] });
    }
    checkCalls(journey, first);
    const firstMs = performance.now() - startedAt;
    const proveFirst = async () => proofOf(noFault, [first], { done: journey.done, milliseconds: firstMs });
    const isUsable = first.problems.every(({ kind }) => usableKinds.includes(kind));
    if (!isUsable) {
      const remarks = ["Without a fault the program does not do what it should: nothing else was tried."];
      return await reportOf(plan, options, { ...about, conditions: [noFault], proofs: [proveFirst()], remarks });
    }
    const limit = limitTo(options.parallel);
    const tasksOf = ({ condition, calls }: Selected, prove: ProveCall): Task[] => {
      const met = condition.fault === undefined ? [undefined] : (calls ?? callsOf(proving, condition, first.calls));
      return met.map((call) => () => prove(condition, call));
    };
    const proofs = selected.map((one) => {
      if (one.condition === noFault) return proveFirst();
      const tasks = tasksOf(one, (condition, call) => proveCall(proving, condition, call));
      return runTasks(one.condition, tasks, limit, journey.done);
    });
    const proofsOfWorlds = sets.map((answers, index) => {
      const ofWorld = selected.filter(({ condition }) => triedInWorlds.includes(condition.name));
      const tasks = ofWorld.flatMap((one) =>
        tasksOf(one, (condition, call) => proveInWorld({ ...proving, answers }, condition, call)),
      );
      const name = `answers-${index + 1}`;
      return runTasks({ name, meaning: namesOf(answers).join("; ") }, tasks, limit, journey.done);
    });
    return await reportOf(plan, options, {
      ...{ ...about, proofs: [...proofs, ...proofsOfWorlds], remarks: [] },
      conditions: selected.map(({ condition }) => condition),
    });
  } finally {
    await mock.close();
  }
}

interface Proving extends ProofContext {
  /** Runs one task at a time. */
  readonly alone: Limit;
}

type Selected = ReturnType<typeof readOnly<Condition>>[number];
type ProveCall = (condition: Condition, call: Call | undefined) => Promise<RunResult>;
type Task = () => Promise<RunResult>;

/** Findings of the run without a fault that do not prevent the other runs. */
const usableKinds: readonly FindingKind[] = ["secret-in-the-clear", "reported-without-reason"];

function checkEdition(plan: Plan, { name, operations }: Journey, edition: Edition): void {
  const absent = operations.filter((operation) =>
    plan.operations.every((one) => one.operationId !== operation || !one.editions.includes(edition)),
  );
  if (absent.length === 0) return;
  throw new ProveError(`${name} cannot be proven in the edition ${edition}, which has no ${absent.join(", ")}.`);
}

/** @throws {ProveError} if the program has made none of the calls of its journey. */
function checkCalls({ operations }: Journey, { calls, problems }: ConditionRun): void {
  if (operations.some((operation) => calls[operation] !== 0)) return;
  const [problem] = problems.filter(({ kind }) => kind === "does-not-finish");
  const reads = "Does it read PARTNER_WALLET_BASE_URL and PARTNER_WALLET_API_KEY?";
  throw new ProveError(
    `The program called none of ${operations.join(", ")} at the mock. ${reads} ${problem?.seen ?? ""}`.trim(),
  );
}

/** The time of a condition begins with the first of its tasks, because tasks wait for others. */
async function runTasks(
  condition: Pick<Condition, "name" | "meaning">,
  tasks: readonly Task[],
  limit: Limit,
  done: string,
): Promise<ConditionProof> {
  let startedAt = performance.now();
  const timed = tasks.map((task, index) => () => {
    if (index === 0) startedAt = performance.now();
    return task();
  });
  const runs = await allOf(timed.map(limit));
  return proofOf(condition, runs, { done, milliseconds: performance.now() - startedAt });
}

/**
 * In a world with answers that a program need not expect, the program may report a row as unclear or failed without a reason. Any other
 * finding is traced to one answer, by trying each alone.
 */
async function proveInWorld(proving: Proving, condition: Condition, call: Call | undefined): Promise<RunResult> {
  const run = async (answers: Answers) => {
    const result = await runUntilCertain({ ...proving, answers }, condition, call);
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
async function proveCall(proving: Proving, condition: Condition, call: Call | undefined): Promise<RunResult> {
  const lateMs = proving.options.lateSeconds * 1000;
  const result = await runUntilCertain(proving, condition, call);
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
async function runUntilCertain(proving: Proving, condition: Condition, call: Call | undefined): Promise<ConditionRun> {
  const result = await runCondition(proving, condition, call);
  const { problems } = result;
  if (problems.length === 0 || problems.some(({ kind }) => !kindsOfSlowness.includes(kind))) return result;
  let again = result;
  for (let run = 0; run < repetitions; run += 1) {
    again = await proving.alone(() => runCondition(proving, condition, call));
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
