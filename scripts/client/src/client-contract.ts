import type { RequestSchemas } from "./check-values.ts";
import type { Advice, Retry } from "./errors.ts";
import type { ResponseSchemas } from "./responses.ts";

/** What a client knows of the contract besides the operations that it calls. */
export interface ClientContract {
  /** The P-codes, grouped by whether a retry can succeed. */
  readonly codes: Readonly<Record<Retry, readonly string[]>>;
  readonly userAgent: string;
  /** Loads what only errors and `explain` need. */
  readonly errorTables: () => Promise<ErrorTables>;
  /** Loads what calls with a body need. */
  readonly requests: () => Promise<{ readonly requestSchemas: RequestSchemas }>;
  /** Loads what only `onDeviation` needs. */
  readonly responses: () => Promise<{ readonly responseSchemas: ResponseSchemas }>;
}

export interface ErrorTables {
  /** By P-code. */
  readonly catalogue: Readonly<Record<string, Advice>>;
  /** Names of the members and parameters that must not be printed. */
  readonly sensitiveNames: readonly string[];
}
