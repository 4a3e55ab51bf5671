/** The final statuses of a resource: true for a success, false for a failure. */
export type Results = Readonly<Record<string, boolean>>;

/**
 * What a status says of its resource: `succeeded` or `failed` for a final status that the contract lists; `open` for every other value, for
 * a value that the contract does not list, and for a missing value. Look up a resource whose status is `open`.
 */
export type StatusResult = "succeeded" | "failed" | "open";

export function resultOf(results: Results, status: unknown): StatusResult {
  if (typeof status !== "string" || !Object.hasOwn(results, status)) return "open";
  return results[status] ? "succeeded" : "failed";
}
