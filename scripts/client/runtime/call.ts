/** Makes a call: prepares it, sends it, repeats it, and turns whatever happens into a result. */
import { type Client, type ClientState, stateOf } from "./client.ts";
import { Ended, wait, within } from "./deadline.ts";
import { tell, type Violation } from "./deviations.ts";
import { createError, type ErrorKind, type Outcome, type PartnerApiError } from "./errors.ts";
import type { AttemptRequest, BeforeAttempt } from "./hooks.ts";
import { InvalidRequest } from "./invalid-request.ts";
import type { Operation } from "./operation.ts";
import { own } from "./options.ts";
import type { Reading } from "./reading.ts";
import { createRedactor, type Redact, redactCause } from "./redaction.ts";
import { type PreparedCall, prepareCall, type UntypedCall } from "./request.ts";
import { readResponse } from "./response.ts";
import { delayBefore, mayHelp } from "./retry.ts";
import { type Answer, describeNetworkError, failedToConnect, send } from "./transport.ts";

interface UntypedResult {
  data: unknown;
  error: PartnerApiError | undefined;
  response: Response | undefined;
  status: number | undefined;
}

/** What all attempts of a call share. */
interface CallContext {
  readonly state: ClientState;
  readonly operation: Operation;
  readonly prepared: PreparedCall;
  readonly redact: Redact;
  /** When the timeout expires, on the clock of `performance.now`, which nobody sets. */
  readonly endsAt: number;
  /** Whether the present attempt may have sent something. */
  isSent: boolean;
  /** What is known of the effect of the attempts so far. */
  outcome: Outcome;
}

/**
 * Calls an operation. Everything that is sent is fixed before this function returns.
 *
 * @typeParam Result the generated type of the result.
 * @returns a promise that never rejects.
 * @throws {TypeError} when the client is none.
 */
export function call<Result>(client: Client, operation: Operation, options?: object): Promise<Result> {
  const state = stateOf(client);
  return callWith(state, own(operation), options ?? {}) as Promise<Result>;
}

async function callWith(state: ClientState, operation: Operation, options: object): Promise<UntypedResult> {
  let prepared: PreparedCall;
  try {
    prepared = prepareCall(state, operation, own(options as UntypedCall));
  } catch (cause) {
    return refuse(operation, cause);
  }
  const { apiKey } = state.options;
  const redact = createRedactor(state.contract.sensitiveNames, () => ({ apiKey, values: prepared.sent() }));
  const endsAt = performance.now() + prepared.timeoutMs;
  const context: CallContext = { state, operation, prepared, redact, endsAt, isSent: false, outcome: "not-sent" };
  try {
    return await sendRepeatedly(context);
  } catch (cause) {
    return failureOf(context, cause);
  }
}

/** The result of a call that cannot be prepared. Nothing is known of its values, so that no other error is shown. */
function refuse({ id }: Operation, cause: unknown): UntypedResult {
  const problem = is(InvalidRequest, cause) ? cause.message : "An option of the call cannot be read.";
  const details = { kind: "invalid-request", outcome: "not-sent", operationId: id } as const;
  return failed(createError({ ...details, message: `${id}: ${problem}` }));
}

function failed(error: PartnerApiError): UntypedResult {
  return { data: undefined, error, response: undefined, status: undefined };
}

/** Sends a call, and repeats it while retries are left, may help, and fit into the timeout. */
async function sendRepeatedly(context: CallContext): Promise<UntypedResult> {
  const { operation, prepared, endsAt } = context;
  const { upload, signal, retries } = prepared;
  const toForm = upload && (await within(remaining(context), signal, (ending) => upload.read(ending)));
  for (let attempt = 1; ; attempt += 1) {
    const result = await makeAttempt(context, attempt, toForm);
    if (result.error === undefined || attempt > retries || !mayHelp(result.error, operation.safe === true))
      return result;
    const delay = delayBefore(attempt, result.response?.headers.get("retry-after"));
    if (performance.now() + delay >= endsAt) return result;
    context.isSent = false;
    await wait(delay, signal);
  }
}

function remaining({ prepared: { timeoutMs }, endsAt }: CallContext): number {
  return timeoutMs === Number.POSITIVE_INFINITY ? timeoutMs : endsAt - performance.now();
}

