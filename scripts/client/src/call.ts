import { makeAttempt } from "./attempt.ts";
import { type Client, type ClientState, type MiddlewareResult, stateOf } from "./client.ts";
import { wait, withDeadline } from "./deadline.ts";
import { notify } from "./deviations.ts";
import type { Outcome } from "./errors.ts";
import { errorOf, failureOfRejection, is, textsOf } from "./failures.ts";
import { InvalidRequest } from "./invalid-request.ts";
import { log } from "./log.ts";
import type { Operation } from "./operation.ts";
import { own } from "./options.ts";
import { type PreparedCall, prepareCall, type UntypedCall } from "./request.ts";
import { delayBefore, maxDelayMs, mayHelp } from "./retries.ts";
import { inTurn } from "./turns.ts";

/** Without middleware, the request is fixed before this function returns, so later changes of the options have no effect. */
export function call<Result>(client: Client, operation: Operation, options?: object): Promise<Result> {
  const state = stateOf(client);
  const run = (given: object = {}) => callWith(state, own(operation), given);
  if (state.around === undefined) return run(options) as Promise<Result>;
  const { id, method, path } = operation;
  return state.around({ operationId: id, method, path, options: options ?? {} }, run) as Promise<Result>;
}

async function callWith(state: ClientState, operation: Operation, options: object): Promise<MiddlewareResult> {
  let prepared: PreparedCall;
  try {
    prepared = prepareCall(state, operation, own(options as UntypedCall));
  } catch (cause) {
    // Any error other than InvalidRequest comes from reading the options, and its message may contain sensitive values.
    const problem = is(InvalidRequest, cause) ? cause.problem : (["options"] as const);
    const error = await errorOf(state, operation, { kind: "invalid-request", outcome: "not-sent", problem });
    log(state, operation, 0, 0, error);
    return { data: undefined, error, response: undefined, status: undefined };
  }
  const startedAt = performance.now();
  const made: Made = { attempts: 0, outcome: "not-sent" };
  try {
    return await sendRepeatedly(state, operation, prepared, startedAt + prepared.timeoutMs, made);
  } catch (cause) {
    // The call failed before its first attempt, or between two attempts.
    const { headers, sent } = prepared;
    const failure = { ...failureOfRejection(cause), ...made };
    const error = await errorOf(state, operation, failure, () => ({ headers, values: sent() }));
    log(state, operation, made.attempts, performance.now() - startedAt, error);
    return { data: undefined, error, response: undefined, status: undefined };
  }
}

/** What the attempts so far may have done. */
interface Made {
  attempts: number;
  outcome: Outcome;
}

/** @param endsAt milliseconds of `performance.now()`. */
async function sendRepeatedly(
  state: ClientState,
  operation: Operation,
  prepared: PreparedCall,
  endsAt: number,
  made: Made,
): Promise<MiddlewareResult> {
  const { upload, signal, retries, repeatUnknown } = prepared;
  const remainingMs = () => endsAt - performance.now();
  if (prepared.hasValues) {
    const checks = state.checks ?? (await withDeadline(remainingMs(), signal, () => loadChecks(state)));
    checkPrepared(state, operation, prepared, checks);
  }
  const toForm =
    upload && (await withDeadline(remainingMs(), signal, async (ending) => (await upload.load()).read(ending)));
  for (let attempt = 1; ; attempt += 1) {
    const { result, isTooLarge } = await inTurn(state, remainingMs(), signal, () => {
      made.attempts = attempt;
      const milliseconds = Math.min(remainingMs(), prepared.attemptTimeoutMs);
      return makeAttempt({ state, operation, prepared, milliseconds, body: toForm, ...made });
    });
    const { error, response } = result;
    if (error === undefined) {
      state.remainingRetries = Math.min(state.options.retryBudget, state.remainingRetries + 0.1);
      return result;
    }
    made.outcome = error.outcome;
    if (attempt > retries || isTooLarge || !mayHelp(error, operation.safe, repeatUnknown)) return result;
    const delay = delayBefore(attempt, response?.headers.get("retry-after"));
    if (state.remainingRetries < 1 || delay > maxDelayMs || delay >= remainingMs()) return result;
    state.remainingRetries -= 1;
    await wait(delay, signal);
  }
}

/** Why the client would not send a call; undefined if it would. */
export async function refusalOf(client: Client, operation: Operation, options: object): Promise<string | undefined> {
  const state = stateOf(client);
  try {
    const prepared = prepareCall(state, own(operation), own(options as UntypedCall));
    if (prepared.hasValues) checkPrepared(state, operation, prepared, state.checks ?? (await loadChecks(state)));
    return undefined;
  } catch (cause) {
    if (!is(InvalidRequest, cause)) throw cause;
    return (await textsOf(state))?.textOf(cause.problem) ?? "The client refuses the request.";
  }
}

export async function loadChecks(state: ClientState): Promise<NonNullable<ClientState["checks"]>> {
  try {
    const [{ checkValues }, { requestSchemas }] = await Promise.all([
      import("./check-values.ts"),
      state.contract.requests(),
    ]);
    state.checks = { checkValues, requestSchemas };
    return state.checks;
  } catch (cause) {
    throw new InvalidRequest(["checks"], cause);
  }
}

export function checkPrepared(
  { options: { onDeviation } }: ClientState,
  operation: Operation,
  prepared: PreparedCall,
  { checkValues, requestSchemas }: NonNullable<ClientState["checks"]>,
): void {
  const { problem, unlisted } = checkValues(operation, requestSchemas, prepared);
  if (problem !== undefined) throw new InvalidRequest(problem);
  for (const violation of unlisted) notify(onDeviation, { operationId: operation.id, ...violation });
}
