/**
 * A condition with a fault is tested once for each call that it concerns, any other condition once. Each run is in a new world of the mock.
 */
import { setMaxListeners } from "node:events";
import type { Answers } from "../mock/answers/index.ts";
import { startMock } from "../mock/host/index.ts";
import type { Edition, Plan } from "../mock/plan/index.ts";
import { formatAnswers, parseAnswers } from "./answers.ts";
import { failureStatusOf, refusalCodeOf } from "./caller.ts";
import { type Condition, noFault } from "./conditions.ts";
import { supportsStartTime } from "./environment.ts";
import { type Journey, maskedInput } from "./journey.ts";
import type { ProveOptions } from "./options.ts";
import { ProveError } from "./processes.ts";
import { type ConditionProof, makeProof, makeReport, type RunResult } from "./proof.ts";
import { type Call, type FindingKind, findingTitles, type ProofReport } from "./report.ts";
import { type ProofContext, runCondition } from "./run-condition.ts";
import { awaitAll, type Limit, makeLimit } from "./schedule.ts";
import { formatOnly, parseOnly } from "./select.ts";

/**
 * The kinds of findings that a slow machine can cause, by a timeout of the program or its connection. A slow machine cannot cause a double
 * payment.
 */
const timingKinds: readonly FindingKind[] = ["not-done-not-reported", "does-not-finish", "reported-without-reason"];
/** A run with only such findings is repeated this many times, and counts as a success if no repetition has a finding. */
const maxRepetitions = 2;

/** The maximum number of runs of the bisection that searches for the longest delay without a finding. */
const maxBisections = 4;

export async function proveCalls(plan: Plan, journey: Journey, options: ProveOptions): Promise<ProofReport> {
  const startedAt = performance.now();
  const { seed, signal, edition } = options;
  checkEdition(plan, journey, edition);
  const selectedConditions = parseOnly(options.only, journey.conditions, (condition) =>
    testedOperations(plan, journey, condition),
  );
  const { fixedAnswers, answerSets } = parseAnswers(plan, options.answers ?? []);
  if (answerSets.length > 0 && !selectedConditions.some(({ condition }) => condition.isTriedWithAnswers)) {
    const triedNames = journey.conditions.filter((condition) => condition.isTriedWithAnswers).map(({ name }) => name);
    throw new ProveError(`Other answers are tried under ${triedNames.join(", ")}, and --only names none of them.`);
  }
  // 0 disables the warning about many listeners: each running program adds one.
  setMaxListeners(0, signal);
  const mock = await startMock(plan, { seed, edition });
  try {
    const proofRun: ProofRun = { plan, mock, journey, options, answers: fixedAnswers, limitRepetitions: makeLimit(1) };
    const reportFacts = { proof: journey.name, startedAt, input: maskedInput(journey), remarks: [] };
    const firstResult = await runUntilCertain(proofRun, noFault, undefined).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    if (firstResult === undefined) {
      const plannedCount = selectedConditions.length;
      return makeReport(plan, options, { ...reportFacts, conditions: [], proofs: [], plannedCount });
    }
    checkCalls(journey, firstResult);
    const firstMs = performance.now() - startedAt;
    const firstProof = makeProof(noFault, [firstResult], { successWord: journey.successWord, milliseconds: firstMs });
    const isUsable = firstResult.problems.every(({ kind }) => usableKinds.includes(kind));
    if (!isUsable) {
      return makeReport(plan, options, {
        ...reportFacts,
        conditions: [noFault],
        proofs: [Promise.resolve(firstProof)],
        remarks: ["Without a fault the program does not do what it should: nothing else was tried."],
      });
    }
    const proofs = proveConditions(proofRun, firstProof, {
      selectedConditions,
      answerSets,
      callCounts: firstResult.calls,
    });
    return await makeReport(plan, options, {
      ...reportFacts,
      conditions: selectedConditions.map(({ condition }) => condition),
      proofs,
    });
  } finally {
    await mock.close();
  }
}

interface ProofTargets {
  readonly selectedConditions: readonly SelectedCondition[];
  readonly answerSets: readonly Answers[];
  /** By operation, the number of calls that the program makes if nothing fails. */
  readonly callCounts: Readonly<Record<string, number>>;
}

