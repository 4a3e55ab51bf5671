import type { isConnectFailure } from "./connect-failure.ts";
import type { Advice, Describe, Retry } from "./errors.ts";
import type { textOf } from "./problem-texts.ts";
import type { createRedactor, mask } from "./redaction.ts";
import type { ResponseCheck } from "./responses.ts";

export interface ClientContract {
  /** The P-codes, grouped by whether a retry can succeed. */
  readonly codes: Readonly<Record<Retry, readonly string[]>>;
  readonly errorTexts: () => Promise<ErrorTexts>;
  readonly userAgent: string;
  readonly responses: () => Promise<{ readonly checkResponse: ResponseCheck }>;
}

export interface ErrorTexts {
  readonly catalogue: Readonly<Record<string, Advice>>;
  readonly sensitiveNames: readonly string[];
  readonly createRedactor: typeof createRedactor;
  readonly mask: typeof mask;
  readonly isConnectFailure: typeof isConnectFailure;
  readonly describe: Describe;
  readonly textOf: typeof textOf;
}
