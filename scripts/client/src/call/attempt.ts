import { withDeadline } from "../base/deadline.ts";
import { toHeaders } from "../base/headers.ts";
import { notify } from "../base/notify.ts";
import type { Operation } from "../base/operation.ts";
import type { ReadResponse } from "../checks/check-response.ts";
import type { Violation } from "../checks/deviations.ts";
import type { Outcome, PartnerApiError } from "../errors/errors.ts";
import { InvalidRequest } from "../errors/invalid-request.ts";
import type { FailureFacts } from "../errors/to-error.ts";
import { decode } from "../reading/bytes.ts";
import { toRawResponse } from "../reading/raw-response.ts";
import type { BeforeSend, ClientState, MiddlewareResult } from "../state/client.ts";
import type { ClientContract } from "../state/client-contract.ts";
import type { AttemptRequest, BeforeAttempt } from "../state/client-options.ts";
import { errorOf, errorTextsOf, failureOfRejection } from "./failures.ts";
import { log } from "./log.ts";
import type { PreparedCall } from "./request.ts";
import { readResponse } from "./response.ts";
import { type Progress, type ReceivedResponse, sendRequest } from "./transport.ts";

export interface AttemptContext {
  readonly state: ClientState;
  readonly operation: Operation;
  readonly call: PreparedCall;
  readonly timeoutMs: number;
  /** Creates the form of an upload; undefined for other calls. */
  readonly toForm: (() => FormData) | undefined;
  readonly beforeSend: BeforeSend | undefined;
  /** The number of attempts so far, including this one. */
  readonly attempts: number;
  /** The outcome of the earlier attempts; `not-sent` for the first attempt. */
  readonly outcome: Outcome;
}

export interface AttemptResult {
  readonly result: MiddlewareResult;
  readonly isTooLarge?: boolean;
}

export async function makeAttempt(attempt: AttemptContext): Promise<AttemptResult> {
  const { state, operation, call, attempts } = attempt;
  const { options } = state;
  const { id: operationId, method, path } = operation;
  const attemptFields = { operationId, method, path, attempt: attempts };
  const isObserved = options.logger !== undefined || options.onResponse !== undefined;
  const startedAt = isObserved ? performance.now() : 0;
  const progress: Progress = { isSent: false };
  let { headers } = call;
  let receivedResponse: ReceivedResponse | undefined;
  let attemptResult: AttemptResult;
  const toAttemptError = (failure: FailureFacts): Promise<PartnerApiError> => {
    const outcome = worseOutcome(attempt.outcome, failure.outcome);
    return errorOf(state, operation, { attempts, ...failure, outcome }, () => ({ ...call.getSentValues(), headers }));
  };
  try {
    receivedResponse = await withDeadline(attempt.timeoutMs, call.signal, async (signal) => {
      if (options.onRequest) headers = await callOnRequest(options.onRequest, attemptFields, call);
      // Waits one turn of the event loop: a call that is aborted right after it was made is then not sent.
      if (call.signal !== undefined) await new Promise<unknown>((resolve) => runInNextTurn(resolve));
      signal?.throwIfAborted();
      const body = attempt.toForm?.() ?? call.text;
      const request = { headers, body, signal };
      return sendRequest(options, operation, call.url, attempt.beforeSend?.(request) ?? request, progress);
    });
    attemptResult = await readReceivedResponse(attempt, receivedResponse, toAttemptError);
  } catch (cause) {
    const failure: ReturnType<typeof failureOfRejection> =
      receivedResponse === undefined
        ? failureOfRejection(cause)
        : { kind: "unexpected-response", problem: [progress.partial ? "interpretation" : "no-response"], cause };
    attemptResult = { result: await resultOfFailure(attempt, failure, progress, toAttemptError) };
  }
  if (isObserved) {
    const { error, response } = attemptResult.result;
    const durationMs = performance.now() - startedAt;
    log(state, operation, attempts, durationMs, error, response);
    notify(options.onResponse, { ...attemptFields, durationMs, response, error });
  }
  return attemptResult;
}

