import type { Operation } from "../base/operation.ts";
import { errorOf, sentValuesOf } from "../call/failures.ts";
import {
  type Client,
  type ClientState,
  type Middleware,
  type MiddlewareResult,
  resultWithoutResponse,
  stateOf,
} from "../state/client.ts";

/**
 * Adds a middleware to a client, for all later calls.
 *
 * Order: the middleware that was added first is the outermost: it receives the options first and the result last. A middleware runs once
 * for a call, around all its attempts; `onRequest`, `onResponse` and `logger` run inside, for each attempt.
 *
 * Redaction: do not log `options` and `data`, which contain names, account numbers and amounts. Neither contains the API key. The texts of
 * the error are masked.
 *
 * If a middleware throws or returns no result before it has called `next`, the call fails with `invalid-request`, and nothing is sent. What
 * it threw is the masked `cause` of the error. If it throws or returns no result after it has called `next`, the call has the result of the
 * last call of `next`. What it threw is then masked and written to the console.
 *
 * @throws {TypeError} when `client` is not a client, or the middleware is not a function.
 */
export function use(client: Client, middleware: Middleware): void {
  if (typeof middleware !== "function")
    throw new TypeError("use takes a function: use(client, (call, next) => next()).");
  const state = stateOf(client);
  const { middleware: outerMiddleware } = state;
  const run = guardMiddleware(state, middleware);
  state.middleware =
    outerMiddleware === undefined
      ? run
      : (callDetails, next) =>
          outerMiddleware(callDetails, (options = callDetails.options) => run({ ...callDetails, options }, next));
}

function guardMiddleware(state: ClientState, middleware: Middleware): Middleware {
  return async (callDetails, next) => {
    let lastResult: Promise<MiddlewareResult> | undefined;
    const callNext = (options = callDetails.options) => {
      lastResult = next(options);
      return lastResult;
    };
    let problem = "returned no result";
    let cause: unknown;
    try {
      const result = await middleware(callDetails, callNext);
      if (typeof result === "object" && result !== null && "data" in result && "error" in result) return result;
    } catch (error) {
      problem = "threw";
      cause = error;
    }
    const text = `A middleware ${problem} ${lastResult === undefined ? "before" : "after"} it called next.`;
    const failure = { kind: "invalid-request", outcome: "not-sent", problem: ["text", text], cause } as const;
    const operation = { id: callDetails.operationId } as Operation;
    const failedCall = errorOf(state, operation, failure, sentValuesOf(state, callDetails.options));
    if (lastResult === undefined) return resultWithoutResponse(await failedCall);
    // Not awaited, so that the result does not wait for the texts of errors, which are loaded on demand.
    if (problem === "threw") failedCall.then(({ message, cause }) => console.error(message, cause)).catch(() => {});
    return lastResult;
  };
}
