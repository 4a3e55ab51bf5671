import { checkNames } from "../base/check-names.ts";
import { EarlyEnd } from "../base/deadline.ts";
import { findOperation, type Operation, type OperationTable } from "../base/operation.ts";
import { failureOfRejection } from "../call/failures.ts";
import { readResponse } from "../call/response.ts";
import { type ErrorTables, makeErrorTexts } from "../errors/error-texts.ts";
import type { ErrorKind, PartnerApiError } from "../errors/errors.ts";
import { type FailureFacts, toError } from "../errors/to-error.ts";
import { toRawResponse } from "../reading/raw-response.ts";
import { type MiddlewareResult, resultWithoutResponse } from "../state/client.ts";
import type { ClientContract } from "../state/client-contract.ts";
import type { FailureDetails, FailureKind, ResponseExample, ResponseExamples } from "./types.ts";

interface ResponseParts {
  readonly status: number;
  readonly text: string;
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface ResultTables {
  readonly contract: ClientContract;
  readonly operationTable: OperationTable;
  readonly errorTables: ErrorTables;
  readonly examples: ResponseExamples;
}

export function makeSuccess(
  tables: ResultTables,
  operationId: string,
  overrides: unknown,
  example: string | undefined,
): MiddlewareResult {
  const operation = findOperation(tables.operationTable, operationId);
  const examples = tables.examples.successes[operationId] ?? {};
  const name = example ?? Object.keys(examples)[0] ?? "";
  const chosenExample = Object.hasOwn(examples, name) ? examples[name] : undefined;
  if (chosenExample === undefined) {
    throw new TypeError(`${operationId} has no example "${name}". There are ${Object.keys(examples).join(", ")}.`);
  }
  const { status, body } = chosenExample;
  const isObject = typeof body === "object" && !Array.isArray(body);
  const data = isObject ? { ...body, ...(overrides as object | undefined) } : (overrides ?? body);
  const { accept: contentType = "application/json" } = operation;
  const result = readResult(tables, operation, { status, text: toText(data), contentType });
  if (result.error !== undefined) throw new TypeError(`The client reads this as a failure. ${result.error.message}`);
  return result;
}

export function makeFailure(
  tables: ResultTables,
  operationId: string,
  codeOrKind: string,
  details: FailureDetails,
): MiddlewareResult {
  const operation = findOperation(tables.operationTable, operationId);
  const isCode = Object.hasOwn(tables.errorTables.catalogue, codeOrKind);
  if (!isCode && !Object.hasOwn(detailNamesByKind, codeOrKind)) {
    throw new TypeError(
      `"${codeOrKind}" is no P-code of the catalogue. Kinds are ${Object.keys(detailNamesByKind).join(", ")}.`,
    );
  }
  const kind = isCode ? "code" : (codeOrKind as FailureKind);
  checkNames(`detail of ${codeOrKind}`, details, isCode ? errorDetailNames : detailNamesByKind[kind as FailureKind]);
  const hasNoResponse = kind === "network" || kind === "timeout" || kind === "aborted";
  const result = hasNoResponse
    ? unansweredResult(tables, operation, kind, details)
    : readResult(tables, operation, responseOf(tables, operation, codeOrKind, details));
  const actualKind = result.error?.kind ?? "success";
  if (actualKind !== kind)
    throw new TypeError(`${operationId}: the client reads this response as ${actualKind}, not as ${kind}.`);
  return result;
}

const responseDetailNames = ["status", "headers"] as const;
const errorDetailNames = [...responseDetailNames, "errorName", "errorMessage", "timestamp"] as const;

const detailNamesByKind: Readonly<Record<FailureKind, readonly (keyof FailureDetails)[]>> = {
  "no-code": errorDetailNames,
  "unknown-code": [...errorDetailNames, "errorCode"],
  "unexpected-response": [...responseDetailNames, "body"],
  network: ["outcome"],
  timeout: [],
  aborted: [],
};

function toText(data: unknown): string {
  return typeof data === "string" ? data : JSON.stringify(data);
}

function readResult(
  tables: ResultTables,
  operation: Operation,
  { status, text, contentType, headers }: ResponseParts,
): MiddlewareResult {
  // These statuses have no body.
  const body = [204, 205, 304].includes(status) ? null : text;
  const response = new Response(body, { status, headers: { "content-type": contentType, ...headers } });
  const { data, failure } = readResponse({
    violations: [],
    operation,
    contract: tables.contract,
    response: toRawResponse(response, body ?? ""),
  });
  // The client returns every response with its body already consumed.
  void response.text();
  return { data, error: failure && errorOf(tables, operation, failure), response, status };
}

function errorOf(tables: ResultTables, operation: Operation, failure: FailureFacts): PartnerApiError {
  return toError(operation, { ...failure, attempts: 1 }, makeErrorTexts(tables.errorTables).describe);
}

function responseOf(
  tables: ResultTables,
  operation: Operation,
  codeOrKind: string,
  details: FailureDetails,
): ResponseParts {
  const { headers } = details;
  if (codeOrKind === "unexpected-response") {
    const { status = 502, body: text = "<html><title>502 Bad Gateway</title></html>" } = details;
    return { status, text, contentType: text.startsWith("<") ? "text/html" : "application/json", headers };
  }
  const { status, body } = exampleOf(tables, operation, codeOrKind, details);
  const { errorCode, errorName, errorMessage, timestamp } = details;
  const givenFields = JSON.parse(JSON.stringify({ errorCode, errorName, errorMessage, timestamp }));
  const text = JSON.stringify({ ...(body as object), ...givenFields });
  return { status: details.status ?? status, text, contentType: "application/json", headers };
}

function exampleOf(tables: ResultTables, operation: Operation, codeOrKind: string, { status }: FailureDetails) {
  if (codeOrKind === "unknown-code") {
    const body = { errorCode: "P999", errorMessage: "Not in the catalogue", timestamp: "2026-03-02T09:12:07.318Z" };
    return { status: 400, body };
  }
  if (codeOrKind !== "no-code") return tables.examples.codes[codeOrKind] as ResponseExample;
  const documentedExamples = Object.entries(tables.examples.withoutCode[operation.id] ?? {});
  const chosenExample = documentedExamples.find(([key]) => status === undefined || key === String(status));
  if (chosenExample === undefined) {
    const statuses = documentedExamples.map(([key]) => key).join(", ") || "none";
    throw new TypeError(`${operation.id} has no response ${status} without a P-code. Documented: ${statuses}.`);
  }
  return { status: Number(chosenExample[0]), body: chosenExample[1] };
}

function rejectionOf(kind: ErrorKind, outcome: FailureDetails["outcome"]): unknown {
  if (kind === "timeout") return new EarlyEnd(kind);
  if (kind === "aborted") return new EarlyEnd(kind, new DOMException("This operation was aborted", "AbortError"));
  const [code, syscall] = outcome === "not-sent" ? ["ECONNREFUSED", "connect"] : ["ECONNRESET", "read"];
  return new TypeError("fetch failed", {
    cause: Object.assign(new Error(`${syscall} ${code}`), { code, syscall, address: "127.0.0.1", port: 80 }),
  });
}

function unansweredResult(
  tables: ResultTables,
  operation: Operation,
  kind: ErrorKind,
  { outcome }: FailureDetails,
): MiddlewareResult {
  const rejection = rejectionOf(kind, outcome);
  const failure: FailureFacts = {
    ...failureOfRejection(rejection),
    outcome: outcome === "not-sent" ? "not-sent" : "unknown",
  };
  return resultWithoutResponse(errorOf(tables, operation, failure));
}
