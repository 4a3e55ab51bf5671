import { UsageError } from "../../base/index.ts";
import type { Body, DocumentedResponse, RequestBody } from "./model.ts";

type Message = Pick<RequestBody | DocumentedResponse, "bodies" | "location">;

/**
 * The body of a request or response; undefined if it has none.
 *
 * @throws {UsageError} if the message has several media types, because the client knows one schema for each message.
 */
export function bodyOf({ bodies, location }: Message): Body | undefined {
  const [body, ...otherBodies] = bodies;
  if (otherBodies.length === 0) return body;
  const mediaTypes = bodies.map(({ mediaType }) => mediaType).join(", ");
  throw new UsageError(`${location.pointer} has several media types: ${mediaTypes}. Document the one that is used.`);
}

export function jsonBodyOf(message: Message): Body | undefined {
  const body = bodyOf(message);
  return body !== undefined && isJsonType(body.mediaType) ? body : undefined;
}

/** Without regard to case and parameters (RFC 9110, section 8.3.1). */
export function isJsonType(mediaType: string): boolean {
  return /^application\/json\s*(?:;|$)/i.test(mediaType);
}

export function isSuccess({ status }: DocumentedResponse): boolean {
  return status >= 200 && status < 300;
}
