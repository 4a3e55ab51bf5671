import { EarlyEnd, wait, withDeadline } from "../base/deadline.ts";
import { notify } from "../base/notify.ts";
import type { Operation } from "../base/operation.ts";
import { ownProperties } from "../base/own-properties.ts";
import type { Outcome } from "../errors/errors.ts";
import { InvalidRequest } from "../errors/invalid-request.ts";
import { type BeforeSend, type ClientState, type MiddlewareResult, resultWithoutResponse } from "../state/client.ts";
import type { ClientContract } from "../state/client-contract.ts";
import { makeAttempt } from "./attempt.ts";
import { errorOf, failureOfRejection, isInstance, sentValuesOf } from "./failures.ts";
import { log } from "./log.ts";
import { type PreparedCall, prepareCall } from "./request.ts";
import { delayBefore, maxDelayMs, mayRetry } from "./retries.ts";
import { withSlot } from "./slots.ts";

/** Without middleware, the request is fixed before this function returns: later changes of the options have no effect. */
export function call(
  state: ClientState,
  operation: Operation,
  options?: object,
  beforeSend?: BeforeSend,
): Promise<MiddlewareResult> {
  const run = (passedOptions?: object) =>
    callWith(state, operation, passedOptions, (...prepared) => sendRepeatedly(...prepared, beforeSend));
  if (state.middleware === undefined) return run(options);
  const { id, method, path } = operation;
  return state.middleware({ operationId: id, method, path, options: options ?? {} }, run);
}

type Send = (
  state: ClientState,
  operation: Operation,
  preparedCall: PreparedCall,
  progress: CallProgress,
) => Promise<MiddlewareResult>;

/** Without `send`, the call is only checked: the result has an error if the client would refuse the call, and nothing is logged. */
export async function callWith(
  state: ClientState,
  tableRow: Operation,
  options?: object,
  send?: Send,
): Promise<MiddlewareResult> {
  const operation = ownProperties(tableRow);
  const startedAt = performance.now();
  const progress: CallProgress = { attempts: 0, outcome: "not-sent" };
  let preparedCall: PreparedCall | undefined;
  try {
    preparedCall = prepareCall(state, operation, options, startedAt);
    if (preparedCall.hasValues) await checkPrepared(state, operation, preparedCall);
    if (send !== undefined) return await send(state, operation, preparedCall, progress);
    await preparedCall.upload?.load();
    return resultWithoutResponse(undefined);
  } catch (cause) {
    // The call failed before its first attempt, or between two attempts.
    const rejection = isInstance(EarlyEnd, cause) ? cause : new InvalidRequest(["defect"], cause);
    const failure = { ...failureOfRejection(rejection), ...progress };
    const error = await errorOf(state, operation, failure, preparedCall?.getSentValues ?? sentValuesOf(state, options));
    if (send !== undefined) log(state, operation, progress.attempts, performance.now() - startedAt, error);
    return resultWithoutResponse(error);
  }
}

/** `outcome` is the outcome of the attempts so far. */
interface CallProgress {
  attempts: number;
  outcome: Outcome;
}

async function sendRepeatedly(
  state: ClientState,
  operation: Operation,
  preparedCall: PreparedCall,
  progress: CallProgress,
  beforeSend?: BeforeSend,
): Promise<MiddlewareResult> {
  const { upload, signal, retries, repeatUnknown } = preparedCall;
  const remainingMs = () => preparedCall.endsAt - performance.now();
  const toForm =
    upload &&
    (await withDeadline(remainingMs(), signal, async (uploadSignal) => (await upload.load()).read(uploadSignal)));
  for (let attempt = 1; ; attempt += 1) {
    const { result, isTooLarge } = await withSlot(state, remainingMs(), signal, () => {
      progress.attempts = attempt;
      const timeoutMs = Math.min(remainingMs(), preparedCall.attemptTimeoutMs);
      const attemptResult = makeAttempt({
        state,
        operation,
        call: preparedCall,
        timeoutMs,
        toForm,
        beforeSend,
        ...progress,
      });
      // If the attempt throws, its request may have been sent.
      progress.outcome = "unknown";
      return attemptResult;
    });
    const { error, response } = result;
    if (error === undefined) {
      state.remainingRetries = Math.min(state.options.retryBudget, state.remainingRetries + 0.1);
      return result;
    }
    progress.outcome = error.outcome;
    if (attempt > retries || isTooLarge || !mayRetry(error, operation.safe, repeatUnknown)) return result;
    const delay = delayBefore(attempt, response?.headers.get("retry-after"));
    if (state.remainingRetries < 1 || delay > maxDelayMs || delay >= remainingMs()) return result;
    state.remainingRetries -= 1;
    await wait(delay, signal);
  }
}

async function loadChecks(contract: ClientContract): Promise<NonNullable<ClientState["checks"]>> {
  try {
    const [{ checkValues }, { requestSchemas }] = await Promise.all([
      import("../checks/check-values.ts"),
      contract.requests(),
    ]);
    return { checkValues, requestSchemas };
  } catch (cause) {
    throw new InvalidRequest(["checks"], cause);
  }
}

async function checkPrepared(state: ClientState, operation: Operation, preparedCall: PreparedCall): Promise<void> {
  state.checks ??= await withDeadline(preparedCall.endsAt - performance.now(), preparedCall.signal, () =>
    loadChecks(state.contract),
  );
  const { checkValues, requestSchemas } = state.checks;
  const { problem, unlistedMembers } = checkValues(operation, requestSchemas, preparedCall);
  if (problem !== undefined) throw new InvalidRequest(problem);
  for (const violation of unlistedMembers) {
    notify(state.options.onDeviation, { operationId: operation.id, ...violation });
  }
}