/** From the most to the least severe: `unknown`, `refused`, `not-sent`. */
function worseOutcome(earlierOutcome: Outcome, attemptOutcome: Outcome): Outcome {
  return earlierOutcome === "unknown" || attemptOutcome === "not-sent" ? earlierOutcome : attemptOutcome;
}

async function callOnRequest(
  onRequest: BeforeAttempt,
  attemptFields: Omit<AttemptRequest, "url" | "headers">,
  { url, headers: preparedHeaders }: PreparedCall,
): Promise<Headers> {
  const headers = new Headers(preparedHeaders);
  try {
    await onRequest({ ...attemptFields, url, headers });
    toHeaders(headers);
  } catch (cause) {
    // The error message for a malformed header contains the header's value, which may be a secret.
    const isHeaderError = /^Headers\./.test(String((cause as Error | undefined)?.message));
    throw new InvalidRequest(["hook"], isHeaderError ? undefined : cause);
  }
  return headers;
}

type ToAttemptError = (failure: FailureFacts) => Promise<PartnerApiError>;

async function readReceivedResponse(
  { state, operation }: AttemptContext,
  { response, text, isUtf8 }: ReceivedResponse,
  toAttemptError: ToAttemptError,
): Promise<AttemptResult> {
  const { contract, options } = state;
  const { status } = response;
  const isTooLarge = text === undefined;
  const exceededLimit = isTooLarge ? options.maxResponseBytes : undefined;
  const violations: Violation[] = isUtf8 ? [] : [{ pointer: "", rule: "encoding" }];
  const { data, failure, body } = readResponse({
    operation,
    contract,
    response: toRawResponse(response, text ?? ""),
    exceededLimit,
    violations,
  });
  if (options.onDeviation !== undefined) {
    await reportDeviations(state, { operationId: operation.id, status, body, violations });
  }
  return { result: { data, error: failure && (await toAttemptError(failure)), response, status }, isTooLarge };
}

async function reportDeviations(state: ClientState, response: ReadResponse): Promise<void> {
  const { operationId, status } = response;
  let violations = response.violations;
  try {
    state.compare ??= await loadComparison(state.contract);
    violations = state.compare(response);
  } catch {
    // If the schemas could not be loaded, only the deviations found while reading are reported.
  }
  for (const violation of violations) notify(state.options.onDeviation, { operationId, status, ...violation });
}

async function loadComparison({ responses }: ClientContract): Promise<NonNullable<ClientState["compare"]>> {
  const [{ checkResponse }, { responseSchemas }] = await Promise.all([
    import("../checks/check-response.ts"),
    responses(),
  ]);
  return (response) => checkResponse(responseSchemas, response);
}

async function resultOfFailure(
  { state, call }: AttemptContext,
  failure: ReturnType<typeof failureOfRejection>,
  { isSent, partial }: Progress,
  toAttemptError: ToAttemptError,
): Promise<MiddlewareResult> {
  const texts = await errorTextsOf(state);
  // `isConnectFailure` is loaded together with the texts. If they could not be loaded, a call that was passed to `fetch` counts as sent.
  const isConnectFailure = partial === undefined && texts?.isConnectFailure(failure, call.url, state.options);
  const mayBeSent = isSent && !isConnectFailure;
  const response = partial && toRawResponse(partial.response, decode(partial.chunks).text);
  const error = await toAttemptError({ ...failure, outcome: mayBeSent ? "unknown" : "not-sent", response });
  return { data: undefined, error, response: partial?.response, status: response?.status };
}

/** Runs a callback in a later turn of the event loop. The function is stored here, so that fake timers of a test do not replace it. */
const runInNextTurn: (callback: (value: unknown) => void) => unknown =
  (globalThis as { setImmediate?: (callback: (value: unknown) => void) => unknown }).setImmediate ?? setTimeout;
