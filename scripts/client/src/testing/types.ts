import type { ErrorKind, Outcome } from "../errors/errors.ts";

export interface ResponseExamples {
  /** The success examples, by operation and name. The first example of an operation is the default. */
  readonly successes: Readonly<Record<string, Readonly<Record<string, ResponseExample>>>>;
  /** By P-code. */
  readonly codes: Readonly<Record<string, ResponseExample>>;
  /** The documented failures without a P-code, by operation and status. */
  readonly withoutCode: Readonly<Record<string, Readonly<Record<number, object>>>>;
}

export interface ResponseExample {
  readonly status: number;
  readonly body: unknown;
}

/** The kind of a failure without a P-code of the catalogue. */
export type FailureKind = Exclude<ErrorKind, "code" | "invalid-request">;

/** Details of a failure. Each detail applies only to some kinds of failures. */
export interface FailureDetails {
  /** HTTP status of a failure with a response. Default: the documented status; 400 for `unknown-code`, 502 for `unexpected-response`. */
  status?: number | undefined;
  /** Headers of the response, such as `{ "retry-after": "0" }`. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** `errorName` of the body. */
  errorName?: string | undefined;
  /** `errorMessage` of the body. */
  errorMessage?: string | undefined;
  /** `timestamp` of the body, ISO 8601. */
  timestamp?: string | undefined;
  /** The P-code of `unknown-code`. Default: P999. */
  errorCode?: string | undefined;
  /** Text of the body of `unexpected-response`. Default: the page of a gateway. */
  body?: string | undefined;
  /** For `network`: `not-sent` is a refused connection. Default: `unknown`, a broken connection. */
  outcome?: Extract<Outcome, "not-sent" | "unknown"> | undefined;
}

/** What `deliver` sends besides the event. */
export interface DeliveryOptions {
  /** Value of the `Authorization` header. Without it, the header is not sent. */
  authorization?: string | undefined;
  /** Path on the partner's server, including the `basePath` of the handler. Default: the path of the contract. */
  path?: string | undefined;
}
