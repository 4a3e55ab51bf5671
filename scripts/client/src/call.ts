import { decode } from "./bytes.ts";
import { type Client, type ClientState, type MiddlewareResult, stateOf } from "./client.ts";
import type { ClientContract } from "./client-contract.ts";
import type { AttemptRequest, BeforeAttempt } from "./client-options.ts";
import { EarlyEnd, wait, withDeadline } from "./deadline.ts";
import { notify, type Violation } from "./deviations.ts";
import type { ErrorTexts } from "./error-texts.ts";
import { type Failure, type Outcome, type PartnerApiError, type RawResponse, requestIdOf, toError } from "./errors.ts";
import type { Operation } from "./operation.ts";
import { own, toHeaders } from "./options.ts";
import type { SentValues } from "./redaction.ts";
import { type PreparedCall, prepareCall, type UntypedCall } from "./request.ts";
import { readResponse } from "./response.ts";
import type { ReadResponse } from "./responses.ts";
import { InvalidRequest } from "./serialize.ts";
import { type Progress, type ReceivedResponse, send } from "./transport.ts";

interface CallContext extends Progress {
  readonly state: ClientState;
  readonly operation: Operation;
  readonly prepared: PreparedCall;
  headers: PreparedCall["headers"];
  /** In milliseconds of `performance.now()`. */
  readonly endsAt: number;
  attempts: number;
  isTooLarge: boolean;
  outcome: Outcome;
}

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
  const context: CallContext = {
    state,
    operation,
    prepared,
    headers: prepared.headers,
    endsAt: startedAt + prepared.timeoutMs,
    attempts: 0,
    isSent: false,
    partial: undefined,
    isTooLarge: false,
    outcome: "not-sent",
  };
  try {
    return await sendRepeatedly(context);
  } catch (cause) {
    // The call failed before its first attempt, or between two attempts.
    const result = await failureOf(context, cause);
    log(state, operation, context.attempts, performance.now() - startedAt, result.error);
    return result;
  }
}

function log(
  { options: { logger } }: ClientState,
  { id: operationId, method, path }: Operation,
  attempt: number,
  durationMs: number,
  error: PartnerApiError | undefined,
  response?: Response,
): void {
  if (logger === undefined) return;
  const { kind, errorCode, outcome, requestId } =
    error ?? ({ requestId: requestIdOf(response?.headers) } as Partial<PartnerApiError>);
  const status = response?.status;
  notify(logger, { operationId, method, path, attempt, durationMs, status, errorCode, kind, outcome, requestId });
}

const textsPatienceMs = 1_000;

async function loadTexts(state: ClientState): Promise<ErrorTexts | undefined> {
  try {
    state.texts ??= await withDeadline(textsPatienceMs, undefined, () => loadErrorTexts(state.contract));
  } catch {
    // The error is created without texts. The next error tries again.
  }
  return state.texts;
}

export async function loadErrorTexts(contract: ClientContract): Promise<ErrorTexts> {
  const [{ makeErrorTexts }, tables] = await Promise.all([import("./error-texts.ts"), contract.errorTables()]);
  return makeErrorTexts(tables);
}

async function errorOf(
  state: ClientState,
  operation: Operation,
  failure: Failure,
  sent?: () => SentValues,
): Promise<PartnerApiError> {
  return toError(operation, failure, await loadTexts(state), sent);
}

/** The outcome covers all attempts so far, because an earlier attempt may have had an effect. */
async function attemptError(context: CallContext, failure: Failure): Promise<PartnerApiError> {
  const { state, operation, prepared, headers } = context;
  // Keeps the most severe outcome, which is the last in alphabetical order (not-sent, refused, unknown).
  if (failure.outcome > context.outcome) context.outcome = failure.outcome;
  const { outcome, attempts } = context;
  return errorOf(state, operation, { ...failure, outcome, attempts }, () => ({ headers, values: prepared.sent() }));
}

