import type { ResponseSchemas } from "../checks/check-response.ts";
import type { RequestSchemas } from "../checks/check-values.ts";
import type { ErrorTables } from "../errors/error-texts.ts";
import type { Retry } from "../errors/errors.ts";

export interface ClientContract {
  /** Grouped by whether a retry can succeed. */
  readonly codes: Readonly<Record<Retry, readonly string[]>>;
  readonly userAgent: string;
  /** Only errors and `explain` need these tables. */
  readonly errorTables: () => Promise<ErrorTables>;
  /** Only calls with a JSON body or amounts need these schemas. */
  readonly requests: () => Promise<{ readonly requestSchemas: RequestSchemas }>;
  /** Only `onDeviation` needs these schemas. */
  readonly responses: () => Promise<{ readonly responseSchemas: ResponseSchemas }>;
}