/** Sends a call once, and tells the hooks of it. */
async function makeAttempt(
  context: CallContext,
  attempt: number,
  toForm: (() => FormData) | undefined,
): Promise<UntypedResult> {
  const { state, operation, prepared } = context;
  const { options } = state;
  const about = () => ({ operationId: operation.id, method: operation.method, path: operation.path, attempt });
  const isTold = options.logger !== undefined || options.onResponse !== undefined;
  const startedAt = isTold ? performance.now() : 0;
  // The whole timeout, to the millisecond: timers of the same length share a list in Node.
  const left = attempt === 1 && toForm === undefined ? prepared.timeoutMs : remaining(context);
  const milliseconds = Math.min(left, prepared.attemptTimeoutMs);
  context.isSent = false;
  let result: UntypedResult;
  try {
    const answer = await within(milliseconds, prepared.signal, async (signal) => {
      const headers = options.onRequest ? await askHook(options.onRequest, about(), prepared) : prepared.headers;
      signal?.throwIfAborted();
      context.isSent = true;
      return send(options, operation, { url: prepared.url, headers, body: toForm?.() ?? prepared.text, signal });
    });
    result = await readAnswer(context, answer);
  } catch (cause) {
    result = failureOf(context, cause);
  }
  const { error, status, response } = result;
  if (isTold) {
    const durationMs = performance.now() - startedAt;
    tell(options.logger, { ...about(), durationMs, status, errorCode: error?.errorCode, kind: error?.kind });
    tell(options.onResponse, { ...about(), durationMs, response, error });
  }
  return result;
}

/** Lets the partner's hook set headers. */
async function askHook(
  onRequest: BeforeAttempt,
  about: Omit<AttemptRequest, "url" | "headers">,
  { url, headers: prepared }: PreparedCall,
): Promise<Headers> {
  const headers = new Headers(prepared);
  try {
    await onRequest({ ...about, url, headers });
  } catch (cause) {
    // The message of a malformed header holds its value, which may be a secret.
    const isHeader = /^Headers\./.test(String((cause as Error | undefined)?.message));
    throw new InvalidRequest("onRequest failed, so the attempt was not made.", isHeader ? {} : { cause });
  }
  return headers;
}

async function readAnswer(context: CallContext, { response, text }: Answer): Promise<UntypedResult> {
  const { state, operation, redact } = context;
  const { status, headers } = response;
  const received = { status, contentType: headers.get("content-type") ?? "", text };
  const read = readResponse({ operation, contract: state.contract, response: received, redact, found: [] });
  const reading = read instanceof Promise ? await read : read;
  if (state.options.onDeviation !== undefined) await reportDeviations(state, operation, status, reading);
  if (reading.error !== undefined) addOutcome(context, reading.error);
  return { data: reading.data, error: reading.error, response, status };
}

/** Tells the partner's hook how a response deviates from the contract. Whatever fails here, the result stays as it is. */
async function reportDeviations(
  { contract, options: { onDeviation } }: ClientState,
  { id: operationId }: Operation,
  status: number,
  { body, found }: Reading,
): Promise<void> {
  let violations: readonly Violation[] = found;
  try {
    const { checkAnswer } = await contract.answers();
    violations = checkAnswer({ operationId, status, body, found });
  } catch {
    // The schemas cannot be loaded, or a body is nested too deeply to be compared.
  }
  for (const violation of violations) tell(onDeviation, { operationId, status, ...violation });
}

/** The result of an attempt without a response. */
function failureOf(context: CallContext, cause: unknown): UntypedResult {
  const { operation, state, redact, isSent } = context;
  const { kind, problem } = describeFailure(cause, redact);
  const isUnsent = !isSent || (kind === "network" && failedToConnect(state.options, cause));
  const reason = is(Ended, cause) || is(InvalidRequest, cause) ? cause.cause : cause;
  const error = createError({
    kind,
    operationId: operation.id,
    message: `${operation.id}: ${problem}`,
    outcome: isUnsent ? "not-sent" : "unknown",
    cause: reason === undefined ? undefined : redactCause(reason, redact),
  });
  addOutcome(context, error);
  return failed(error);
}

/** The kind of what an attempt rejected with, and what a message says of it. */
export function describeFailure(cause: unknown, redact: Redact): { kind: ErrorKind; problem: string } {
  if (is(InvalidRequest, cause)) return { kind: "invalid-request", problem: cause.message };
  if (!is(Ended, cause)) return { kind: "network", problem: describeNetworkError(cause, redact) };
  if (cause.kind === "aborted") return { kind: "aborted", problem: "The call was aborted." };
  return { kind: "timeout", problem: "No complete response was received in time." };
}

/** `instanceof` for anything that a `fetch` or an option can throw, such as a proxy that was revoked. */
function is<T>(type: abstract new (...args: never[]) => T, value: unknown): value is T {
  try {
    return value instanceof type;
  } catch {
    return false;
  }
}

/** An earlier attempt may have had an effect that the last one does not know of. */
function addOutcome(context: CallContext, error: PartnerApiError): void {
  const order: readonly Outcome[] = ["not-sent", "refused", "unknown"];
  const outcome = order[Math.max(order.indexOf(context.outcome), order.indexOf(error.outcome))] as Outcome;
  context.outcome = outcome;
  (error as { outcome: Outcome }).outcome = outcome;
}
