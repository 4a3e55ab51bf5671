/** What programs of partners do on top of single calls: waiting, reading months of history, adding up, and middleware. */
import { call } from "./call.ts";
import { type Client, type MiddlewareCall, type MiddlewareResult, stateOf } from "./client.ts";
import { wait } from "./deadline.ts";
import { addDecimals, type Decimal } from "./decimal.ts";
import { createError } from "./errors.ts";
import type { Operation } from "./operation.ts";
import type { CommonOptions } from "./types.ts";

/** How to read from the response of an operation whether its resource has reached a final state. */
export interface Lifecycle {
  readonly operation: Operation;
  /** The field of the response that holds the status. */
  readonly field: string;
  /** The values after which no other follows, as the contract knows them. */
  readonly final: readonly string[];
}

/** Options of {@link waitUntilFinalWith}. */
export interface WaitOptions {
  /** Ends the waiting. */
  signal?: AbortSignal | undefined;
  /** How long to wait, in milliseconds. Default: two minutes. Each call ends at its own timeout, or that of the client. */
  timeoutMs?: number | undefined;
  /** For how long from the first call a 404 is not final, in milliseconds: the resource may not be readable yet. Default: 30 seconds. */
  notFoundMs?: number | undefined;
  /** The pause after the first call, in milliseconds; each is one and a half times as long as the one before, up to 15 seconds. Default: 1000. */
  intervalMs?: number | undefined;
}

/**
 * How the waiting ended, and the result of the last call:
 *
 * - `final`: the resource is in a state after which no other follows. Whether that is a success, its status says.
 * - `pending`: the time is over or the signal aborted, and the resource was in another state, or could not be read.
 * - `lookup-refused`: the call that asks for the state was refused, or cannot be sent. It says nothing of the resource, which may have
 *   reached any state: correct the call (key, identifier), and look again.
 */
export interface Waited<Result> {
  readonly state: "final" | "pending" | "lookup-refused";
  readonly result: Result;
}

/** The longest pause between two calls, in milliseconds. */
const longestPauseMs = 15_000;

/** Calls an operation until its resource is in a final state. Parameters and result as those of the generated `waitUntilFinal`. */
export async function waitUntilFinalWith<Result>(
  client: Client,
  { operation, field, final }: Lifecycle,
  options: CommonOptions,
  { signal, timeoutMs = 120_000, intervalMs = 1000, notFoundMs = 30_000 }: WaitOptions = {},
): Promise<Waited<Result>> {
  const startedAt = performance.now();
  const endsAt = startedAt + timeoutMs;
  const { timeoutMs: callMs = stateOf(client).options.timeoutMs } = options;
  for (let pauseMs = intervalMs; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    const left = Math.max(endsAt - performance.now(), 1);
    const limits = { timeoutMs: Math.min(left, callMs), signal: signal ?? options.signal };
    const result = await call<MiddlewareResult>(client, operation, { ...options, ...limits });
    const waited = (state: Waited<Result>["state"]) => ({ state, result }) as unknown as Waited<Result>;
    const { data, error } = result;
    if (final.includes((data as Record<string, string> | undefined)?.[field] ?? "")) return waited("final");
    const mayAppear = error?.status === 404 && performance.now() - startedAt < notFoundMs;
    const isRefused = error?.kind === "invalid-request" || error?.outcome === "refused";
    if (isRefused && !mayAppear) return waited("lookup-refused");
    if (signal?.aborted || performance.now() + pauseMs >= endsAt) return waited("pending");
    // The signal ends the pause; the loop sees it after the next call, which it ends at once.
    await wait(pauseMs, signal).catch(() => undefined);
    if (signal?.aborted) return waited("pending");
  }
}

/** A month: a text such as `"2026-03"`, or a date of which the month in UTC is meant. */
export type Month = `${number}-${number}` | Date;

/** The records of a month. */
export interface MonthOfHistory<Item> {
  /** Such as `"2026-03"`. */
  readonly month: string;
  /** The records that no later month has: of two copies, the later one has the newer state. */
  readonly records: readonly Item[];
}

/**
 * Reads histories of months, and returns them when all are read, the earliest first. Parameters and behaviour as those of the generated `historyMonths`.
 *
 * @throws {TypeError} when a month is none, or `from` is after `to`. {PartnerApiError} when a month cannot be read.
 */
