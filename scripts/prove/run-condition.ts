/** Each run has a new world of the mock. The records of the mock are compared with the expected effects. */
import { hash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Answers } from "../mock/answers/index.ts";
import type { MockWorldControl } from "../mock/control/index.ts";
import type { RunningMock } from "../mock/host/index.ts";
import { hasFailed, type Plan } from "../mock/plan/index.ts";
import { formatAnswers } from "./answers.ts";
import { callerOf, failureStatusOf, mayRepeatAll, refusalCodeOf } from "./caller.ts";
import { type CallOperation, type Condition, killDelayMs } from "./conditions.ts";
import { programEnv, startTimeEnv } from "./environment.ts";
import type { Journey } from "./journey.ts";
import { leaksOf, problemsOf } from "./judge.ts";
import type { ProveOptions } from "./options.ts";
import { Output, type Secret } from "./output.ts";
import type { RunResult } from "./proof.ts";
import type { Call, FindingKind, Problem } from "./report.ts";
import { type RunOptions, type RunsResult, runToEnd, start } from "./run-program.ts";
import { RunFolder } from "./state.ts";

export interface ProofContext {
  readonly plan: Plan;
  readonly mock: RunningMock;
  readonly journey: Journey;
  readonly options: ProveOptions;
  readonly answers: Answers;
}

const finalDelay = "1 day";
const pollMs = 2;
/** The age of the users' accounts in milliseconds, if a condition sets the start time of the program. */
const accountAgeMs = 40 * 24 * 3_600_000;
/** The delay in milliseconds of every response to two parallel runs, so that the runs overlap. */
const overlapMs = 150;

/**
 * @param lateMs the delay of the effect of the call, or of its record in the history, in milliseconds, if the condition has such a delay.
 * @returns the result, and the number of calls by operation.
 */
export async function runCondition(
  context: ProofContext,
  condition: Condition,
  call?: Call,
  lateMs = context.options.lateSeconds * 1000,
): Promise<RunResult & { readonly calls: Readonly<Record<string, number>> }> {
  const { seed } = context.options;
  const name = [seed, condition.name, call?.operation, call?.number, lateMs, ...formatAnswers(context.answers)];
  const run = await prepareRun(context, condition, { name: name.join(" "), number: call?.number ?? 1 });
  const folder = new RunFolder();
  const result = await runInFolder(context, condition, { run, folder, call, lateMs }).finally(() => {
    folder.remove();
    run.world.reset();
  });
  return { ...result, remarks: [...result.remarks, ...folder.remarks] };
}

interface ConditionTarget {
  readonly run: PreparedRun;
  readonly folder: RunFolder;
  readonly call: Call | undefined;
  readonly lateMs: number;
}

async function runInFolder(
  context: ProofContext,
  condition: Condition,
  { run, folder, call, lateMs }: ConditionTarget,
): ReturnType<typeof runCondition> {
  const { plan, mock, journey, options } = context;
  const { key, world } = run;
  const secrets: Secret[] = [
    { name: "the API key", text: key, mayBeKept: false },
    ...journey.secrets.map((secret) => ({ ...secret, mayBeKept: true })),
  ];
  const output = new Output(secrets);
  folder.writeInput(journey);
  const runOptions: RunOptions = {
    command: options.command.map((word) =>
      word.replaceAll("{csv}", folder.csvPath).replaceAll("{state}", folder.statePath),
    ),
    env: { ...programEnv(mock, options, { API_KEY: key }), ...startTimeEnv(run.startsAt) },
    output,
    signal: options.signal,
    limitMs: options.limitSeconds * 1000 + lateMs,
    pauseMs: Math.max(100, lateMs / 2),
  };
  const { fault, nextFault } = condition;
  const isFaultPending =
    call === undefined || fault === undefined
      ? () => false
      : addFaults(context, world, { fault, nextFault, call, lateMs });
  const onFault = call && condition.duringDelay && (() => runDuringDelay(plan, condition, run, call.operation));
  const result = await runProgram(condition, runOptions, { plan, run, isFaultPending, onFault });
  options.signal.throwIfAborted();
  await world.clock.advance(finalDelay);
  const createdEntities = world.state().entities.filter(({ id }) => !run.foreignIds.has(id));
  const effects = journey.findEffects(createdEntities, ({ resource, states }) =>
    hasFailed(plan, resource, states.status),
  );
  const mayRepeat = mayRepeatAll(plan, journey.operations);
  const problems = problemsOf(journey, condition, { effects, result, output, mayRepeat });
  const requests = world.requests.slice(run.initialRequestCount);
  const storedSecrets = folder.findSecrets(secrets);
  return {
    call,
    isMet: !isFaultPending(),
    runCount: 1,
    unclearCount: output.unclearReferences.size,
    problems: [...problems.map((problem) => addCause(problem, requests, call)), ...leaksOf(output, storedSecrets)],
    remarks: storedSecrets
      .filter(({ mayBeKept }) => mayBeKept)
      .map(
        ({ name: kind }) => `After a run, ${kind} is stored unencrypted in the state: protect the state accordingly.`,
      ),
    calls: countCalls(journey, requests),
  };
}

