/** Turns the response of a failed call into an error. */
import type { ErrorDetails } from "./errors.ts";
import type { ErrorCatalogue, ErrorCodeEntry, Operation } from "./operation.ts";
import {
  failure,
  has,
  hasCodes,
  outcomeOf,
  parseJson,
  type Reader,
  type Reading,
  report,
  unexpected,
} from "./reading.ts";

type ServiceTexts = Pick<ErrorDetails, "errorName" | "errorMessage" | "timestamp">;

/**
 * Reads a response that is no success.
 *
 * @returns an error; a promise where the catalogue has to be loaded for a P-code that is not documented here.
 */
export function readFailure(reader: Reader): Reading | Promise<Reading> {
  const { operation, response } = reader;
  const { status } = response;
  const codes = operation.answers[status];
  const { value: body, problem } = parseJson(reader);
  const isObject = typeof body === "object" && body !== null && !Array.isArray(body);
  if (problem !== undefined || !isObject) {
    if (problem === undefined) report(reader, "body");
    return unreadable(reader, problem ?? "the body is not a JSON object", body);
  }
  const { errorCode, errorName, errorMessage, timestamp } = body as Record<string, unknown>;
  const service = {
    errorName: textOf(errorName),
    errorMessage: textOf(errorMessage),
    timestamp: textOf(timestamp),
  };
  if (typeof errorCode === "string") {
    if (has(codes, errorCode)) return withCode(reader, body, service, errorCode, codes[errorCode], true);
    return withUndocumentedCode(reader, body, service, errorCode);
  }
  const isDocumented = errorCode === undefined && isWithoutCode(operation, status);
  if (isDocumented) return withoutCode(reader, body, service);
  // An undocumented status was reported as such.
  if (codes !== undefined) report(reader, errorCode === undefined ? "required" : "type", "/errorCode");
  return unexpected(reader, errorCode === undefined ? "errorCode is missing" : "errorCode is not a string", body);
}

/** A P-code that is documented for another operation or status, or not at all. */
async function withUndocumentedCode(
  reader: Reader,
  body: object,
  service: ServiceTexts,
  code: string,
): Promise<Reading> {
  const { operation, contract, response, redact } = reader;
  // Without it, the code still arrives: as one that the catalogue does not have.
  const catalogue = await contract.catalogue().catch((): ErrorCatalogue => ({}));
  const advice = has(catalogue, code) ? catalogue[code] : undefined;
  // Where the list of codes is not stated, none is a deviation; its form is compared with that of the error format.
  if (!operation.open?.includes(response.status)) report(reader, "error-code", "/errorCode");
  return withCode(reader, body, service, advice === undefined ? redact(toWord(code)) : code, advice, false);
}

/** A code that the catalogue does not have, on one line of a log. */
function toWord(code: string): string {
  return code.slice(0, 100).replace(/[^\x20-\x7e]+/g, " ");
}

function withCode(
  reader: Reader,
  body: object,
  service: ServiceTexts,
  errorCode: string,
  advice: ErrorCodeEntry | undefined,
  documented: boolean,
): Reading {
  const { status } = reader.response;
  const meaning = advice === undefined ? "" : ` ${advice.meaning}`;
  const remark = documented ? "" : " (not documented for this operation and status)";
  return failure(
    reader,
    advice === undefined ? "unknown-code" : "code",
    `${status} ${errorCode}${meaning}${remark}`,
    body,
    {
      errorName: service.errorName,
      errorMessage: service.errorMessage,
      timestamp: service.timestamp,
      errorCode,
      advice,
      docs: advice && `${reader.contract.docs}${errorCode}.html`,
      documented,
      outcome: outcomeOf(status, advice),
    },
  );
}

/** A failure whose body cannot be read. Where the contract promises no P-code, nothing is lost without the body. */
function unreadable(reader: Reader, problem: string, body: unknown): Reading {
  const isDocumented = isWithoutCode(reader.operation, reader.response.status);
  return isDocumented ? withoutCode(reader, body) : unexpected(reader, problem, body);
}

function isWithoutCode({ answers }: Operation, status: number): boolean {
  return answers[status] !== undefined && !hasCodes(answers[status]);
}

function withoutCode(reader: Reader, body: unknown, service: ServiceTexts = {}): Reading {
  const { status } = reader.response;
  // A 404 of another service looks the same as one of this operation.
  const hint = status === 404 && reader.operation.deposit ? " (or depositBaseUrl is wrong)" : "";
  const message = status === 401 ? "401 Access Denied" : `${status}${hint}`;
  return failure(reader, "no-code", message, body, { ...service, documented: true, outcome: outcomeOf(status) });
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