/** All conditions are tested with the answers of the proof, and some of them also with each other set of answers. */
function proveConditions(
  proofRun: ProofRun,
  firstProof: ConditionProof,
  { selectedConditions, answerSets, callCounts }: ProofTargets,
): Promise<ConditionProof>[] {
  const { options, journey } = proofRun;
  const { successWord } = journey;
  const limit = makeLimit(options.parallel);
  const tasksOf = ({ condition, calls }: SelectedCondition, prove: ProveCall): Task[] => {
    const targets = condition.fault === undefined ? [undefined] : (calls ?? callsOf(proofRun, condition, callCounts));
    return targets.map((call) => () => prove(condition, call));
  };
  const proofs = selectedConditions.map(async (selectedCondition) => {
    const { condition } = selectedCondition;
    if (condition === noFault) return firstProof;
    if (condition.startsAt !== undefined && !supportsStartTime(options.command))
      return makeProof(condition, [], { successWord, milliseconds: 0 });
    const tasks = tasksOf(selectedCondition, (...target) => proveCall(proofRun, ...target));
    return runTasks(condition, tasks, limit, successWord);
  });
  const proofsWithAnswers = answerSets.map((answers, index) => {
    const conditions = selectedConditions.filter(({ condition }) => condition.isTriedWithAnswers);
    const tasks = conditions.flatMap((selectedCondition) =>
      tasksOf(selectedCondition, (...target) => proveInWorld({ ...proofRun, answers }, ...target)),
    );
    const condition = { name: `answers-${index + 1}`, meaning: formatAnswers(answers).join("; ") };
    return runTasks(condition, tasks, limit, successWord);
  });
  return [...proofs, ...proofsWithAnswers];
}

interface ProofRun extends ProofContext {
  /** One repetition of a run at a time, in parallel with the other runs. */
  readonly limitRepetitions: Limit;
}

type SelectedCondition = ReturnType<typeof parseOnly<Condition>>[number];
type ProveCall = (condition: Condition, call: Call | undefined) => Promise<RunResult>;
type Task = () => Promise<RunResult>;

/** Findings of these kinds in the run without a fault do not prevent the other runs. */
const usableKinds: readonly FindingKind[] = ["secret-in-the-clear", "reported-without-reason"];

function checkEdition(plan: Plan, { name, operations }: Journey, edition: Edition): void {
  const missingOperations = operations.filter((operation) =>
    plan.operations.every((candidate) => candidate.operationId !== operation || !candidate.editions.includes(edition)),
  );
  if (missingOperations.length === 0) return;
  throw new ProveError(
    `${name} cannot be proven in the edition ${edition}, which has no ${missingOperations.join(", ")}.`,
  );
}

/** @throws {ProveError} if the program has made none of the calls of its journey. */
function checkCalls({ operations }: Journey, { calls, problems }: ConditionRun): void {
  if (operations.some((operation) => calls[operation] !== 0)) return;
  const [problem] = problems.filter(({ kind }) => kind === "does-not-finish");
  const hint = "Does it read PARTNER_WALLET_BASE_URL and PARTNER_WALLET_API_KEY?";
  throw new ProveError(
    `The program called none of ${operations.join(", ")} at the mock. ${hint} ${problem?.seen ?? ""}`.trim(),
  );
}

/** The time is measured from the start of the first task, because tasks wait for tasks of other conditions. */
async function runTasks(
  condition: Pick<Condition, "name" | "meaning">,
  tasks: readonly Task[],
  limit: Limit,
  successWord: string,
): Promise<ConditionProof> {
  let startedAt = performance.now();
  const timedTasks = tasks.map((task, index) => () => {
    if (index === 0) startedAt = performance.now();
    return task();
  });
  const runs = await awaitAll(timedTasks.map(limit));
  return makeProof(condition, runs, { successWord, milliseconds: performance.now() - startedAt });
}

/**
 * Tests a condition in a world with chosen answers. Because a program need not expect these answers, it may report a row as unclear or
 * failed without a reason. For any other finding, the run is repeated with each answer alone, to find the answer that causes the finding.
 */
