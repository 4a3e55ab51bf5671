/** One run: a new world, one condition on one call, and the comparison with the mock's records. */
import { hash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { MockWorldControl } from "../mock/control/index.ts";
import type { RunningMock } from "../mock/host/index.ts";
import type { Plan } from "../mock/plan/index.ts";
import { callerOf, failureOf } from "./caller.ts";
import { type Condition, responseDelayMs } from "./conditions.ts";
import { programEnv, shortPauses } from "./environment.ts";
import type { Journey } from "./journey.ts";
import { problemsOf } from "./judge.ts";
import { Output, type Secret } from "./output.ts";
import type { Call, Problem } from "./report.ts";
import { type RunOptions, type RunsResult, runToEnd, start } from "./run-program.ts";
import { RunFolder } from "./state.ts";

/** The common data of a proof's runs. */
export interface ProofContext {
  readonly plan: Plan;
  readonly mock: RunningMock;
  readonly journey: Journey;
  /** The program and its arguments, with `{csv}` and `{state}`. */
  readonly command: readonly string[];
  readonly seed: string;
  readonly limitMs: number;
  readonly hasFullPauses: boolean;
  readonly signal: AbortSignal;
}

export interface RunResult {
  /** Whether the condition was applied; the number of calls can differ between runs. */
  readonly isMet: boolean;
  readonly problems: readonly Problem[];
  readonly remarks: readonly string[];
  /** Number of rows that the program reported as unclear. */
  readonly unclear: number;
  /** Number of calls of each operation that a condition applies to. */
  readonly calls: Readonly<Record<string, number>>;
}

/** Time on the mock's clock after which every accepted payment is final. */
const untilFinal = "1 day";
/** Interval in milliseconds to check whether the condition was applied to a call. */
const lookMs = 2;
/** Milliseconds by which every call of two parallel processes is delayed, reads too, so that they overlap. */
const overlapMs = 150;

/**
 * Runs the program from the start under a condition.
 *
 * @param call the call it is applied to; undefined for a condition about whole runs.
 * @param lateMs the delay of a late effect or record, in milliseconds.
 */
export async function runCondition(
  proving: ProofContext,
  condition: Condition,
  { call, lateMs }: { readonly call?: Call | undefined; readonly lateMs: number },
): Promise<RunResult> {
  const { plan, mock, journey, seed, signal, limitMs } = proving;
  const name = [seed, condition.name, call?.operation, call?.number, lateMs].join(" ");
  const key = `prove-${hash("sha256", name).slice(0, 32)}`;
  const world = mock.tenant(key);
  world.reset();
  await journey.prepare(world, callerOf(plan, mock.url, key));
  const earlier = world.requests.length;
  const before = new Set(world.state().entities.map(({ id }) => id));
  const secrets: Secret[] = [
    { name: "the API key", text: key, mayBeKept: false },
    ...journey.secrets.map((secret) => ({ ...secret, mayBeKept: true })),
  ];
  const output = new Output(secrets);
  const folder = new RunFolder();
  try {
    folder.writeInput(journey);
    const command = proving.command.map((word) =>
      word.replaceAll("{csv}", folder.csv).replaceAll("{state}", folder.state),
    );
    const env = programEnv({
      ...{ BASE_URL: mock.url, DEPOSIT_BASE_URL: mock.depositUrl, API_KEY: key },
      ...(proving.hasFullPauses ? {} : shortPauses),
    });
    const pauseMs = Math.max(100, lateMs / 2);
    const options: RunOptions = { command, env, output, signal, limitMs: limitMs + lateMs, pauseMs };
    const isWaiting = call === undefined ? () => false : addFault(proving, world, { condition, call, lateMs });
    const { event } = condition;
    const happens = event && call && (() => event(world, call.operation));
    const ended = await runAs(condition, options, { world, plan, isWaiting, happens, name });
    signal.throwIfAborted();
    await world.clock.advance(untilFinal);
    const after = world.state().entities.filter(({ id }) => !before.has(id));
    const effects = journey.effects(after);
    const kept = folder.secrets(secrets);
    const problems = problemsOf(proving.journey, condition, { effects, ended, output });
    const again = call && repeatOf(world, call, earlier);
    return {
      isMet: !isWaiting(),
      problems: [
        ...problems.map((one) => (one.kind === "done-twice" && again ? { ...one, seen: `${one.seen} ${again}` } : one)),
        ...[...output.leaks].map((leak) => leaked(`${leak} was printed`)),
        ...kept.filter(({ mayBeKept }) => !mayBeKept).map((secret) => leaked(`${secret.name} stands in the state`)),
      ],
      remarks: kept
        .filter(({ mayBeKept }) => mayBeKept)
        .map(({ name: kind }) => `After a run, ${kind} stands in the state in the clear: protect it as such data.`),
      unclear: output.unclear.size,
      calls: callsOf(world, journey, earlier),
    };
  } finally {
    folder.remove();
    world.reset();
  }
}

const leaked = (seen: string) => ({ kind: "secret-in-the-clear" as const, seen });

/** Adds the condition's fault for the call. @returns a function that returns whether it is still unused. */
function addFault(
  { plan }: ProofContext,
  world: MockWorldControl,
  { condition, call, lateMs }: { condition: Condition; call: Call; lateMs: number },
): () => boolean {
  const { operation, number } = call;
  if (condition.fault === undefined) return () => false;
  const fault = world.faults.add({
    ...condition.fault(lateMs, failureOf(plan, operation) ?? ""),
    operation,
    ...(number > 1 ? { skip: number - 1 } : {}),
  });
  return () => world.faults.list.some((one) => one.number === fault.number);
}

async function runAs(
  condition: Condition,
  options: RunOptions,
  {
    world,
    plan,
    isWaiting,
    happens,
    name,
  }: {
    world: MockWorldControl;
    plan: Plan;
    isWaiting: () => boolean;
    happens: (() => void) | undefined;
    name: string;
  },
): Promise<RunsResult> {
  if (condition.runs === "twice at once") {
    for (const { operationId: operation } of plan.operations) {
      world.faults.add({ operation, delay: overlapMs, times: "always" });
    }
    const both = [start(options), start(options)];
    await Promise.all(both.map(({ ended }) => ended));
    world.faults.clear();
    return runToEnd(options);
  }
  if (condition.kill === undefined) {
    let hasEnded = false;
    const watching = happens && whenMet(isWaiting, () => hasEnded).then((isMet) => isMet && happens());
    const ended = await runToEnd(options).finally(() => {
      hasEnded = true;
    });
    await watching;
    if (condition.runs === undefined || !ended.isFinished) return ended;
    if (condition.runs === "again") return runToEnd(options);
    await world.clock.advance(untilFinal);
    const informed = await runToEnd(options);
    if (!informed.isFinished) return informed;
    // This run can learn of the failure, so its report counts. One more shows whether the program pays again what it called failed.
    const repeated = await runToEnd({ ...options, output: options.output.withoutStatements() });
    return repeated.isFinished ? informed : repeated;
  }
  return runToEnd(options, async (ended) => {
    let hasEnded = false;
    const end = () => {
      hasEnded = true;
    };
    ended.then(end, end);
    if (!(await whenMet(isWaiting, () => hasEnded))) return false;
    // 0 to 6 milliseconds after the response was sent, determined by the seed.
    const jitter = (hash("sha256", name, "buffer")[0] ?? 0) % 7;
    if (condition.kill === "on the response") await wait(responseDelayMs + jitter);
    return true;
  });
}

/** Waits until the fault of a call is used. @returns false when the program has ended first. */
async function whenMet(isWaiting: () => boolean, hasEnded: () => boolean): Promise<boolean> {
  while (isWaiting() && !hasEnded()) await wait(lookMs);
  return !hasEnded();
}

/** Counts the program's calls by operation. @param earlier number of requests before the program started. */
function callsOf(world: MockWorldControl, journey: Journey, earlier: number): RunResult["calls"] {
  const called = world.requests.slice(earlier).flatMap(({ operation }) => operation ?? []);
  const operations = new Set([...journey.operations, ...journey.conditions.flatMap(({ on = [] }) => on)]);
  return Object.fromEntries(
    [...operations].map((one) => [one, called.filter((operation) => operation === one).length]),
  );
}

/** A remark if the program repeated the call with the fault: when an equal call followed. */
function repeatOf(world: MockWorldControl, { operation, number }: Call, earlier: number): string | undefined {
  const calls = world.requests.slice(earlier).filter((one) => one.operation === operation);
  const [met, ...later] = calls.slice(number - 1);
  const again = met && later.find(({ body }) => JSON.stringify(body) === JSON.stringify(met.body));
  if (met === undefined || again === undefined) return undefined;
  const seconds = (Date.parse(again.at) - Date.parse(met.at)) / 1000;
  return `An equal call followed ${seconds.toFixed(1)} s after call ${number}.`;
}
