/** The client at run time: one function per operation, built on openapi-fetch. */
import createFetchClient from "openapi-fetch";
import { type Deadline, orAborted, startDeadline, wait } from "./deadline.ts";
import { tell, type Violation } from "./deviations.ts";
import { type ErrorKind, PartnerApiError } from "./errors.ts";
import { explainCall } from "./explain.ts";
import { findExcess, findUnusablePart, type ReadyParts, readParts, toFormData } from "./multipart.ts";
import type { ClientContract, Operation, OperationTable } from "./operation.ts";
import { type CheckedOptions, type ClientOptions, checkOptions } from "./options.ts";
import { findUnsafePathParameter } from "./path-parameters.ts";
import { createRedactor, type Redact, redactCause } from "./redaction.ts";
import { type Reading, readResponse } from "./response.ts";
import { delayBefore, mayHelp } from "./retry.ts";
import type { Explanation } from "./types.ts";

/** The options of a call as the runtime sees them. The generated types declare what each operation takes. */
interface UntypedCall {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  timeoutMs?: number;
  retries?: number;
}

interface UntypedResult {
  data: unknown;
  error: PartnerApiError | undefined;
  response: Response | undefined;
  status: number | undefined;
}

type UntypedRequest = (method: string, path: string, init: object) => Promise<{ error?: unknown; response: Response }>;

/**
 * Creates a client for a contract.
 *
 * @typeParam Client the generated interface, which has one function for each entry of `contract.operations`.
 * @throws {TypeError} when a required option is missing, or an option is malformed.
 */
export function createClient<Client>(options: ClientOptions, contract: ClientContract): Client {
  const checked = checkOptions(options);
  const { operations, sensitiveNames } = contract;
  const raw = createRawClient(checked, operations);
  const redactorOf = createRedactor(sensitiveNames, checked.apiKey);
  const calls = Object.entries(operations).map(([operationId, operation]) => [
    operationId,
    (call: UntypedCall = {}) =>
      callOperation({
        operationId,
        operation,
        contract,
        options: checked,
        request: raw.request,
        call,
        redact: redactorOf(call),
      }),
  ]);
  const explain = (operationId: string, call: UntypedCall = {}): Explanation => {
    const operation = operations[operationId];
    if (operation === undefined) throw new TypeError(`There is no operation "${operationId}".`);
    return explainCall(operationId, operation, checked, sensitiveNames, call);
  };
  return { ...Object.fromEntries(calls), explain, raw } as Client;
}

/** The openapi-fetch client, which sends the key with every request and each path to its own base address. */
function createRawClient(options: CheckedOptions, operations: OperationTable) {
  const depositPaths = new Set(
    Object.values(operations).flatMap(({ address, path }) => (address === "deposit" ? [path] : [])),
  );
  const client = createFetchClient<Record<string, never>>({
    baseUrl: options.baseUrl,
    fetch: options.fetch,
    headers: { ...options.headers, "x-api-key": options.apiKey },
    // A redirect could send the key to another origin: fetch keeps custom headers when it follows one.
    redirect: "manual",
  });
  const request = client.request as unknown as UntypedRequest;
  const requestAtItsAddress: UntypedRequest = (method, path, init) =>
    request(method, path, { ...(depositPaths.has(path) ? { baseUrl: options.depositBaseUrl } : {}), ...init });
  const methods = ["GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE"].map((method) => [
    method,
    (path: string, init: object = {}) => requestAtItsAddress(method.toLowerCase(), path, init),
  ]);
  return { ...client, ...Object.fromEntries(methods), request: requestAtItsAddress };
}

interface CallContext {
  operationId: string;
  operation: Operation;
  contract: ClientContract;
  options: CheckedOptions;
  request: UntypedRequest;
  call: UntypedCall;
  redact: Redact;
}

/** Validates a call and sends it within its timeout. */
async function callOperation(context: CallContext): Promise<UntypedResult> {
  const { operation, options, call } = context;
  const problem = findProblem(operation, call);
  if (problem !== undefined) return failure(context, "invalid-request", problem);
  const deadline = startDeadline(call.timeoutMs ?? options.timeoutMs, call.signal);
  try {
    return await sendRepeatedly(context, deadline);
  } finally {
    deadline.stop();
  }
}

