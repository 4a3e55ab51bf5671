import { checkMs } from "../base/check-ms.ts";
import { checkNames } from "../base/check-names.ts";
import { wait } from "../base/deadline.ts";
import type { Operation } from "../base/operation.ts";
import { delayBefore } from "../call/retries.ts";
import type { CommonOptions } from "../state/call-types.ts";
import { type Client, stateOf } from "../state/client.ts";

export interface Lifecycle {
  readonly operation: Operation;
  /** The response field with the status. */
  readonly field: string;
  readonly final: readonly string[];
}

/** Options of `waitUntilFinal`. */
export interface WaitOptions {
  /** Aborts the wait and the running call. Used in place of the `signal` of the calls' options. */
  signal?: AbortSignal | undefined;
  /** Maximum wait in milliseconds. Default: two minutes. Each call also has its own timeout, from its options or the client. */
  timeoutMs?: number | undefined;
  /** Milliseconds after the start of the wait during which a 404 is retried, because the resource may not exist yet. Default: 30,000. */
  notFoundMs?: number | undefined;
  /**
   * The pause after the first call, in milliseconds, at least 1. Each further pause is 1.5 times as long, up to 15 seconds. `Retry-After` of
   * a response can make a pause longer. Default: 1000.
   */
  intervalMs?: number | undefined;
}

/**
 * How the wait ended, and the result of the last call:
 *
 * - `final`: the resource is in a final state. Its status shows whether it succeeded or failed.
 * - `pending`: no final state was read before the time limit, or before the signal aborted.
 * - `lookup-refused`: the call was refused, or cannot be sent. The state of the resource is unknown: correct the call (such as its API key
 *   or identifier), and wait again.
 */
export interface Waited<Result> {
  readonly state: "final" | "pending" | "lookup-refused";
  readonly result: Result;
}

const maxPauseMs = 15_000;
/** The last call begins this long before the limit, or a tenth of the limit if that is shorter. */
const maxLastCallMs = 2000;

/** Stops when the status is final, or cannot be read within the limits. */
export async function pollUntilFinal<Result>(
  client: Client,
  { operation, field, final: finalStates }: Lifecycle,
  options: CommonOptions,
  limits: WaitOptions,
): Promise<Waited<Result>> {
  checkNames("option of waitUntilFinal", limits, ["signal", "timeoutMs", "notFoundMs", "intervalMs"]);
  const { signal = options.signal, timeoutMs = 120_000, intervalMs = 1000, notFoundMs = 30_000 } = limits;
  checkMs("timeoutMs", timeoutMs, 0);
  checkMs("intervalMs", intervalMs, 1);
  checkMs("notFoundMs", notFoundMs, 0);
  const startedAt = performance.now();
  const endsAt = startedAt + timeoutMs;
  const lastCallAt = endsAt - Math.min(maxLastCallMs, timeoutMs / 10);
  const { timeoutMs: callMs = stateOf(client).options.timeoutMs } = options;
  for (let pauseMs = intervalMs; ; pauseMs = Math.min(pauseMs * 1.5, maxPauseMs)) {
    const remainingMs = Math.max(endsAt - performance.now(), 1);
    const callOptions = { ...options, timeoutMs: Math.min(remainingMs, callMs), signal };
    const callResult = await client["~call"](operation, callOptions);
    const { data, error, response } = callResult;
    const result = callResult as Result;
    const state = (data as Record<string, string> | undefined)?.[field];
    if (state !== undefined && finalStates.includes(state)) return { state: "final", result };
    const mayAppear = error?.status === 404 && performance.now() - startedAt < notFoundMs;
    const isRefused = error?.kind === "invalid-request" || (error?.outcome === "refused" && error.status !== 429);
    if (isRefused && !mayAppear) return { state: "lookup-refused", result };
    const remainingPauseMs = lastCallAt - performance.now();
    if (remainingPauseMs <= 0) return { state: "pending", result };
    const retryAfter = response?.headers.get("retry-after");
    const nextPauseMs = Math.max(pauseMs, retryAfter ? delayBefore(1, retryAfter) : 0);
    // `wait` rejects when the signal aborts.
    await wait(Math.min(nextPauseMs, remainingPauseMs), signal).catch(() => undefined);
    if (signal?.aborted) return { state: "pending", result };
  }
}
