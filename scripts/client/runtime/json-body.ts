/** Writes the JSON bodies of requests. */
import { defaultBodySerializer } from "openapi-fetch";
import { findMalformedAmount, findUnsendableNumber } from "./amounts.ts";
import { InvalidRequest } from "./invalid-request.ts";

/**
 * Writes a body as JSON.
 *
 * @param amounts names of the amounts at its top level.
 * @throws {InvalidRequest} when the body is missing, is no JSON, or holds a number or an amount that cannot be sent.
 */
export function toJsonBody(body: unknown, amounts: readonly string[]): string {
  if (body === undefined) throw new InvalidRequest("The body is missing.");
  let text: unknown;
  try {
    text = defaultBodySerializer(body);
  } catch {
    throw new InvalidRequest("The body is no JSON: it holds a BigInt, refers to itself, or cannot be read.");
  }
  if (typeof text !== "string") throw new InvalidRequest("The body must be a JSON value.");
  const problem = findUnsendableNumber(body, text) ?? findMalformedAmount(amounts, body);
  if (problem !== undefined) throw new InvalidRequest(problem);
  return text;
}
