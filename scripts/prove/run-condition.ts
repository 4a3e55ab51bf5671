/** One run: a world of its own, one condition on one call, and the books of the mock afterwards. */
import { hash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { MockWorldControl } from "../mock/control/index.ts";
import type { RunningMock } from "../mock/host/index.ts";
import type { Plan } from "../mock/plan/index.ts";
import { callerOf, failureOf } from "./caller.ts";
import { type Condition, responseDelayMs } from "./conditions.ts";
import { programEnv } from "./environment.ts";
import type { Journey } from "./journey.ts";
import { problemsOf } from "./judge.ts";
import { Output, type Secret } from "./output.ts";
import type { Call, Problem } from "./report.ts";
import { type RunOptions, type RunsEnded, runToEnd, start } from "./run-program.ts";
import { RunFolder } from "./state.ts";

/** What the runs of one proof share. */
export interface Proving {
  readonly plan: Plan;
  readonly mock: RunningMock;
  readonly journey: Journey;
  /** The program and its arguments, with `{csv}` and `{state}`. */
  readonly command: readonly string[];
  readonly seed: string;
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

export interface RunResult {
  /** Whether the condition was met; a program can make fewer calls than another run of it has made. */
  readonly isMet: boolean;
  readonly problems: readonly Problem[];
  readonly remarks: readonly string[];
  /** Payments that the program called unclear. */
  readonly unclear: number;
  /** How often each operation of the journey was called. */
  readonly calls: Readonly<Record<string, number>>;
}

/** World time after which everything that was accepted has come to its end. */
const untilFinal = "1 day";
/** Milliseconds between two looks whether a call has met its condition. */
const lookMs = 2;
/** Milliseconds by which the calls of two processes at once are slowed down, so that they overlap. */
const overlapMs = 150;

/**
 * Runs the program from the beginning under a condition.
 *
 * @param call the call that meets it; undefined where the condition is about whole runs.
 * @param lateMs the delay of a late effect or record, in milliseconds.
 */
export async function runCondition(
  proving: Proving,
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
    folder.writeCsv(journey.columns, journey.rows);
    const command = proving.command.map((word) =>
      word.replaceAll("{csv}", folder.csv).replaceAll("{state}", folder.state),
    );
    const env = programEnv({ BASE_URL: mock.url, DEPOSIT_BASE_URL: mock.depositUrl, API_KEY: key });
    const pauseMs = Math.max(100, lateMs / 2);
    const options: RunOptions = { command, env, output, signal, limitMs: limitMs + lateMs, pauseMs };
    const isWaiting = call === undefined ? () => false : addFault(proving, world, { condition, call, lateMs });
    const ended = await runAs(condition, options, { world, journey, isWaiting, name });
    signal.throwIfAborted();
    await world.clock.advance(untilFinal);
    const after = world.state().entities.filter(({ id }) => !before.has(id));
    const effects = journey.effects(after);
    const kept = folder.secrets(secrets);
    return {
      isMet: !isWaiting(),
      problems: [
        ...problemsOf(proving.journey, condition, { effects, ended, output }),
        ...[...output.leaks].map((leak) => leaked(`${leak} was printed`)),
        ...kept.filter(({ mayBeKept }) => !mayBeKept).map((secret) => leaked(`${secret.name} stands in the state`)),
      ],
      remarks: kept
        .filter(({ mayBeKept }) => mayBeKept)
        .map((secret) => `${secret.name} stands in the state in the clear.`),
      unclear: output.unclear.size,
      calls: callsOf(world, journey, earlier),
    };
  } finally {
    folder.remove();
    world.reset();
  }
}

const leaked = (seen: string) => ({ kind: "secret-in-the-clear" as const, seen });

/** Puts the condition on the call. @returns whether no call has met it yet. */
function addFault(
  { plan }: Proving,
  world: MockWorldControl,
  { condition, call, lateMs }: { condition: Condition; call: Call; lateMs: number },
): () => boolean {
  const { operation, number } = call;
  if (condition.fault === undefined) return () => false;
  const fault = world.faults.add({
    ...condition.fault(lateMs, failureOf(plan, operation)),
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
    journey,
    isWaiting,
    name,
  }: { world: MockWorldControl; journey: Journey; isWaiting: () => boolean; name: string },
): Promise<RunsEnded> {
  if (condition.runs === "twice at once") {
    for (const operation of journey.operations) world.faults.add({ operation, delay: overlapMs, times: "always" });
    const both = [start(options), start(options)];
    await Promise.all(both.map(({ ended }) => ended));
    world.faults.clear();
    return runToEnd(options);
  }
  if (condition.kill === undefined) {
    const ended = await runToEnd(options);
    if (condition.runs === undefined || !ended.isFinished) return ended;
    if (condition.runs === "again when all is final") await world.clock.advance(untilFinal);
    return runToEnd(options);
  }
  return runToEnd(options, async (ended) => {
    let hasEnded = false;
    const end = () => {
      hasEnded = true;
    };
    ended.then(end, end);
    while (isWaiting() && !hasEnded) await wait(lookMs);
    if (hasEnded) return false;
    // From 0 to 6 milliseconds after the response was sent, always the same for a seed.
    const jitter = (hash("sha256", name, "buffer")[0] ?? 0) % 7;
    if (condition.kill === "on the response") await wait(responseDelayMs + jitter);
    return true;
  });
}

/** @param earlier requests that were there before the program. */
function callsOf(world: MockWorldControl, { operations }: Journey, earlier: number): RunResult["calls"] {
  const called = world.requests.slice(earlier).flatMap(({ operation }) => operation ?? []);
  return Object.fromEntries(operations.map((one) => [one, called.filter((operation) => operation === one).length]));
}
