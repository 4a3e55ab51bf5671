/** From an HTTP answer to data or an error. */
import { type ErrorDetails, type ErrorKind, PartnerApiError } from "./errors.js";
import { rememberText } from "./exact-numbers.js";
import type { ErrorCatalogue, Operation } from "./operation.js";
import type { Redact } from "./redaction.js";

/** An answer as it came: the text is the whole body. */
export interface RawAnswer {
  status: number;
  contentType: string;
  text: string;
}

export type Reading = { data: unknown; error: undefined } | { data: undefined; error: PartnerApiError };

/**
 * Reads an answer by what the contract documents for the operation. Every answer that is not documented becomes an error.
 */
export function readAnswer(
  operationId: string,
  operation: Operation,
  catalogue: ErrorCatalogue,
  answer: RawAnswer,
  redact: Redact,
): Reading {
  const documentedCodes = operation.answers[answer.status];
  const fail = (kind: ErrorKind, message: string, more: Partial<ErrorDetails> = {}): Reading => ({
    data: undefined,
    error: new PartnerApiError({
      kind,
      operationId,
      status: answer.status,
      message: redact(`${operationId}: ${message}`),
      ...more,
    }),
  });
  const unexpected = (what: string): Reading =>
    fail("unexpected-answer", `the service answered ${answer.status} with ${what}`, { body: redact(answer.text) });

  if (answer.status >= 300 && answer.status < 400) return unexpected("a redirect, which is not followed");
  const isSuccess = answer.status >= 200 && answer.status < 300;
  if (isSuccess && documentedCodes === undefined) return unexpected("a status that the contract does not document");
  if (isSuccess && operation.accept !== "application/json") return readText(answer, operation.accept, unexpected);

  const parsed = parseJson(answer);
  if (parsed.problem !== undefined) return unexpected(parsed.problem);
  if (isSuccess) {
    rememberText(parsed.value, answer.text);
    return { data: parsed.value, error: undefined };
  }

  const body = parsed.value;
  if (typeof body !== "object" || body === null || Array.isArray(body)) return unexpected("JSON that is no object");
  const { errorCode, errorName, errorMessage, timestamp } = body as Record<string, unknown>;
  const service: Partial<ErrorDetails> = {
    errorName: redactedText(errorName, redact),
    errorMessage: redactedText(errorMessage, redact),
    timestamp: redactedText(timestamp, redact),
  };
  if (typeof errorCode === "string") {
    const advice = Object.hasOwn(catalogue, errorCode) ? catalogue[errorCode] : undefined;
    const isDocumented = documentedCodes?.includes(errorCode) ?? false;
    const message = `${answer.status} ${errorCode}${advice === undefined ? "" : ` ${advice.meaning}`}`;
    return isDocumented
      ? fail("code", message, { ...service, errorCode, advice })
      : fail("unknown-code", `${message} (not documented for this operation)`, {
          ...service,
          errorCode: redact(errorCode),
          advice,
        });
  }
  if (errorCode !== undefined) return unexpected("an errorCode that is no string");
  if (documentedCodes?.length !== 0) return unexpected("an error without a code");
  return fail("no-code", `${answer.status}${answer.status === 401 ? " Access Denied" : ""}`, service);
}

function readText(answer: RawAnswer, accept: string, unexpected: (what: string) => Reading): Reading {
  if (!answer.contentType.startsWith(accept)) return unexpected(`the content type "${answer.contentType}"`);
  return answer.text === "" ? unexpected("an empty body") : { data: answer.text, error: undefined };
}

function parseJson({ text, contentType }: RawAnswer): { value?: unknown; problem?: string } {
  if (text === "") return { problem: "an empty body" };
  if (!/^application\/(json|[\w.-]+\+json)\b/i.test(contentType)) {
    return { problem: contentType === "" ? "no content type" : `the content type "${contentType}"` };
  }
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { problem: "JSON that is broken or cut short" };
  }
}

function redactedText(value: unknown, redact: Redact): string | undefined {
  return typeof value === "string" ? redact(value) : undefined;
}
