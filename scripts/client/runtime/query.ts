/** Writes the queries of requests. */
import { createQuerySerializer } from "openapi-fetch";
import { findMalformedAmount } from "./amounts.ts";
import { InvalidRequest } from "./invalid-request.ts";

const serialize = /* @__PURE__ */ createQuerySerializer<Record<string, unknown>>();

/**
 * Writes a query as OpenAPI says (style `form`, exploded).
 *
 * @param amounts names of the amounts in it.
 * @returns the query with its question mark; an empty string when there is no parameter.
 * @throws {InvalidRequest} when a parameter cannot be sent.
 */
export function toQuery(query: Record<string, unknown>, amounts: readonly string[]): string {
  const problem = findMalformedAmount(amounts, query);
  if (problem !== undefined) throw new InvalidRequest(problem);
  let text: string;
  try {
    text = serialize(query);
  } catch {
    throw new InvalidRequest("The query holds a value that cannot be sent: each must be a string or a number.");
  }
  return text && `?${text}`;
}