async function proveInWorld(proofRun: ProofRun, condition: Condition, call: Call | undefined): Promise<RunResult> {
  const run = async (answers: Answers) => {
    const result = await runUntilCertain({ ...proofRun, answers }, condition, call);
    return { ...result, problems: result.problems.filter(({ kind }) => kind !== "reported-without-reason") };
  };
  const result = await run(proofRun.answers);
  if (result.problems.length === 0) return result;
  const failingAnswers: string[] = [];
  // One after the other, because the runs share a place in the limit of parallel runs.
  for (const [id, answer] of Object.entries(proofRun.answers)) {
    const { problems } = await run({ [id]: answer });
    if (problems.length > 0) failingAnswers.push(...formatAnswers({ [id]: answer }));
  }
  const answers = failingAnswers.length > 0 ? failingAnswers : formatAnswers(proofRun.answers);
  return { ...result, origin: { condition: condition.name, answers } };
}

/**
 * Tests a condition at a call, or in a whole run if `call` is undefined. If the condition has a delay, and there is a finding at the
 * maximum delay, searches for the longest delay without a finding.
 */
async function proveCall(proofRun: ProofRun, condition: Condition, call: Call | undefined): Promise<RunResult> {
  const lateMs = proofRun.options.lateSeconds * 1000;
  const result = await runUntilCertain(proofRun, condition, call);
  if (condition.hasDelay !== true) return result;
  let [rightMs, failingMs, runCount] = result.problems.length === 0 ? [lateMs, lateMs, 1] : [0, lateMs, 1];
  while (rightMs < failingMs && runCount <= maxBisections) {
    const middleMs = (rightMs + failingMs) / 2;
    const { problems } = await runCondition(proofRun, condition, call, middleMs);
    if (problems.length === 0) rightMs = middleMs;
    else failingMs = middleMs;
    runCount += 1;
  }
  return { ...result, runCount, rightUpToMs: rightMs };
}

type ConditionRun = Awaited<ReturnType<typeof runCondition>>;

/**
 * If a slow machine may have caused all findings, the run is repeated up to {@link maxRepetitions} times.
 *
 * @returns the result of the first repetition with a finding; without one, of the last run.
 */
async function runUntilCertain(
  proofRun: ProofRun,
  condition: Condition,
  call: Call | undefined,
): Promise<ConditionRun> {
  const result = await runCondition(proofRun, condition, call);
  const { problems } = result;
  if (problems.length === 0 || problems.some(({ kind }) => !timingKinds.includes(kind))) return result;
  let repeatedResult = result;
  for (let run = 0; run < maxRepetitions; run += 1) {
    repeatedResult = await proofRun.limitRepetitions(() => runCondition(proofRun, condition, call));
    if (repeatedResult.problems.length > 0) return repeatedResult;
  }
  const titles = [...new Set(problems.map(({ kind }) => findingTitles[kind](proofRun.journey.successWord)))];
  const remark = `${formatOnly(condition.name, call)}: once "${titles.join('", "')}", and no finding in ${maxRepetitions} more runs: this counts as a success, because a slow machine can cause it.`;
  return { ...repeatedResult, remarks: [...repeatedResult.remarks, remark] };
}

function callsOf(
  { plan, journey }: ProofContext,
  condition: Condition,
  callCounts: Readonly<Record<string, number>>,
): readonly Call[] {
  return testedOperations(plan, journey, condition).flatMap((operation) =>
    Array.from({ length: callCounts[operation] ?? 0 }, (_, index) => ({ operation, number: index + 1 })),
  );
}

/** The operations at whose calls a condition is tested; none if it concerns whole runs. */
function testedOperations(plan: Plan, journey: Journey, condition: Condition): readonly string[] {
  const { fault, operations = journey.operations, needs } = condition;
  if (fault === undefined) return [];
  const neededValues = { failure: failureStatusOf, refusal: refusalCodeOf };
  return operations.filter((operation) => needs === undefined || neededValues[needs](plan, operation) !== undefined);
}
