/** What every client is created from: what the generated files hold of the contract. */
import type { isConnectFailure } from "./connect-failure.ts";
import type { Advice, Describe, Retry } from "./errors.ts";
import type { textOf } from "./problem-texts.ts";
import type { createRedactor, mask } from "./redaction.ts";
import type { ResponseCheck } from "./responses.ts";

/** What every client is created from, besides its options. */
export interface ClientContract {
  /** Every P-code, by whether repeating the call can succeed: what a client decides by is here, and not among the texts. */
  readonly codes: Readonly<Record<Retry, readonly string[]>>;
  /** Loads what only the errors need. */
  readonly errorTexts: () => Promise<ErrorTexts>;
  /** What the client calls itself in `user-agent`. */
  readonly userAgent: string;
  /** Loads the schemas of the responses, for a client that reports deviations. */
  readonly responses: () => Promise<{ readonly checkResponse: ResponseCheck }>;
}

/** What is said of errors, and what keeps sensitive values out of it. */
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
