import type { FailureCode } from "../../../../generated/client/codes.ts";
import { contract } from "../../../../generated/client/contract.ts";
import * as texts from "../../../../generated/client/error-texts.ts";
import * as table from "../../../../generated/client/operation-table.ts";
import type { OperationResults } from "../../../../generated/client/operations.ts";
import { responseExamples, type SuccessExamples } from "../../../../generated/client/response-examples.ts";
import { failureOfRejection } from "../call.ts";
import type { MiddlewareResult } from "../client.ts";
import { isConnectFailure } from "../connect-failure.ts";
import { EarlyEnd } from "../deadline.ts";
import { type ErrorKind, type Failure, type PartnerApiError, toError } from "../errors.ts";
import { type Operation, operationIn } from "../operation.ts";
import { checkNames } from "../options.ts";
import { readResponse } from "../response.ts";
import type { ErrorCodeOf } from "../types.ts";
import type { FailureDetails, FailureKind, ResponseExample } from "./types.ts";

/** The operationId of an operation. */
export type OperationName = keyof OperationResults;

/** The result of an operation that succeeded. */
export type SuccessOf<Name extends OperationName> = Extract<OperationResults[Name], { error: undefined }>;

/** The result of an operation that failed. */
export type FailureOf<Name extends OperationName> = Extract<OperationResults[Name], { data: undefined }>;

/** Overrides for the success example of each operation: some fields of an object, or the whole list or page. */
export type SuccessOverrides = { readonly [Name in OperationName]: OverridesOf<SuccessOf<Name>["data"]> };

type OverridesOf<Data> = [Data] extends [string | readonly unknown[]] ? Data : Partial<Data>;

/** The P-codes that the contract documents for the failures of each operation. */
export type DocumentedCodes = { readonly [Name in OperationName]: ErrorCodeOf<FailureOf<Name>["error"]> };

interface Sent {
  readonly status: number;
  readonly text: string;
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * Returns a successful result made from an example of the contract. Use it as the return value of an operation's function, or in {@link
 * createFakeClient}.
 *
 * @example success("createTransfer", { transferId: "7d1c9a52-3f0e-4b7a-9c86-1e5f2ab04d63" })
 * @param overrides fields that replace fields of the example; a list or a page replaces the whole example.
 * @param options.example name of the example, if the contract has several. Default: the first.
 * @throws {TypeError} when there is no such operation or example, or a required field is missing after the overrides.
 */
export function success<Name extends OperationName>(
  operationId: Name,
  overrides?: SuccessOverrides[Name],
  options: { example?: SuccessExamples[Name] | undefined } = {},
): SuccessOf<Name> {
  const operation = operationIn(table, operationId);
  const examples = responseExamples.successes[operationId] ?? {};
  const name = options.example ?? Object.keys(examples)[0] ?? "";
  const found = Object.hasOwn(examples, name) ? examples[name] : undefined;
  if (found === undefined) {
    throw new TypeError(`${operationId} has no example "${name}". There are ${Object.keys(examples).join(", ")}.`);
  }
  const { status, body } = found;
  const isObject = typeof body === "object" && !Array.isArray(body);
  const data = isObject ? { ...body, ...(overrides as object | undefined) } : (overrides ?? body);
  const { accept: contentType = "application/json" } = operation;
  const result = read(operation, { status, text: toText(data), contentType });
  if (result.error !== undefined) throw new TypeError(`The client reads this as a failure. ${result.error.message}`);
  return result as SuccessOf<Name>;
}

/**
 * Returns a failed result as the client returns it. Use it as the return value of an operation's function, or in {@link createFakeClient}.
 * Its `error` is a PartnerApiError that can be thrown.
 *
 * - A P-code of the catalogue: with the status that the contract documents for it, and the texts of its example.
 * - `no-code`: a documented failure without a P-code. Without `status`, the first documented one: 401 Access Denied.
 * - `unknown-code`: a P-code that the catalogue does not have: P999, or the given `errorCode`.
 * - `unexpected-response`: a response that cannot be read: a gateway's page with status 502, or the given `status` and `body`.
 * - `network`: no response. `outcome` is `unknown`; `{ outcome: "not-sent" }` is a refused connection.
 * - `timeout`, `aborted`: no response, `outcome` is `unknown`.
 *
 * @example failure("createTransfer", "P433")
 * @example failure("getUserBalances", "unexpected-response", { status: 503, headers: { "retry-after": "0" } })
 * @throws {TypeError} when there is no such operation or P-code, or a detail does not apply.
 */
