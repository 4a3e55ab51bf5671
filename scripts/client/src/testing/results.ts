import type { MiddlewareResult } from "../client.ts";
import type { ClientContract, ErrorTables } from "../client-contract.ts";
import { EarlyEnd } from "../deadline.ts";
import { makeErrorTexts } from "../error-texts.ts";
import { type ErrorKind, type Failure, type PartnerApiError, toError } from "../errors.ts";
import { failureOfRejection } from "../failures.ts";
import { type Operation, type OperationTable, operationIn } from "../operation.ts";
import { checkNames } from "../options.ts";
import { readResponse } from "../response.ts";
import type { FailureDetails, FailureKind, ResponseExample, ResponseExamples } from "./types.ts";

interface ResponseParts {
  readonly status: number;
  readonly text: string;
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** The generated tables from which results are made. */
export interface ResultContract {
  readonly contract: ClientContract;
  readonly table: OperationTable;
  readonly tables: ErrorTables;
  readonly examples: ResponseExamples;
}

export function makeSuccess(
  of: ResultContract,
  operationId: string,
  overrides: unknown,
  example: string | undefined,
): MiddlewareResult {
  const operation = operationIn(of.table, operationId);
  const examples = of.examples.successes[operationId] ?? {};
  const name = example ?? Object.keys(examples)[0] ?? "";
  const found = Object.hasOwn(examples, name) ? examples[name] : undefined;
  if (found === undefined) {
    throw new TypeError(`${operationId} has no example "${name}". There are ${Object.keys(examples).join(", ")}.`);
  }
  const { status, body } = found;
  const isObject = typeof body === "object" && !Array.isArray(body);
  const data = isObject ? { ...body, ...(overrides as object | undefined) } : (overrides ?? body);
  const { accept: contentType = "application/json" } = operation;
  const result = read(of, operation, { status, text: toText(data), contentType });
  if (result.error !== undefined) throw new TypeError(`The client reads this as a failure. ${result.error.message}`);
  return result;
}

export function makeFailure(
  of: ResultContract,
  operationId: string,
  what: string,
  details: FailureDetails,
): MiddlewareResult {
  const operation = operationIn(of.table, operationId);
  const isCode = Object.hasOwn(of.tables.catalogue, what);
  if (!isCode && !Object.hasOwn(applicable, what)) {
    throw new TypeError(`"${what}" is no P-code of the catalogue. Kinds are ${Object.keys(applicable).join(", ")}.`);
  }
  const kind = isCode ? "code" : (what as FailureKind);
  checkNames(`detail of ${what}`, details, isCode ? ofError : applicable[kind as FailureKind]);
  const hasNoResponse = kind === "network" || kind === "timeout" || kind === "aborted";
  const result = hasNoResponse
    ? withoutResponse(of, operation, kind, details)
    : read(of, operation, responseOf(of, operation, what, details));
  const actual = result.error?.kind ?? "success";
  if (actual !== kind)
    throw new TypeError(`${operationId}: the client reads this response as ${actual}, not as ${kind}.`);
  return result;
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

function toText(data: unknown): string {
  return typeof data === "string" ? data : JSON.stringify(data);
}

function read(
  of: ResultContract,
  operation: Operation,
  { status, text, contentType, headers }: ResponseParts,
): MiddlewareResult {
  const response = new Response(text, { status, headers: { "content-type": contentType, ...headers } });
  const raw = { status, contentType, text, headers: response.headers };
  const { data, failure } = readResponse({ found: [], operation, contract: of.contract, response: raw });
  // The client returns every response with its body already consumed.
  void response.text();
  return { data, error: failure && errorOf(of, operation, failure), response, status };
}

function errorOf(of: ResultContract, operation: Operation, failure: Failure): PartnerApiError {
  return Object.assign(toError(operation, failure, makeErrorTexts(of.tables)), { attempts: 1 });
}

function responseOf(of: ResultContract, operation: Operation, what: string, details: FailureDetails): ResponseParts {
  const { headers } = details;
  if (what === "unexpected-response") {
    const { status = 502, body: text = "<html><title>502 Bad Gateway</title></html>" } = details;
    return { status, text, contentType: text.startsWith("<") ? "text/html" : "application/json", headers };
  }
  const { status, body } = exampleOf(of, operation, what, details);
  const { errorCode, errorName, errorMessage, timestamp } = details;
  const given = JSON.parse(JSON.stringify({ errorCode, errorName, errorMessage, timestamp }));
  const text = JSON.stringify({ ...(body as object), ...given });
  return { status: details.status ?? status, text, contentType: "application/json", headers };
}

function exampleOf(of: ResultContract, operation: Operation, what: string, { status }: FailureDetails) {
  if (what === "unknown-code") {
    const body = { errorCode: "P999", errorMessage: "Not in the catalogue", timestamp: "2026-03-02T09:12:07.318Z" };
    return { status: 400, body };
  }
  if (what !== "no-code") return of.examples.codes[what] as ResponseExample;
  const documented = Object.entries(of.examples.withoutCode[operation.id] ?? {});
  const found = documented.find(([key]) => status === undefined || key === String(status));
  if (found === undefined) {
    const statuses = documented.map(([key]) => key).join(", ") || "none";
    throw new TypeError(`${operation.id} has no response ${status} without a P-code. Documented: ${statuses}.`);
  }
  return { status: Number(found[0]), body: found[1] };
}

function rejectionOf(kind: ErrorKind, outcome: FailureDetails["outcome"]): unknown {
  if (kind === "timeout") return new EarlyEnd(kind);
  if (kind === "aborted") return new EarlyEnd(kind, new DOMException("This operation was aborted", "AbortError"));
  const [code, syscall] = outcome === "not-sent" ? ["ECONNREFUSED", "connect"] : ["ECONNRESET", "read"];
  return new TypeError("fetch failed", {
    cause: Object.assign(new Error(`${syscall} ${code}`), { code, syscall, address: "127.0.0.1", port: 80 }),
  });
}

function withoutResponse(
  of: ResultContract,
  operation: Operation,
  kind: ErrorKind,
  { outcome }: FailureDetails,
): MiddlewareResult {
  const rejection = rejectionOf(kind, outcome);
  const failure: Failure = {
    ...failureOfRejection(rejection),
    outcome: outcome === "not-sent" ? "not-sent" : "unknown",
  };
  return { data: undefined, error: errorOf(of, operation, failure), response: undefined, status: undefined };
}