interface PreparedRun {
  /** The name of the run. It contains the seed, and determines the API key and the time of a kill. */
  readonly name: string;
  readonly key: string;
  readonly world: MockWorldControl;
  readonly callOperation: CallOperation;
  /** The start time of the program, if the condition sets it, in milliseconds since 1970. */
  readonly startsAt: number | undefined;
  /** The number of requests before the program starts. */
  readonly initialRequestCount: number;
  /** The ids of entities that the preparation or the condition has created, not the program. */
  readonly foreignIds: Set<string>;
}

async function prepareRun(
  { plan, mock, journey, answers }: ProofContext,
  condition: Condition,
  { name, number }: { readonly name: string; readonly number: number },
): Promise<PreparedRun> {
  const key = `prove-${hash("sha256", name).slice(0, 32)}`;
  const world = mock.tenant(key);
  world.reset();
  const startsAt = condition.startsAt?.();
  if (startsAt !== undefined) await world.clock.set(startsAt - accountAgeMs);
  await journey.prepare(world, callerOf(plan, mock.url, key));
  const chosenAnswers = { ...answers, ...condition.answers };
  world.answer(chosenAnswers);
  if (startsAt !== undefined) await world.clock.set(startsAt);
  await condition.prepare?.(world, number);
  const initialRequestCount = world.requests.length;
  const callOperation = callerOf(plan, mock.url, key, chosenAnswers);
  return { name, key, world, callOperation, startsAt, initialRequestCount, foreignIds: new Set(idsIn(world)) };
}

function idsIn(world: MockWorldControl): string[] {
  return world.state().entities.map(({ id }) => id);
}

/** Adds the ids of the entities that `duringDelay` creates to `foreignIds`. */
async function runDuringDelay(
  plan: Plan,
  { duringDelay }: Condition,
  { world, callOperation: call, foreignIds }: PreparedRun,
  operation: string,
): Promise<void> {
  const existingIds = new Set(idsIn(world));
  const delayedRequest = world
    .listRequests({ sensitive: true })
    .findLast((candidate) => candidate.operation === operation);
  const isRead = ({ method, creates }: (typeof plan.operations)[number]) => method === "GET" && creates.length === 0;
  const reads = plan.operations.filter(isRead).map(({ operationId }) => operationId);
  const body = (delayedRequest?.body ?? {}) as Readonly<Record<string, string>>;
  await duringDelay?.({ world, operation, reads, body, call });
  for (const id of idsIn(world)) if (!existingIds.has(id)) foreignIds.add(id);
}

interface Faults {
  readonly fault: NonNullable<Condition["fault"]>;
  readonly nextFault: Condition["nextFault"] | undefined;
  readonly call: Call;
  readonly lateMs: number;
}

/** @returns a function that returns whether the first fault is still waiting for its call. */
function addFaults(
  { plan }: ProofContext,
  world: MockWorldControl,
  { fault, nextFault, call, lateMs }: Faults,
): () => boolean {
  const { operation, number } = call;
  const failureStatus = failureStatusOf(plan, operation) ?? "";
  const faultedCall = { number, lateMs, failureStatus, refusalCode: refusalCodeOf(plan, operation) ?? "" };
  const add = (makeFault: Faults["fault"]) =>
    world.faults.add({ ...makeFault(faultedCall), operation, ...(number > 1 ? { skip: number - 1 } : {}) });
  const addedFault = add(fault);
  if (nextFault !== undefined) add(nextFault);
  return () => world.faults.list.some((candidate) => candidate.number === addedFault.number);
}

interface RunContext {
  readonly plan: Plan;
  readonly run: PreparedRun;
  readonly isFaultPending: () => boolean;
  readonly onFault: (() => Promise<void>) | undefined;
}

