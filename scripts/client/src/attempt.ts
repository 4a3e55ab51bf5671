import { decode } from "./bytes.ts";
import type { ClientState, MiddlewareResult } from "./client.ts";
import type { ClientContract } from "./client-contract.ts";
import type { AttemptRequest, BeforeAttempt } from "./client-options.ts";
import { withDeadline } from "./deadline.ts";
import { notify, type Violation } from "./deviations.ts";
import type { Failure, Outcome, PartnerApiError, RawResponse } from "./errors.ts";
import { errorOf, failureOfRejection, textsOf } from "./failures.ts";
import { InvalidRequest } from "./invalid-request.ts";
import { log } from "./log.ts";
import type { Operation } from "./operation.ts";
import { toHeaders } from "./options.ts";
import type { PreparedCall } from "./request.ts";
import { readResponse } from "./response.ts";
import type { ReadResponse } from "./responses.ts";
import { type Progress, type ReceivedResponse, send } from "./transport.ts";

export interface Attempt {
  readonly state: ClientState;
  readonly operation: Operation;
  readonly prepared: PreparedCall;
  readonly timeoutMs: number;
  /** Makes the form of an upload. */
  readonly body: (() => FormData) | undefined;
  /** Called right before the request leaves. If it throws, nothing is sent. */
  readonly beforeSend: (() => void) | undefined;
  /** Number of the attempt, starting with 1. */
  readonly attempts: number;
  /** The outcome of the earlier attempts. */
  readonly outcome: Outcome;
}

export interface AttemptResult {
  readonly result: MiddlewareResult;
  readonly isTooLarge: boolean;
}

export async function makeAttempt(attempt: Attempt): Promise<AttemptResult> {
  const { state, operation, prepared, attempts } = attempt;
  const { options } = state;
  const about = { operationId: operation.id, method: operation.method, path: operation.path, attempt: attempts };
  const isObserved = options.logger !== undefined || options.onResponse !== undefined;
  const startedAt = isObserved ? performance.now() : 0;
  const progress: Progress = { isSent: false, partial: undefined };
  let { headers } = prepared;
  let made: AttemptResult;
  const toError = (failure: Failure): Promise<PartnerApiError> => {
    const sent = () => ({ headers, values: prepared.sent() });
    return errorOf(state, operation, { attempts, ...failure, outcome: worse(attempt.outcome, failure.outcome) }, sent);
  };
  try {
    const received = await withDeadline(attempt.timeoutMs, prepared.signal, async (signal) => {
      if (options.onRequest) headers = await askHook(options.onRequest, about, prepared);
      // Waits one turn of the event loop, so that a call aborted right after it was made is not sent.
      if (prepared.signal !== undefined) await new Promise<unknown>((resolve) => soon(resolve));
      signal?.throwIfAborted();
      const body = attempt.body?.() ?? prepared.text;
      attempt.beforeSend?.();
      return send(options, operation, { url: prepared.url, headers, body, signal }, progress);
    });
    made = await readReceived(attempt, received, toError);
  } catch (cause) {
    made = { result: await resultOfRejection(attempt, cause, progress, toError), isTooLarge: false };
  }
  if (isObserved) {
    const { error, response } = made.result;
    const durationMs = performance.now() - startedAt;
    log(state, operation, attempts, durationMs, error, response);
    notify(options.onResponse, { ...about, durationMs, response, error });
  }
  return made;
}

/**
 * The outcome of a call whose earlier attempts may have had an effect. The alphabetical order of the outcomes is also their order of
 * severity: not-sent, refused, unknown.
 */
function worse(earlier: Outcome, own: Outcome): Outcome {
  return earlier > own ? earlier : own;
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

type ToError = (failure: Failure) => Promise<PartnerApiError>;

async function readReceived(
  { state, operation }: Attempt,
  { response, text, isText }: ReceivedResponse,
  toError: ToError,
): Promise<AttemptResult> {
  const { contract, options } = state;
  const { status } = response;
  const isTooLarge = text === undefined;
  const tooLarge = isTooLarge ? options.maxResponseBytes : undefined;
  const found: Violation[] = isText ? [] : [{ pointer: "", rule: "encoding" }];
  const raw = rawResponse(response, text ?? "");
  const { data, failure, body } = readResponse({ operation, contract, response: raw, tooLarge, found });
  if (options.onDeviation !== undefined) {
    await reportDeviations(state, { operationId: operation.id, status, body, found });
  }
  return { result: { data, error: failure && (await toError(failure)), response, status }, isTooLarge };
}

async function reportDeviations(state: ClientState, response: ReadResponse): Promise<void> {
  const { operationId, status } = response;
  let violations = response.found;
  try {
    state.compare ??= await loadComparison(state.contract);
    violations = state.compare(response);
  } catch {
    // The schemas could not be loaded, or the body is nested too deeply to be compared.
  }
  for (const violation of violations) notify(state.options.onDeviation, { operationId, status, ...violation });
}

async function loadComparison({ responses }: ClientContract): Promise<NonNullable<ClientState["compare"]>> {
  const [{ checkResponse }, { responseSchemas }] = await Promise.all([import("./responses.ts"), responses()]);
  return (response) => checkResponse(responseSchemas, response);
}

async function resultOfRejection(
  { state, prepared }: Attempt,
  rejection: unknown,
  { isSent, partial }: Progress,
  toError: ToError,
): Promise<MiddlewareResult> {
  const failure = failureOfRejection(rejection);
  const texts = await textsOf(state);
  // `isConnectFailure` is loaded together with the texts. If they could not be loaded, a call that was passed to `fetch` counts as sent.
  const isConnectFailure = partial === undefined && texts?.isConnectFailure(rejection, prepared.url, state.options);
  const mayBeSent = isSent && failure.kind !== "invalid-request" && !isConnectFailure;
  const response = partial && rawResponse(partial.response, decode(partial.chunks).text);
  const error = await toError({ ...failure, outcome: mayBeSent ? "unknown" : "not-sent", response });
  return { data: undefined, error, response: partial?.response, status: response?.status };
}

function rawResponse({ status, headers }: Response, text: string): RawResponse {
  return { status, headers, contentType: headers.get("content-type") ?? "", text };
}

/** Runs a callback in the next turn of the event loop. Read when this module is loaded, so that fake timers of a test do not replace it. */
const soon: (callback: (value: unknown) => void) => unknown =
  (globalThis as { setImmediate?: (callback: (value: unknown) => void) => unknown }).setImmediate ?? setTimeout;