async function sendRepeatedly(context: CallContext): Promise<MiddlewareResult> {
  const { state, operation, prepared, endsAt } = context;
  const { upload, signal, retries, repeatUnknown } = prepared;
  const toForm =
    upload && (await withDeadline(remainingMs(context), signal, async (ending) => (await upload.load()).read(ending)));
  for (let attempt = 1; ; attempt += 1) {
    const result = await inTurn(context, () => makeAttempt(context, attempt, toForm));
    const { error, response } = result;
    if (error === undefined) {
      state.remainingRetries = Math.min(state.options.retryBudget, state.remainingRetries + 0.1);
      return result;
    }
    if (attempt > retries || context.isTooLarge || !mayHelp(error, operation.safe, repeatUnknown)) return result;
    const delay = delayBefore(attempt, response?.headers.get("retry-after"));
    if (state.remainingRetries < 1 || delay > longestDelayMs || performance.now() + delay >= endsAt) return result;
    state.remainingRetries -= 1;
    context.isSent = false;
    context.partial = undefined;
    await wait(delay, signal);
  }
}

function remainingMs({ endsAt }: CallContext): number {
  return endsAt - performance.now();
}

async function inTurn<T>(context: CallContext, run: () => Promise<T>): Promise<T> {
  const { state, prepared } = context;
  if (state.freeSlots >= 1) state.freeSlots -= 1;
  else {
    let begin = () => {};
    const turn = new Promise<void>((resolve) => {
      begin = resolve;
      state.queue.add(begin);
    });
    try {
      await withDeadline(remainingMs(context), prepared.signal, () => turn);
    } catch (cause) {
      // The attempt may have received its slot just before the wait ended: pass the slot on.
      if (!state.queue.delete(begin)) giveTurn(state);
      throw cause;
    }
  }
  try {
    return await run();
  } finally {
    giveTurn(state);
  }
}

function giveTurn(state: ClientState): void {
  const [next] = state.queue;
  if (next === undefined) state.freeSlots += 1;
  else {
    state.queue.delete(next);
    next();
  }
}

async function makeAttempt(
  context: CallContext,
  attempt: number,
  toForm: (() => FormData) | undefined,
): Promise<MiddlewareResult> {
  const { state, operation, prepared } = context;
  const { options } = state;
  context.attempts = attempt;
  const about = () => ({ operationId: operation.id, method: operation.method, path: operation.path, attempt });
  const isObserved = options.logger !== undefined || options.onResponse !== undefined;
  const startedAt = isObserved ? performance.now() : 0;
  const milliseconds = Math.min(remainingMs(context), prepared.attemptTimeoutMs);
  let result: MiddlewareResult;
  try {
    const received = await withDeadline(milliseconds, prepared.signal, async (signal) => {
      const headers = options.onRequest ? await askHook(options.onRequest, about(), prepared) : prepared.headers;
      context.headers = headers;
      // Waits one turn of the event loop, so that a call aborted right after it was made is not sent.
      if (prepared.signal !== undefined) await new Promise<unknown>((resolve) => soon(resolve));
      signal?.throwIfAborted();
      const body = toForm?.() ?? prepared.text;
      return send(options, operation, { url: prepared.url, headers, body, signal }, context);
    });
    result = await readReceived(context, received);
  } catch (cause) {
    result = await failureOf(context, cause);
  }
  if (isObserved) {
    const { error, response } = result;
    const durationMs = performance.now() - startedAt;
    log(state, operation, attempt, durationMs, error, response);
    notify(options.onResponse, { ...about(), durationMs, response, error });
  }
  return result;
}

async function askHook(
  onRequest: BeforeAttempt,
  about: Omit<AttemptRequest, "url" | "headers">,
  { url, headers: prepared }: PreparedCall,
): Promise<Headers> {
  const headers = new Headers(prepared);
  try {
    await onRequest({ ...about, url, headers });
    toHeaders(headers);
  } catch (cause) {
    // The error message for a malformed header contains the header's value, which may be a secret.
    const isHeader = /^Headers\./.test(String((cause as Error | undefined)?.message));
    throw new InvalidRequest(["hook"], isHeader ? undefined : cause);
  }
  return headers;
}

async function readReceived(
  context: CallContext,
  { response, text, isText }: ReceivedResponse,
): Promise<MiddlewareResult> {
  const { state, operation } = context;
  const { status } = response;
  context.isTooLarge = text === undefined;
  const tooLarge = context.isTooLarge ? state.options.maxResponseBytes : undefined;
  const found: Violation[] = isText ? [] : [{ pointer: "", rule: "encoding" }];
  const { data, failure, body } = readResponse({
    operation,
    contract: state.contract,
    response: rawResponse(response, text ?? ""),
    tooLarge,
    found,
  });
  const { id: operationId } = operation;
  if (state.options.onDeviation !== undefined) await reportDeviations(state, { operationId, status, body, found });
  return { data, error: failure && (await attemptError(context, failure)), response, status };
}