export function failure<Name extends OperationName>(
  operationId: Name,
  documentedCode: DocumentedCodes[Name],
  details?: FailureDetails,
): FailureOf<Name>;
export function failure<Name extends OperationName>(
  operationId: Name,
  codeOrKind: FailureCode | FailureKind,
  details?: FailureDetails,
): FailureOf<Name>;
export function failure<Name extends OperationName>(
  operationId: Name,
  what: string,
  details: FailureDetails = {},
): FailureOf<Name> {
  const operation = operationIn(table, operationId);
  const isCode = Object.hasOwn(texts.catalogue, what);
  if (!isCode && !Object.hasOwn(applicable, what)) {
    throw new TypeError(`"${what}" is no P-code of the catalogue. Kinds are ${Object.keys(applicable).join(", ")}.`);
  }
  const kind = isCode ? "code" : (what as FailureKind);
  checkNames(`detail of ${what}`, details, isCode ? ofError : applicable[kind as FailureKind]);
  const hasNoResponse = kind === "network" || kind === "timeout" || kind === "aborted";
  const result = hasNoResponse
    ? withoutResponse(operation, kind, details)
    : read(operation, responseOf(operation, what, details));
  const actual = result.error?.kind ?? "success";
  if (actual !== kind)
    throw new TypeError(`${operationId}: the client reads this response as ${actual}, not as ${kind}.`);
  return result as FailureOf<Name>;
}

const ofResponse = ["status", "headers"] as const;
const ofError = [...ofResponse, "errorName", "errorMessage", "timestamp"] as const;

const applicable: Readonly<Record<FailureKind, readonly (keyof FailureDetails)[]>> = {
  "no-code": ofError,
  "unknown-code": [...ofError, "errorCode"],
  "unexpected-response": [...ofResponse, "body"],
  network: ["outcome"],
  timeout: [],
  aborted: [],
};

export function toText(data: unknown): string {
  return typeof data === "string" ? data : JSON.stringify(data);
}

function read(operation: Operation, { status, text, contentType, headers }: Sent): MiddlewareResult {
  const response = new Response(text, { status, headers: { "content-type": contentType, ...headers } });
  const raw = { status, contentType, text, headers: response.headers };
  const { data, failure } = readResponse({ found: [], operation, contract, response: raw });
  // The client consumes the body of every response that it returns.
  void response.text();
  return { data, error: failure && errorOf(operation, failure), response, status };
}

function errorOf(operation: Operation, failure: Failure): PartnerApiError {
  return Object.assign(toError(operation, failure, texts), { attempts: 1 });
}

function responseOf(operation: Operation, what: string, details: FailureDetails): Sent {
  const { headers } = details;
  if (what === "unexpected-response") {
    const { status = 502, body: text = "<html><title>502 Bad Gateway</title></html>" } = details;
    return { status, text, contentType: text.startsWith("<") ? "text/html" : "application/json", headers };
  }
  const { status, body } = exampleOf(operation, what, details);
  const { errorCode, errorName, errorMessage, timestamp } = details;
  const given = JSON.parse(JSON.stringify({ errorCode, errorName, errorMessage, timestamp }));
  const text = JSON.stringify({ ...(body as object), ...given });
  return { status: details.status ?? status, text, contentType: "application/json", headers };
}

function exampleOf(operation: Operation, what: string, { status }: FailureDetails) {
  if (what === "unknown-code") {
    const body = { errorCode: "P999", errorMessage: "Not in the catalogue", timestamp: "2026-03-02T09:12:07.318Z" };
    return { status: 400, body };
  }
  if (what !== "no-code") return responseExamples.codes[what] as ResponseExample;
  const documented = Object.entries(responseExamples.withoutCode[operation.id] ?? {});
  const found = documented.find(([key]) => status === undefined || key === String(status));
  if (found === undefined) {
    const statuses = documented.map(([key]) => key).join(", ") || "none";
    throw new TypeError(`${operation.id} has no response ${status} without a P-code. Documented: ${statuses}.`);
  }
  return { status: Number(found[0]), body: found[1] };
}

export function rejectionOf(kind: ErrorKind, outcome: FailureDetails["outcome"], cause?: unknown): unknown {
  if (kind === "timeout") return new EarlyEnd(kind);
  if (kind === "aborted")
    return new EarlyEnd(kind, cause ?? new DOMException("This operation was aborted", "AbortError"));
  const [code, syscall] = outcome === "not-sent" ? ["ECONNREFUSED", "connect"] : ["ECONNRESET", "read"];
  return (
    cause ?? new TypeError("fetch failed", { cause: Object.assign(new Error(`${syscall} ${code}`), { code, syscall }) })
  );
}

function withoutResponse(operation: Operation, kind: ErrorKind, { outcome }: FailureDetails): MiddlewareResult {
  const rejection = rejectionOf(kind, outcome);
  const failure: Failure = {
    ...failureOfRejection(rejection),
    outcome: isConnectFailure(rejection) ? "not-sent" : "unknown",
  };
  return { data: undefined, error: errorOf(operation, failure), response: undefined, status: undefined };
}