/** Sends a call, and repeats it while retries are left, may succeed, and fit into the timeout. */
async function sendRepeatedly(context: CallContext, deadline: Deadline): Promise<UntypedResult> {
  const { operation, options, call } = context;
  const parts = await readUploads(operation, call).catch((cause: unknown) => cause as Error);
  if (parts instanceof Error) return failure(context, "invalid-request", "A file could not be read.", parts);
  const excess = findExcess(parts ?? [], operation.limits ?? {});
  if (excess !== undefined) return failure(context, "invalid-request", excess);
  const attempts = 1 + (call.retries ?? (operation.safe ? options.retries : 0));
  for (let attempt = 1; ; attempt += 1) {
    const result = await attemptCall(context, parts, attempt, deadline);
    if (result.error === undefined || attempt >= attempts || !mayHelp(result.error)) return result;
    const delay = delayBefore(attempt, result.response?.headers.get("retry-after") ?? null);
    if (Date.now() + delay >= deadline.endsAt) return result;
    if (!(await wait(delay, deadline.signal))) return result;
  }
}

/** The reason why a call cannot be sent, undefined when it can. */
function findProblem(operation: Operation, call: UntypedCall): string | undefined {
  const unsafe = findUnsafePathParameter(operation.path, call.path ?? {});
  if (unsafe !== undefined) return unsafe;
  if (operation.body === "multipart") return findUnusablePart(call.body, operation.parts ?? []);
  if (operation.body === "json" && call.body === undefined) return "The body is missing.";
  return undefined;
}

/** The parts of a multipart call, undefined for every other call. */
async function readUploads(operation: Operation, call: UntypedCall): Promise<ReadyParts | undefined> {
  if (operation.body !== "multipart") return undefined;
  return readParts(call.body as Record<string, unknown>, operation.parts ?? []);
}

/** Sends a call once and reports the attempt to the logger. */
async function attemptCall(
  context: CallContext,
  parts: ReadyParts | undefined,
  attempt: number,
  deadline: Deadline,
): Promise<UntypedResult> {
  const { operationId, operation, contract, options, redact } = context;
  const { signal } = deadline;
  const startedAt = performance.now();
  const result = await sendAndRead().catch((cause: unknown) => failureOf(cause));
  tell(options.logger, {
    operationId,
    method: operation.method,
    path: operation.path,
    attempt,
    durationMs: performance.now() - startedAt,
    status: result.status,
    errorCode: result.error?.errorCode,
    kind: result.error?.kind,
  });
  return result;

  async function sendAndRead(): Promise<UntypedResult> {
    const { response, text } = await orAborted(send(context, parts, signal), signal);
    const { status, headers } = response;
    const received = { status, contentType: headers.get("content-type") ?? "", text };
    const { catalogue } = contract;
    const reading = readResponse({ operationId, operation, catalogue, response: received, redact });
    await reportDeviations(context, status, reading, signal);
    return { data: reading.data, error: reading.error, response, status };
  }

  function failureOf(cause: unknown): UntypedResult {
    if (deadline.isOver()) return failure(context, "timeout", "No complete response was received in time.", cause);
    if (signal.aborted) return failure(context, "aborted", "The call was aborted.", cause);
    return failure(context, "network", "The service could not be reached, or the connection failed.", cause);
  }
}

/** Tells the partner's hook how a response deviates from the contract. Whatever fails here, the result stays as it is. */
async function reportDeviations(
  { operationId, contract, options: { onDeviation } }: CallContext,
  status: number,
  { body, found }: Reading,
  signal: AbortSignal,
): Promise<void> {
  if (onDeviation === undefined) return;
  const loaded = await orAborted(contract.answers(), signal).catch(() => undefined);
  let violations: readonly Violation[] = found;
  try {
    violations = loaded?.checkAnswer({ operationId, status, body, found }) ?? found;
  } catch {
    // A body that is nested too deeply to be compared.
  }
  for (const violation of violations) tell(onDeviation, { operationId, status, ...violation });
}

/** Sends the request through openapi-fetch and reads the whole body of the response. */
async function send(
  context: CallContext,
  parts: ReadyParts | undefined,
  signal: AbortSignal,
): Promise<{ response: Response; text: string }> {
  const { operation, options, request, call } = context;
  const { error, response } = await request(operation.method.toLowerCase(), operation.path, {
    params: { path: call.path, query: call.query },
    headers: { accept: operation.accept, ...call.headers, "x-api-key": options.apiKey },
    body: parts === undefined ? call.body : toFormData(parts),
    signal,
    // openapi-fetch then leaves the body of a success unread, and readResponse decides what a malformed one means.
    parseAs: "stream",
  });
  if (response.bodyUsed) return { response, text: typeof error === "string" ? error : JSON.stringify(error) };
  return { response, text: await response.text() };
}

function failure(context: CallContext, kind: ErrorKind, problem: string, cause?: unknown): UntypedResult {
  const { operationId, redact } = context;
  const message = redact(`${operationId}: ${problem}`);
  const error = new PartnerApiError({ kind, operationId, message, cause: redactCause(cause, redact) });
  return { data: undefined, error, response: undefined, status: undefined };
}