async function reportDeviations(
  { contract, options: { onDeviation } }: ClientState,
  response: ReadResponse,
): Promise<void> {
  const { operationId, status } = response;
  let violations = response.found;
  try {
    const [{ checkResponse }, { responseSchemas }] = await Promise.all([
      import("./responses.ts"),
      contract.responses(),
    ]);
    violations = checkResponse(responseSchemas, response);
  } catch {
    // The schemas could not be loaded, or the body is nested too deeply to be compared.
  }
  for (const violation of violations) notify(onDeviation, { operationId, status, ...violation });
}

async function failureOf(context: CallContext, rejection: unknown): Promise<MiddlewareResult> {
  const { isSent, partial } = context;
  const ended = failureOfRejection(rejection);
  // `isConnectFailure` is loaded with the texts. If loading failed, a call passed to `fetch` counts as sent.
  const texts = await loadTexts(context.state);
  const mayBeSent = isSent && ended.kind !== "invalid-request" && !texts?.isConnectFailure(rejection);
  const received = partial && rawResponse(partial.response, decode(partial.chunks).text);
  const failure = { ...ended, outcome: mayBeSent ? "unknown" : "not-sent", response: received } as const;
  const error = await attemptError(context, failure);
  return { data: undefined, error, response: partial?.response, status: received?.status };
}

function rawResponse({ status, headers }: Response, text: string): RawResponse {
  return { status, headers, contentType: headers.get("content-type") ?? "", text };
}

export function failureOfRejection(rejection: unknown): Pick<Failure, "kind" | "problem" | "cause"> {
  if (is(InvalidRequest, rejection))
    return { kind: "invalid-request", problem: rejection.problem, cause: rejection.cause };
  if (!is(EarlyEnd, rejection)) return { kind: "network", cause: rejection };
  return { kind: rejection.kind, problem: [rejection.kind], cause: rejection.cause };
}

/** `instanceof` that never throws, even for a revoked proxy thrown by a custom `fetch` or option. */
function is<T>(type: abstract new (...args: never[]) => T, value: unknown): value is T {
  try {
    return value instanceof type;
  } catch {
    return false;
  }
}

/** Captured when this module is loaded, so that fake timers of a test do not replace it. */
const soon: (callback: (value: unknown) => void) => unknown =
  (globalThis as { setImmediate?: (callback: (value: unknown) => void) => unknown }).setImmediate ?? setTimeout;

const firstDelayMs = 250;
const longestBackoffMs = 10_000;
/** If `Retry-After` requires a longer delay, the call is not retried. */
const longestDelayMs = 60_000;

/** An HTTP date in one of its three forms (RFC 9110, section 5.6.7). Without this check, `Date.parse` reads "1.5" as a date. */
const dateForm = /^[A-Z][a-z]{2,8},? .*\d\d:\d\d:\d\d/;

/**
 * An operation that is not safe (RFC 9110, section 9.2.1) is retried only if no attempt may have had an effect, or with `repeatUnknown`.
 */
function mayHelp(error: PartnerApiError, safe?: boolean, repeatUnknown?: boolean): boolean {
  const { kind, status = 0, retry, outcome } = error;
  if (safe && status >= 502 && status <= 504) return true;
  const mayPass = kind === "network" || kind === "timeout" || status === 429 || retry === "later";
  return mayPass && (safe || repeatUnknown || outcome !== "unknown");
}

/**
 * An exponential backoff, or `Retry-After` (RFC 9110, section 10.2.3) if that is longer. Random jitter spreads the retries of calls that
 * failed together.
 */
function delayBefore(attempt: number, retryAfter?: string | null): number {
  const value = retryAfter?.trim() ?? "";
  const date = dateForm.test(value) ? Date.parse(value) - Date.now() : 0;
  const asked = /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1000 : date || 0;
  const jitter = (milliseconds: number) => (milliseconds / 2) * Math.random();
  const backoff = Math.min(longestBackoffMs, firstDelayMs * 2 ** (attempt - 1));
  return Math.max(backoff - jitter(backoff), asked + jitter(Math.min(asked, 2_000)));
}
