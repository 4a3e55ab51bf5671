/** Turns the bytes of a request body into the value that the contract describes. */
import type { IncomingHttpHeaders } from "node:http";
import { MIMEType } from "node:util";
import type { Body, RequestBody } from "../contract/contract.ts";
import { type JsonSchema, type OpenApiDocument, resolve } from "../contract/document.ts";
import { MultipartError, type Part, parseMultipart } from "./multipart.ts";

/** Why a body is refused; the kinds that `x-invalid-request` tells apart. */
export type BodyFault = "missing" | "mediaType" | "otherwise";

export interface ReceivedBody {
  bytes: Buffer;
  /** Whether there was more than the mock takes; the bytes are then not kept. */
  tooLarge: boolean;
}

export type DecodedBody =
  | { kind: "absent" }
  | { kind: "value"; mediaType: string; value: unknown }
  | { kind: "invalid"; fault: BodyFault; message: string };

/** Largest body that the mock takes. It guards the mock's memory and is no rule of the service. */
export const bodyLimit: number = 32 * 1024 * 1024;

/**
 * Decodes a body by its Content-Type, which must be one that the operation accepts. Nothing of what was sent gets into a
 * message.
 */
export function decodeBody(
  document: OpenApiDocument,
  requestBody: RequestBody,
  received: ReceivedBody,
  headers: IncomingHttpHeaders,
): DecodedBody {
  if (received.tooLarge)
    return invalid("otherwise", `is larger than the ${bodyLimit / 1024 / 1024} MiB the mock takes`);
  if (received.bytes.length === 0) return { kind: "absent" };
  const type = parseMediaType(headers["content-type"]);
  const body = requestBody.bodies.find(({ mediaType }) => mediaType === type?.essence);
  if (type === undefined || body === undefined) {
    const accepted = requestBody.bodies.map(({ mediaType }) => mediaType).join(" or ");
    return invalid("mediaType", `must have the Content-Type ${accepted}`);
  }
  if (!["", "identity"].includes(headers["content-encoding"] ?? "")) {
    return invalid("mediaType", "must not be compressed");
  }
  if (!["utf-8", "utf8", "us-ascii"].includes((type.params.get("charset") ?? "utf-8").toLowerCase())) {
    return invalid("mediaType", "must be in UTF-8");
  }
  if (type.type === "multipart") return decodeParts(document, received.bytes, type.params.get("boundary"), body);
  return decodeText(received.bytes, body);
}

function invalid(fault: BodyFault, message: string): DecodedBody {
  return { kind: "invalid", fault, message };
}

function parseMediaType(text: string | undefined): MIMEType | undefined {
  try {
    return text === undefined ? undefined : new MIMEType(text);
  } catch {
    return undefined;
  }
}

function decodeText(bytes: Buffer, { mediaType }: Body): DecodedBody {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return invalid("otherwise", "must be in UTF-8");
  }
  if (!/[/+]json$/.test(mediaType)) return { kind: "value", mediaType, value: text };
  try {
    return { kind: "value", mediaType, value: JSON.parse(text) };
  } catch {
    return invalid("otherwise", "must be well-formed JSON");
  }
}

function decodeParts(document: OpenApiDocument, bytes: Buffer, boundary: string | null, body: Body): DecodedBody {
  if (!boundary) return invalid("otherwise", "must name its boundary in the Content-Type");
  try {
    const parts = parseMultipart(bytes, boundary);
    const refused = parts.find((part) => !isPartTypeAccepted(part, body));
    if (refused !== undefined) {
      const accepted = body.partTypes[refused.name]?.join(" or ");
      return invalid("mediaType", `must have a part ${refused.name} of the Content-Type ${accepted}`);
    }
    return { kind: "value", mediaType: body.mediaType, value: partsToObject(parts, listPartsOf(document, body)) };
  } catch (error) {
    if (error instanceof MultipartError) return invalid("otherwise", error.message);
    throw error;
  }
}

/** A part whose content types the contract does not list may have any. */
function isPartTypeAccepted(part: Part, body: Body): boolean {
  if (!Object.hasOwn(body.partTypes, part.name)) return true;
  const essence = parseMediaType(part.contentType)?.essence ?? "";
  return (body.partTypes[part.name] ?? []).includes(essence);
}

/** The names of the parts that may be repeated. */
function listPartsOf(document: OpenApiDocument, body: Body): Set<string> {
  const properties = (resolve<JsonSchema>(document, body.schema).properties ?? {}) as Record<string, JsonSchema>;
  const isList = (schema: JsonSchema) => resolve<JsonSchema>(document, schema).type === "array";
  return new Set(Object.keys(properties).filter((name) => isList(properties[name] ?? {})));
}

/** The object that the parts stand for. Bytes become characters one by one, so that lengths stay what they are. */
function partsToObject(parts: Part[], listParts: Set<string>): Record<string, unknown> {
  const values = new Map<string, string[]>();
  for (const { name, content } of parts) values.set(name, [...(values.get(name) ?? []), content.toString("latin1")]);
  return Object.fromEntries(
    [...values].map(([name, all]) => [name, listParts.has(name) || all.length > 1 ? all : all[0]]),
  );
}
