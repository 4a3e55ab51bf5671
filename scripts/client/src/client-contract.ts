import type { ResponseSchemas } from "./check-response.ts";
import type { RequestSchemas } from "./check-values.ts";
import type { Advice, Retry } from "./errors.ts";

/** The data of the contract that a client has besides the operations. */
export interface ClientContract {
  /** The P-codes, grouped by whether a retry can succeed. */
  readonly codes: Readonly<Record<Retry, readonly string[]>>;
  readonly userAgent: string;
  /** Loads the tables that only errors and `explain` need. */
  readonly errorTables: () => Promise<ErrorTables>;
  /** Loads the schemas of request bodies, which only calls with a JSON body or amounts need. */
  readonly requests: () => Promise<{ readonly requestSchemas: RequestSchemas }>;
  /** Loads the schemas of responses, which only `onDeviation` needs. */
  readonly responses: () => Promise<{ readonly responseSchemas: ResponseSchemas }>;
}

export interface ErrorTables {
  /** Meaning and recommended action of each P-code. */
  readonly catalogue: Readonly<Record<string, Advice>>;
  /** Names of the members and parameters whose values must not be printed. */
  readonly sensitiveNames: readonly string[];
}
