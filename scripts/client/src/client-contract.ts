/** The data of the contract that every client is created from. */
import type { isConnectFailure } from "./connect-failure.ts";
import type { Advice, Describe, Retry } from "./errors.ts";
import type { textOf } from "./problem-texts.ts";
import type { createRedactor, mask } from "./redaction.ts";
import type { ResponseCheck } from "./responses.ts";

/** The data that every client is created from, besides its options. */
export interface ClientContract {
  /** Every P-code, grouped by whether a retry can succeed. Not loaded with the texts, because every call needs it to decide on retries. */
  readonly codes: Readonly<Record<Retry, readonly string[]>>;
  /** Loads the data that only errors need. */
  readonly errorTexts: () => Promise<ErrorTexts>;
  /** The value of the `user-agent` header. */
  readonly userAgent: string;
  /** Loads the schemas of the responses, for a client that reports deviations. */
  readonly responses: () => Promise<{ readonly checkResponse: ResponseCheck }>;
}

/** The texts of errors, and the names of values to mask in them. */
export interface ErrorTexts {
  /** The texts of every P-code. */
  readonly catalogue: Readonly<Record<string, Advice>>;
  /** Names of the properties and parameters whose values must not be logged. */
  readonly sensitiveNames: readonly string[];
  readonly createRedactor: typeof createRedactor;
  readonly mask: typeof mask;
  readonly isConnectFailure: typeof isConnectFailure;
  readonly describe: Describe;
  readonly textOf: typeof textOf;
}
