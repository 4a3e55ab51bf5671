import type * as errorTexts from "../../../generated/client/error-texts.ts";
import type { Retry } from "./errors.ts";
import type { ResponseCheck } from "./responses.ts";

export interface ClientContract {
  /** The P-codes, grouped by whether a retry can succeed. */
  readonly codes: Readonly<Record<Retry, readonly string[]>>;
  readonly errorTexts: () => Promise<ErrorTexts>;
  readonly userAgent: string;
  readonly responses: () => Promise<{ readonly checkResponse: ResponseCheck }>;
}

export type ErrorTexts = typeof errorTexts;