/** @returns the result of the run that is judged, if the condition has several runs. */
async function runProgram(condition: Condition, options: RunOptions, context: RunContext): Promise<RunsResult> {
  const { run, isFaultPending, onFault } = context;
  if (condition.runs === "twice at once") return runTwiceAtOnce(options, context);
  if (condition.kill !== undefined) {
    return runToEnd(options, async (completion) => {
      if (!(await waitForFault(isFaultPending, completion))) return false;
      // The response is sent after `killDelayMs`. The kill follows 0 to 6 milliseconds later, as the name of the run determines.
      const jitterMs = hash("sha256", run.name, "buffer").readUInt8() % 7;
      if (condition.kill === "on the response") await wait(killDelayMs + jitterMs);
      return true;
    });
  }
  const programRuns = runToEnd(options);
  const reaction =
    onFault && waitForFault(isFaultPending, programRuns).then((isMet) => (isMet ? onFault() : undefined));
  const firstResult = await programRuns;
  await reaction;
  if (condition.runs === undefined || !firstResult.isFinished) return firstResult;
  if (condition.runs === "again") return runToEnd(options);
  return runWhenAllIsFinal(options, run.world);
}

async function runTwiceAtOnce(options: RunOptions, { plan, run: { world } }: RunContext): Promise<RunsResult> {
  for (const { operationId: operation } of plan.operations) {
    world.faults.add({ operation, delay: overlapMs, times: "always" });
  }
  const parallelRuns = [start(options), start(options)];
  await Promise.all(parallelRuns.map(({ completion }) => completion));
  world.faults.clear();
  return runToEnd(options);
}

async function runWhenAllIsFinal(options: RunOptions, world: MockWorldControl): Promise<RunsResult> {
  await world.clock.advance(finalDelay);
  const firstRun = await runToEnd(options);
  if (!firstRun.isFinished) return firstRun;
  // The program learns of the failure in the first of these two runs, so the rows reported in this run are judged. The second run only
  // shows whether the program repeats a payment that it has reported as failed.
  const secondRun = await runToEnd({ ...options, output: options.output.withoutReportedRows() });
  return secondRun.isFinished ? firstRun : secondRun;
}

/** @returns false if the program has ended before the fault was applied. */
async function waitForFault(isFaultPending: () => boolean, completion: Promise<unknown>): Promise<boolean> {
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
  };
  completion.then(end, end);
  while (isFaultPending() && !hasEnded) await wait(pollMs);
  return !hasEnded;
}

type Requests = MockWorldControl["requests"];

/** Adds what the requests of the program show about the cause of the problem. */
function addCause({ kind, seen }: Problem, requests: Requests, call: Call | undefined): Problem {
  const describeByKind: Partial<Record<FindingKind, () => string | undefined>> = {
    "done-twice": () => call && describeRepeat(requests, call),
    "reported-without-reason": () => describeErrors(requests),
  };
  const cause = describeByKind[kind]?.();
  return { kind, seen: cause === undefined ? seen : `${seen} ${cause}` };
}

function describeErrors(requests: Requests): string | undefined {
  const errors = requests.flatMap(({ operation, status, code }) =>
    code === undefined ? [] : `${operation} → ${status} ${code}`,
  );
  return errors.length === 0 ? undefined : `Errors that it got: ${[...new Set(errors)].join(", ")}.`;
}

function describeRepeat(requests: Requests, { operation, number }: Call): string | undefined {
  const calls = requests.filter((candidate) => candidate.operation === operation);
  const [firstCall, ...laterCalls] = calls.slice(number - 1);
  const equalCall = firstCall && laterCalls.find(({ body }) => JSON.stringify(body) === JSON.stringify(firstCall.body));
  if (firstCall === undefined || equalCall === undefined) return undefined;
  const seconds = (Date.parse(equalCall.at) - Date.parse(firstCall.at)) / 1000;
  return `An equal call followed ${seconds.toFixed(1)} s after call ${number}.`;
}

function countCalls({ operations, conditions }: Journey, requests: Requests): Readonly<Record<string, number>> {
  const countedOperations = new Set([...operations, ...conditions.flatMap((condition) => condition.operations ?? [])]);
  const counts = [...countedOperations].map((id) => [id, requests.filter(({ operation }) => operation === id).length]);
  return Object.fromEntries(counts);
}
