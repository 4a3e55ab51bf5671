/** Decodes a multipart body into the value that the contract describes. */

import type { PlanBody } from "../plan/plan.ts";
import { type DecodedBody, invalid, parseMediaType } from "./body.ts";
import { MultipartError, type Part, parseMultipart } from "./multipart.ts";

/** @param boundary the boundary parameter of the Content-Type. */
export function decodeForm(bytes: Buffer, boundary: string | null, body: PlanBody): DecodedBody {
  if (!boundary) return invalid("otherwise", "must have a boundary parameter in its Content-Type");
  let parts: Part[];
  try {
    parts = parseMultipart(bytes, boundary);
  } catch (error) {
    if (error instanceof MultipartError) return invalid("otherwise", error.message);
    throw error;
  }
  for (const part of parts) {
    const refused = refusePart(part, body);
    if (refused !== undefined) return refused;
  }
  // A form without any part that the contract knows says as little as no body.
  if (!parts.some(({ name }) => body.parts.includes(name))) return { kind: "absent" };
  const files = parts.filter(({ name }) => body.fileParts.includes(name));
  return { kind: "value", mediaType: body.mediaType, value: partsToObject(parts, body), text: undefined, files };
}

/** What is wrong with a part; nothing is asked of one that the contract does not know. */
function refusePart({ name, contentType, content, fileName }: Part, body: PlanBody): DecodedBody | undefined {
  // A part for which the contract lists no content types may have any.
  const accepted = Object.hasOwn(body.partTypes, name) ? body.partTypes[name] : undefined;
  if (accepted !== undefined && !accepted.includes(parseMediaType(contentType)?.essence ?? "")) {
    return invalid("mediaType", `must have a part ${name} of the Content-Type ${accepted.join(" or ")}`);
  }
  if (!body.fileParts.includes(name)) return undefined;
  if (!fileName) return invalid("missing", `must have a file name in the part ${name}`);
  if (content.length === 0) return invalid("missing", `must have a file that is not empty in the part ${name}`);
  const limit = body.maxBytes[name];
  if (limit === undefined || content.length <= limit) return undefined;
  return invalid("tooLarge", `must have a file of at most ${limit} bytes in the part ${name}`);
}

/** The object that the parts stand for. Each byte becomes one character, so that `maxLength` counts bytes. */
function partsToObject(parts: readonly Part[], { arrayParts }: PlanBody): Record<string, unknown> {
  const values = new Map<string, string[]>();
  for (const { name, content } of parts) values.set(name, [...(values.get(name) ?? []), content.toString("latin1")]);
  return Object.fromEntries(
    [...values].map(([name, all]) => [name, arrayParts.includes(name) || all.length > 1 ? all : all[0]]),
  );
}