export async function* historyMonthsWith<Item>(
  client: Client,
  operation: Operation,
  path: object,
  { from, to }: { from: Month; to: Month },
  options: CommonOptions = {},
): AsyncGenerator<MonthOfHistory<Item>, void, undefined> {
  const [first, last] = [indexOf("from", from), indexOf("to", to)];
  if (first > last) throw new TypeError("historyMonths: from is after to.");
  const months: { month: string; records: Item[] }[] = [];
  for (let index = first; index <= last; index += 1) {
    const year = String(Math.floor(index / 12));
    const month = String((index % 12) + 1).padStart(2, "0");
    const { data, error } = await call<MiddlewareResult>(client, operation, {
      ...options,
      path: { ...path, month, year },
    });
    if (error !== undefined) throw error;
    months.push({ month: `${year}-${month}`, records: data as Item[] });
  }
  const seen = new Set<unknown>();
  for (const month of [...months].reverse()) {
    month.records = month.records.filter((record) => {
      const id = (record as { id?: unknown } | null)?.id ?? undefined;
      return id === undefined || (!seen.has(id) && seen.add(id));
    });
  }
  yield* months;
}

/** The number of a month since the year 0. */
function indexOf(name: string, month: Month): number {
  const text = month instanceof Date && !Number.isNaN(month.getTime()) ? month.toISOString() : String(month);
  const [, year, number] = /^(\d{4})-(0[1-9]|1[0-2])(-|$)/.exec(text) ?? [];
  if (year === undefined) throw new TypeError(`historyMonths: ${name} must be a month such as "2026-03", or a Date.`);
  return Number(year) * 12 + Number(number) - 1;
}

/**
 * Adds amounts exactly.
 *
 * @returns the sum, with as many decimal places as the amount that has most; `"0"` of none.
 * @throws {TypeError} when one of them is not a decimal number.
 */
export function sumDecimals(amounts: Iterable<string>): Decimal {
  let sum = "0" as Decimal;
  for (const amount of amounts) sum = addDecimals(sum, amount);
  return sum;
}

/**
 * Runs for every call of a client.
 *
 * @param call the operation, and the options that the program has given.
 * @param next goes on with these options, or with others; resolves to the result and never rejects.
 * @returns the result that the program gets: that of `next`, or another one.
 */
export type Middleware = (
  call: MiddlewareCall,
  next: (options?: object) => Promise<MiddlewareResult>,
) => Promise<MiddlewareResult>;

/**
 * Adds a middleware to a client, for all calls from then on.
 *
 * Order: the first one that was added is the outermost; it sees the options first and the result last. A middleware runs once for a
 * call, around all of its attempts; `onRequest`, `onResponse` and `logger` run within, once for each attempt.
 *
 * Redaction: `options` are the values of the program, with names, account numbers and amounts, and so is `data`: log neither. The
 * API key is in none of them. The error of a result is redacted, as always.
 *
 * A middleware that throws, or returns no result, before it has called `next` ends the call with `invalid-request`, and nothing is sent.
 * After that, the result of `next` stands.
 *
 * @throws {TypeError} when the middleware is no function.
 */
export function use(client: Client, middleware: Middleware): void {
  if (typeof middleware !== "function")
    throw new TypeError("use takes a function: use(client, (call, next) => next()).");
  const state = stateOf(client);
  const { around: outer } = state;
  const run = guard(middleware);
  state.around =
    outer === undefined
      ? run
      : (about, next) => outer(about, (options = about.options) => run({ ...about, options }, next));
}

/** A middleware that never rejects, and always has a result. */
function guard(middleware: Middleware): Middleware {
  return async (about, next) => {
    let last: Promise<MiddlewareResult> | undefined;
    const goOn = (options = about.options) => {
      last = next(options);
      return last;
    };
    let why = "returned no result";
    try {
      const result = await middleware(about, goOn);
      if (typeof result === "object" && result !== null && "data" in result && "error" in result) return result;
    } catch {
      why = "threw";
    }
    if (last !== undefined) return last;
    const message = `${about.operationId}: A middleware ${why} before it called next.`;
    const details = { kind: "invalid-request", outcome: "not-sent", operationId: about.operationId, message } as const;
    return { data: undefined, error: createError(details), response: undefined, status: undefined };
  };
}
