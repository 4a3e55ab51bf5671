/** What the partner's hooks are told of each attempt. */
import type { PartnerApiError } from "./errors.ts";

interface Attempt {
  readonly operationId: string;
  readonly method: string;
  /** Path template, without the values of path parameters. */
  readonly path: string;
  /** Number of the attempt, starting with 1. */
  readonly attempt: number;
}

/** An attempt that is about to be made. */
export interface AttemptRequest extends Attempt {
  readonly url: string;
  /** The headers that will be sent, the API key among them. They can be changed. */
  readonly headers: Headers;
}

/** An attempt that ended. */
export interface AttemptResponse extends Attempt {
  readonly durationMs: number;
  /** The response, its body already read; undefined when none was received. */
  readonly response: Response | undefined;
  /** The error; undefined after a success. */
  readonly error: PartnerApiError | undefined;
}

/** One attempt of a call, for a log. */
export interface LogEvent extends Attempt {
  readonly durationMs: number;
  readonly status: number | undefined;
  readonly errorCode: string | undefined;
  /** Kind of the failure; undefined after a success. */
  readonly kind: string | undefined;
}

export type BeforeAttempt = (attempt: AttemptRequest) => unknown;
export type AfterAttempt = (attempt: AttemptResponse) => unknown;
