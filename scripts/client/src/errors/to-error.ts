import type { Operation } from "../base/operation.ts";
import type { RawResponse } from "../reading/raw-response.ts";
import {
  createError,
  type ErrorDetails,
  type ErrorKind,
  type Outcome,
  type PartnerApiError,
  type Retry,
  type Show,
} from "./errors.ts";
import type { Problem } from "./problem-texts.ts";
import type { SentValues } from "./redaction.ts";

/** What the client knows of a failed call or attempt. */
export interface FailureFacts {
  readonly kind: ErrorKind;
  readonly outcome: Outcome;
  readonly documented?: boolean | undefined;
  readonly errorCode?: string | undefined;
  readonly retry?: Retry | undefined;
  readonly attempts?: number | undefined;
  readonly cause?: unknown;
  /** The problem of the call or the response, if no P-code or status describes it. */
  readonly problem?: Problem | undefined;
  readonly response?: RawResponse | undefined;
  /** The parsed body of the response. */
  readonly body?: unknown;
}

/** Without `getSentValues`, the texts of the error are not masked. */
export type Describe = (
  operation: Operation,
  failure: FailureFacts,
  requestId: string | undefined,
  getSentValues: (() => SentValues) | undefined,
) => { readonly details: Readonly<ErrorDetails>; readonly show: Show };

/** The error has no text that was sent or received, except a P-code of the catalogue. */
const describeWithoutTexts: Describe = (operation, failure, requestId) => {
  const { kind, outcome, response, documented, errorCode, retry, attempts } = failure;
  const { id: operationId } = operation;
  const shownCode = kind === "unknown-code" ? "[redacted]" : errorCode;
  const details: ErrorDetails = {
    kind,
    operationId,
    message: `${operationId}: ${shownCode ?? response?.status ?? kind}`,
    outcome,
    status: response?.status,
    documented,
    errorCode: shownCode,
    requestId,
    retry,
    attempts,
  };
  return { details, show: () => undefined };
};

/** @param describe the function of the error texts; undefined if they could not be loaded. */
export function toError(
  operation: Operation,
  failure: FailureFacts,
  describe: Describe = describeWithoutTexts,
  getSentValues?: () => SentValues,
): PartnerApiError {
  const { details, show } = describe(operation, failure, requestIdOf(failure.response?.headers), getSentValues);
  return createError(details, show);
}

export function requestIdOf(headers: Headers | undefined): string | undefined {
  const get = (name: string) => headers?.get(name) ?? undefined;
  return get("x-request-id") ?? get("request-id") ?? get("x-correlation-id");
}
