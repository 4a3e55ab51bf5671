import { type Body, type DocumentedResponse, isJsonType, type RequestBody } from "../../../contract/model/index.ts";
import { demand } from "./refusal.ts";

type Message = Pick<RequestBody | DocumentedResponse, "bodies" | "location">;

/**
 * The body of a request or response; undefined if it has none.
 *
 * @throws {Refusal} if it has several media types.
 */
export function bodyOf({ bodies, location }: Message): Body | undefined {
  const mediaTypes = bodies.map(({ mediaType }) => mediaType).join(", ");
  const problem = `The client reads and writes one media type, not ${mediaTypes}`;
  demand(bodies.length <= 1, location, problem, "Document the one that is used");
  return bodies[0];
}

export function jsonBodyOf(message: Message): Body | undefined {
  const body = bodyOf(message);
  return body !== undefined && isJsonType(body.mediaType) ? body : undefined;
}
