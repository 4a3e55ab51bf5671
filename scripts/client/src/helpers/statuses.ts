/** The final statuses of a resource: true for a success, false for a failure. */
export type Results = Readonly<Record<string, boolean>>;

/**
 * The result of a resource, from its status: `succeeded` or `failed` for a final status that the contract lists; `open` for a status that
 * is not final, not listed or missing. Look up a resource whose result is `open`.
 */
export type StatusResult = "succeeded" | "failed" | "open";

export function resultOf(results: Results, status: unknown): StatusResult {
  if (typeof status !== "string" || !Object.hasOwn(results, status)) return "open";
  return results[status] ? "succeeded" : "failed";
}
