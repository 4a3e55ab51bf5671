/**
 * The entry point `partner-wallet-api/helpers`: waiting for a final state, results of statuses, histories, sums, middleware and stored
 * events.
 */
import { lifecycles, type WaitableOperation } from "../../../../generated/client/lifecycles.ts";
import * as table from "../../../../generated/client/operation-table.ts";
import type * as operations from "../../../../generated/client/operations.ts";
import * as statuses from "../../../../generated/client/statuses.ts";
import { call } from "../call.ts";
import { type Client, type MiddlewareCall, type MiddlewareResult, stateOf } from "../client.ts";
import { wait } from "../deadline.ts";
import { addDecimals, type Decimal } from "../decimal.ts";
import { createError } from "../errors.ts";
import { resultOf, type StatusResult } from "../statuses.ts";
import type { CommonOptions } from "../types.ts";

export type { WaitableOperation } from "../../../../generated/client/lifecycles.ts";
export type { MiddlewareCall, MiddlewareResult } from "../client.ts";
export type { StatusResult } from "../statuses.ts";
export { parseEvent } from "./events.ts";

/** Options of {@link waitUntilFinal}. */
export interface WaitOptions {
  /** Aborts the wait and the running call. Used in place of the `signal` of the calls' options. */
  signal?: AbortSignal | undefined;
  /** Maximum wait in milliseconds. Default: two minutes. Each call also has its own timeout, from its options or the client. */
  timeoutMs?: number | undefined;
  /** Milliseconds after the start of the wait during which a 404 is retried, because the resource may not exist yet. Default: 30,000. */
  notFoundMs?: number | undefined;
  /** The pause after the first call, in milliseconds, at least 1. Each further pause is 1.5 times as long, up to 15 seconds. Default: 1000. */
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

/**
 * Polls an operation until its resource is in a final state, which can be a failure. Final states come from the lifecycles of the contract,
 * some of which are assumptions; an unlisted status is not final. Pauses grow. A failed call is repeated unless it cannot be sent or was
 * refused; a 404 is repeated during `notFoundMs`. The state is the field `status` of the response (`attemptStatus` for `getKycStatus`).
 *
 * @param operationId the operation, such as "getTransferDetails".
 * @param options the options of the operation, such as its `path`.
 * @param limits how long to wait. Default: two minutes.
 * @returns a promise of the last result, and of how the wait ended. A failed call does not reject the promise. The promise rejects with a
 * TypeError when `client` is not a client, or a limit is not a number of milliseconds.
 */
export async function waitUntilFinal<Name extends WaitableOperation>(
  client: Name extends operations.LatestOperationName ? Client : Client<"test">,
  operationId: Name,
  options: operations.OperationOptions[Name],
  limits: WaitOptions = {},
): Promise<Waited<operations.OperationResults[Name]>> {
  const { operation, field, final: finalStates } = lifecycles[operationId];
  const { signal = options.signal, timeoutMs = 120_000, intervalMs = 1000, notFoundMs = 30_000 } = limits;
  checkLimit("timeoutMs", timeoutMs, 0);
  checkLimit("intervalMs", intervalMs, 1);
  checkLimit("notFoundMs", notFoundMs, 0);
  const startedAt = performance.now();
  const endsAt = startedAt + timeoutMs;
  const { timeoutMs: callMs = stateOf(client).options.timeoutMs } = options as CommonOptions;
  for (let pauseMs = intervalMs; ; pauseMs = Math.min(pauseMs * 1.5, maxPauseMs)) {
    const remainingMs = Math.max(endsAt - performance.now(), 1);
    const callOptions = { ...options, timeoutMs: Math.min(remainingMs, callMs), signal };
    const result = await call<operations.OperationResults[Name]>(client, operation, callOptions);
    const { data, error } = result as MiddlewareResult;
    const state = (data as Record<string, string> | undefined)?.[field];
    if (state !== undefined && finalStates.includes(state)) return { state: "final", result };
    const mayAppear = error?.status === 404 && performance.now() - startedAt < notFoundMs;
    const isRefused = error?.kind === "invalid-request" || error?.outcome === "refused";
    if (isRefused && !mayAppear) return { state: "lookup-refused", result };
    if (performance.now() + pauseMs >= endsAt) return { state: "pending", result };
    // `wait` rejects when the signal aborts.
    await wait(pauseMs, signal).catch(() => undefined);
    if (signal?.aborted) return { state: "pending", result };
  }
}

function checkLimit(name: string, ms: unknown, min: number): void {
  if (typeof ms === "number" && ms >= min) return;
  throw new TypeError(`waitUntilFinal: ${name} must be a number of milliseconds, at least ${min}.`);
}

/** A month: a text such as `"2026-03"`, or a date, whose month in UTC is used. */
export type Month = `${number}-${number}` | Date;

/** The records of a month. */
export interface MonthOfHistory<Item> {
  /** The month, such as `"2026-03"`. */
  readonly month: string;
  /** The records. A record that also appears in a later month is left out, because the later copy has the newer state. */
  readonly records: readonly Item[];
}

/** A record of the transaction history of a user or of the partner. */
export type HistoryRecord = operations.GetUserTransactionHistoryData[number];

/**
 * The options of a history: its path parameters, with the first and the last month (`from` and `to`) in place of `month` and `year`, and
 * the options of every call.
 */
export type HistoryOptions<Path> = CommonOptions & Omit<Path, "month" | "year"> & { from: Month; to: Month };

/**
 * The history of a user, by {@link operations.getUserTransactionHistory getUserTransactionHistory}. Yields the months in order, the
 * earliest first. A record that appears in two months is taken from the later one, so all months are read before the first is yielded. The
 * service returns only recent months (specification, Limits). When a month cannot be read, the iteration throws the PartnerApiError of the
 * call. When a month is malformed, or `from` is after `to`, it throws a TypeError.
 */
export function historyMonths(
  client: Client,
  options: HistoryOptions<operations.GetUserTransactionHistoryOptions["path"]>,
): AsyncGenerator<MonthOfHistory<HistoryRecord>, void, undefined>;
/**
 * The history of the partner, by {@link operations.getPartnerTransactionHistory getPartnerTransactionHistory}. Months and errors are the
 * same as in the history of a user.
 */
export function historyMonths(
  client: Client<"test">,
  options: HistoryOptions<operations.GetPartnerTransactionHistoryOptions["path"]>,
): AsyncGenerator<MonthOfHistory<HistoryRecord>, void, undefined>;
export async function* historyMonths(
  client: Client,
  historyOptions: CommonOptions & { from: Month; to: Month; externalUserId?: string },
): AsyncGenerator<MonthOfHistory<HistoryRecord>, void, undefined> {
  const { from, to, externalUserId, ...options } = historyOptions;
  const [firstIndex, lastIndex] = [monthIndex("from", from), monthIndex("to", to)];
  if (firstIndex > lastIndex) throw new TypeError("historyMonths: from is after to.");
  // `externalUserId: undefined` is an error, so it must not select the history of the partner.
  const isOfUser = "externalUserId" in historyOptions;
  const operation = isOfUser ? table.getUserTransactionHistory : table.getPartnerTransactionHistory;
  const path = isOfUser ? { externalUserId } : {};
  const months: { month: string; records: HistoryRecord[] }[] = [];
  for (let index = firstIndex; index <= lastIndex; index += 1) {
    const year = String(Math.floor(index / 12));
    const month = String((index % 12) + 1).padStart(2, "0");
    const { data, error } = await call<MiddlewareResult>(client, operation, {
      ...options,
      path: { ...path, month, year },
    });
    if (error !== undefined) throw error;
    months.push({ month: `${year}-${month}`, records: data as HistoryRecord[] });
  }
  const seenIds = new Set<unknown>();
  for (const month of [...months].reverse()) {
    month.records = month.records.filter((record) => {
      const id = (record as { id?: unknown } | null)?.id ?? undefined;
      return id === undefined || (!seenIds.has(id) && seenIds.add(id));
    });
  }
  yield* months;
}

/** The number of months from the year 0 to `month`. */
function monthIndex(name: string, month: Month): number {
  const text = month instanceof Date && !Number.isNaN(month.getTime()) ? month.toISOString() : String(month);
  const [, year, number] = /^(\d{4})-(0[1-9]|1[0-2])(-|$)/.exec(text) ?? [];
  if (year === undefined) throw new TypeError(`historyMonths: ${name} must be a month such as "2026-03", or a Date.`);
  return Number(year) * 12 + Number(number) - 1;
}

/**
 * Returns the result of a resource, from its status: `succeeded` or `failed` for a final status that the contract lists; `open` for a
 * status that is not final, not listed or missing. Look up a resource whose result is `open`.
 *
 * @param resource the name of a resource, such as "transfer" or "cryptoDeposit"; "transaction" for the records of a history.
 * @param status the status of an event, of details or of a record.
 * @example statusResult("transfer", event.status)
 */
export function statusResult(resource: keyof typeof statuses, status: string | null | undefined): StatusResult {
  // biome-ignore lint/performance/noDynamicNamespaceImportAccess: a caller can name each resource
  return resultOf(statuses[resource], status);
}

/**
 * Adds amounts exactly.
 *
 * @returns the sum, with as many decimal places as the amount with the most places; `"0"` for an empty list.
 * @throws {TypeError} when an amount is not a decimal number.
 */
export function sumDecimals(amounts: Iterable<string>): Decimal {
  let sum = "0" as Decimal;
  for (const amount of amounts) sum = addDecimals(sum, amount);
  return sum;
}

/**
 * A function that wraps every call of a client.
 *
 * @param call the operation and its options, as the program or the middleware outside passed them.
 * @param next continues the call with the given options or, without an argument, with those of `call`. Resolves to the result and never
 * rejects.
 * @returns the result for the program: the result of `next`, or another one.
 */
export type Middleware = (
  call: MiddlewareCall,
  next: (options?: object) => Promise<MiddlewareResult>,
) => Promise<MiddlewareResult>;

/**
 * Adds a middleware to a client, for all later calls.
 *
 * Order: the middleware that was added first is the outermost: it receives the options first and the result last. A middleware runs once
 * for a call, around all its attempts; `onRequest`, `onResponse` and `logger` run inside, for each attempt.
 *
 * Redaction: do not log `options` and `data`, which contain names, account numbers and amounts. Neither contains the API key. The texts of
 * the error are masked.
 *
 * If a middleware throws or returns no result before it has called `next`, the call fails with `invalid-request`, and nothing is sent. If
 * it throws or returns no result after it has called `next`, the call has the result of the last call of `next`.
 *
 * @throws {TypeError} when `client` is not a client, or the middleware is not a function.
 */
export function use(client: Client, middleware: Middleware): void {
  if (typeof middleware !== "function")
    throw new TypeError("use takes a function: use(client, (call, next) => next()).");
  const state = stateOf(client);
  const { middleware: outerMiddleware } = state;
  const run = guardMiddleware(middleware);
  state.middleware =
    outerMiddleware === undefined
      ? run
      : (callDetails, next) =>
          outerMiddleware(callDetails, (options = callDetails.options) => run({ ...callDetails, options }, next));
}

function guardMiddleware(middleware: Middleware): Middleware {
  return async (callDetails, next) => {
    let lastResult: Promise<MiddlewareResult> | undefined;
    const callNext = (options = callDetails.options) => {
      lastResult = next(options);
      return lastResult;
    };
    let problem = "returned no result";
    try {
      const result = await middleware(callDetails, callNext);
      if (typeof result === "object" && result !== null && "data" in result && "error" in result) return result;
    } catch {
      problem = "threw";
    }
    if (lastResult !== undefined) return lastResult;
    const message = `${callDetails.operationId}: A middleware ${problem} before it called next.`;
    const details = {
      kind: "invalid-request",
      outcome: "not-sent",
      operationId: callDetails.operationId,
      message,
    } as const;
    return { data: undefined, error: createError(details), response: undefined, status: undefined };
  };
}
