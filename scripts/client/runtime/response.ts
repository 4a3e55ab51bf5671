/** Turns an HTTP response into data or an error. */
import { type ErrorDetails, type ErrorKind, PartnerApiError } from "./errors.ts";
import { rememberText } from "./exact-numbers.ts";
import type { ErrorCatalogue, Operation } from "./operation.ts";
import type { Redact } from "./redaction.ts";

/** A received response; `text` is the whole body. */
export interface RawResponse {
  status: number;
  contentType: string;
  text: string;
}

export type Reading = { data: unknown; error: undefined } | { data: undefined; error: PartnerApiError };

/**
 * Reads a response against the responses that the contract documents for the operation.
 *
 * @param redact removes sensitive values from every text that goes into an error.
 * @returns the parsed body of a documented success; an error for every other response, documented or not.
 */
export function readResponse(
  operationId: string,
  operation: Operation,
  catalogue: ErrorCatalogue,
  response: RawResponse,
  redact: Redact,
): Reading {
  const documentedCodes = operation.answers[response.status];
  const fail = (kind: ErrorKind, message: string, more: Partial<ErrorDetails> = {}): Reading => ({
    data: undefined,
    error: new PartnerApiError({
      kind,
      operationId,
      status: response.status,
      message: redact(`${operationId}: ${message}`),
      ...more,
    }),
  });
  const unexpected = (problem: string): Reading =>
    fail("unexpected-answer", `unexpected ${response.status} response: ${problem}`, { body: redact(response.text) });

  if (response.status >= 300 && response.status < 400) return unexpected("redirects are not followed");
  const isSuccess = response.status >= 200 && response.status < 300;
  if (isSuccess && documentedCodes === undefined) return unexpected("the contract does not document this status");
  if (isSuccess && operation.accept !== "application/json") return readText(response, operation.accept, unexpected);

  const parsed = parseJson(response);
  if (parsed.problem !== undefined) return unexpected(parsed.problem);
  if (isSuccess) {
    rememberText(parsed.value, response.text);
    return { data: parsed.value, error: undefined };
  }

  const body = parsed.value;
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    return unexpected("the body is not a JSON object");
  }
  const { errorCode, errorName, errorMessage, timestamp } = body as Record<string, unknown>;
  const service: Partial<ErrorDetails> = {
    errorName: redactedText(errorName, redact),
    errorMessage: redactedText(errorMessage, redact),
    timestamp: redactedText(timestamp, redact),
  };
  if (typeof errorCode === "string") {
    const advice = Object.hasOwn(catalogue, errorCode) ? catalogue[errorCode] : undefined;
    const isDocumented = documentedCodes?.includes(errorCode) ?? false;
    const message = `${response.status} ${errorCode}${advice === undefined ? "" : ` ${advice.meaning}`}`;
    return isDocumented
      ? fail("code", message, { ...service, errorCode, advice })
      : fail("unknown-code", `${message} (not documented for this operation)`, {
          ...service,
          errorCode: redact(errorCode),
          advice,
        });
  }
  if (errorCode !== undefined) return unexpected("errorCode is not a string");
  if (documentedCodes?.length !== 0) return unexpected("errorCode is missing");
  return fail("no-code", `${response.status}${response.status === 401 ? " Access Denied" : ""}`, service);
}

function readText(response: RawResponse, accept: string, unexpected: (problem: string) => Reading): Reading {
  if (!response.contentType.startsWith(accept)) return unexpected(`the content type is "${response.contentType}"`);
  return response.text === "" ? unexpected("the body is empty") : { data: response.text, error: undefined };
}

function parseJson({ text, contentType }: RawResponse): { value?: unknown; problem?: string } {
  if (text === "") return { problem: "the body is empty" };
  if (!/^application\/(json|[\w.-]+\+json)\b/i.test(contentType)) {
    return { problem: contentType === "" ? "the content type is missing" : `the content type is "${contentType}"` };
  }
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { problem: "the body is invalid or truncated JSON" };
  }
}

function redactedText(value: unknown, redact: Redact): string | undefined {
  return typeof value === "string" ? redact(value) : undefined;
}
