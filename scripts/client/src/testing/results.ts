/** Makes results of calls for tests by letting the client read the examples of the contract. */
import { failureOfRejection } from "../call.ts";
import { isConnectFailure } from "../connect-failure.ts";
import { EarlyEnd } from "../deadline.ts";
import { type ErrorKind, type Failure, type PartnerApiError, toError } from "../errors.ts";
import { type Operation, operationIn } from "../operation.ts";
import { checkNames } from "../options.ts";
import { readResponse } from "../response.ts";
import type { FailureDetails, FailureKind, TestedContract } from "./types.ts";

/** The result of a call. */
export interface TestedResult {
  readonly data: unknown;
  readonly error: PartnerApiError | undefined;
  readonly response: Response | undefined;
  readonly status: number | undefined;
}

/** A response before it is read. */
interface Sent {
  readonly status: number;
  readonly text: string;
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * Makes a successful result.
 *
 * @param overrides fields that replace those of the example; a whole replacement when the example is not an object.
 * @param example name of the example. Default: the first.
 * @throws {TypeError} when there is no such operation or example, or the result of the overrides would not be a success.
 */
export function makeSuccess(
  tested: TestedContract,
  operationId: string,
  overrides?: unknown,
  example?: string,
): TestedResult {
  const operation = operationIn(tested.table, operationId);
  const examples = tested.examples.successes[operationId] ?? {};
  const name = example ?? Object.keys(examples)[0] ?? "";
  const found = Object.hasOwn(examples, name) ? examples[name] : undefined;
  if (found === undefined) {
    throw new TypeError(`${operationId} has no example "${name}". There are ${Object.keys(examples).join(", ")}.`);
  }
  const { status, body } = found;
  const isObject = typeof body === "object" && !Array.isArray(body);
  const data = isObject ? { ...body, ...(overrides as object | undefined) } : (overrides ?? body);
  const result = read(tested, operation, {
    status,
    text: toText(data),
    contentType: operation.accept ?? "application/json",
  });
  if (result.error !== undefined) throw new TypeError(`The client reads this as a failure. ${result.error.message}`);
  return result;
}

/**
 * Makes a failed result.
 *
 * @param what a P-code of the catalogue, or the kind of a failure without one.
 * @throws {TypeError} when there is no such operation or P-code, a detail does not apply, or the client would not return such a failure for
 * a response with these details.
 */
export function makeFailure(
  tested: TestedContract,
  operationId: string,
  what: string,
  details: FailureDetails = {},
): TestedResult {
  const operation = operationIn(tested.table, operationId);
  const isCode = Object.hasOwn(tested.texts.catalogue, what);
  if (!isCode && !Object.hasOwn(applicable, what)) {
    throw new TypeError(`"${what}" is no P-code of the catalogue. Kinds are ${Object.keys(applicable).join(", ")}.`);
  }
  const kind = isCode ? "code" : (what as FailureKind);
  checkNames(`detail of ${what}`, details, isCode ? ofError : applicable[kind as FailureKind]);
  if (kind === "network" || kind === "timeout" || kind === "aborted")
    return withoutResponse(tested, operation, kind, details);
  const result = read(tested, operation, responseOf(tested, operation, what, details));
  const actual = result.error?.kind ?? "success";
  if (actual !== kind)
    throw new TypeError(`${operationId}: the client reads this response as ${actual}, not as ${kind}.`);
  return result;
}

const ofResponse = ["status", "headers"] as const;
const ofError = [...ofResponse, "errorName", "errorMessage", "timestamp"] as const;

/** The details that apply to each kind. */
const applicable: Readonly<Record<FailureKind, readonly (keyof FailureDetails)[]>> = {
  "no-code": ofError,
  "unknown-code": [...ofError, "errorCode"],
  "unexpected-response": [...ofResponse, "body"],
  network: ["outcome"],
  timeout: [],
  aborted: [],
};

/** The text of a body: a page unchanged, anything else as JSON. */
export function toText(data: unknown): string {
  return typeof data === "string" ? data : JSON.stringify(data);
}

/** Lets the client's code read the response. */
function read(tested: TestedContract, operation: Operation, sent: Sent): TestedResult {
  const { status, text, contentType, headers } = sent;
  const { data, failure } = readResponse({
    found: [],
    operation,
    contract: tested.contract,
    response: { status, contentType, text, headers: new Headers({ "content-type": contentType, ...headers }) },
  });
  const response = new Response(text, { status, headers: { "content-type": contentType, ...headers } });
  // The client consumes the body of every response that it returns.
  void response.text();
  return { data, error: failure && errorOf(tested, operation, failure), response, status };
}

/** The error of a call that made one attempt. */
function errorOf({ texts }: TestedContract, operation: Operation, failure: Failure): PartnerApiError {
  return Object.assign(toError(operation, failure, texts), { attempts: 1 });
}

function responseOf(tested: TestedContract, operation: Operation, what: string, details: FailureDetails): Sent {
  const { headers } = details;
  if (what === "unexpected-response") {
    const { status = 502, body: text = "<html><title>502 Bad Gateway</title></html>" } = details;
    return { status, text, contentType: text.startsWith("<") ? "text/html" : "application/json", headers };
  }
  const { status, body } = exampleOf(tested, operation, what, details);
  const { errorCode, errorName, errorMessage, timestamp } = details;
  const text = JSON.stringify({ ...(body as object), ...given({ errorCode, errorName, errorMessage, timestamp }) });
  return { status: details.status ?? status, text, contentType: "application/json", headers };
}

function given(values: Record<string, string | undefined>): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

function exampleOf({ examples }: TestedContract, operation: Operation, what: string, { status }: FailureDetails) {
  if (what === "unknown-code") {
    const body = { errorCode: "P999", errorMessage: "Not in the catalogue", timestamp: "2026-03-02T09:12:07.318Z" };
    return { status: 400, body };
  }
  if (what !== "no-code") {
    const { status: usual = 400, body } = examples.codes[what] ?? {};
    return { status: documentedStatus(operation, what) ?? usual, body };
  }
  const documented = Object.entries(examples.withoutCode[operation.id] ?? {});
  const found = documented.find(([key]) => status === undefined || key === String(status));
  if (found === undefined) {
    const statuses = documented.map(([key]) => key).join(", ") || "none";
    throw new TypeError(`${operation.id} has no response ${status} without a P-code. Documented: ${statuses}.`);
  }
  return { status: Number(found[0]), body: found[1] };
}

/** The status of a failure with this P-code, undefined when the contract does not document the code for the operation. */
function documentedStatus({ responses }: Operation, code: string): number | undefined {
  const found = Object.entries(responses).find(([status, codes]) => Number(status) >= 400 && codes.includes(code));
  return found && Number(found[0]);
}

/** The rejection of `fetch` for a failure without a response. */
export function rejectionOf(kind: ErrorKind, outcome: FailureDetails["outcome"], cause?: unknown): unknown {
  if (kind === "timeout") return new EarlyEnd(kind);
  if (kind === "aborted")
    return new EarlyEnd(kind, cause ?? new DOMException("This operation was aborted", "AbortError"));
  const [code, syscall] = outcome === "not-sent" ? ["ECONNREFUSED", "connect"] : ["ECONNRESET", "read"];
  return (
    cause ?? new TypeError("fetch failed", { cause: Object.assign(new Error(`${syscall} ${code}`), { code, syscall }) })
  );
}

function withoutResponse(
  tested: TestedContract,
  operation: Operation,
  kind: ErrorKind,
  { outcome }: FailureDetails,
): TestedResult {
  const rejection = rejectionOf(kind, outcome);
  const failure: Failure = {
    ...failureOfRejection(rejection),
    outcome: isConnectFailure(rejection) ? "not-sent" : "unknown",
  };
  return { data: undefined, error: errorOf(tested, operation, failure), response: undefined, status: undefined };
}
