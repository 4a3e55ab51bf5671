/** The data of the contract that every client is created from. */
import type { isConnectFailure } from "./connect-failure.ts";
import type { Advice, Describe, Retry } from "./errors.ts";
import type { textOf } from "./problem-texts.ts";
import type { createRedactor, mask } from "./redaction.ts";
import type { ResponseCheck } from "./responses.ts";

export interface ClientContract {
  /** The P-codes, grouped by whether a retry can succeed. Not loaded with the texts, because every call requires them. */
  readonly codes: Readonly<Record<Retry, readonly string[]>>;
  readonly errorTexts: () => Promise<ErrorTexts>;
  readonly userAgent: string;
  readonly responses: () => Promise<{ readonly checkResponse: ResponseCheck }>;
}

export interface ErrorTexts {
  readonly catalogue: Readonly<Record<string, Advice>>;
  /** Names of the properties and parameters whose values must not be logged. */
  readonly sensitiveNames: readonly string[];
  readonly createRedactor: typeof createRedactor;
  readonly mask: typeof mask;
  readonly isConnectFailure: typeof isConnectFailure;
  readonly describe: Describe;
  readonly textOf: typeof textOf;
}
