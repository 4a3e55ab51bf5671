/** Decodes the bytes of a request body into the value that the contract describes. */
import type { IncomingHttpHeaders } from "node:http";
import { MIMEType } from "node:util";
import { type Body, type JsonSchema, propertiesOf, type RequestBody } from "../contract/index.ts";
import type { BodyViolationKind, Violation } from "./choices.ts";
import { MultipartError, type Part, parseMultipart } from "./multipart.ts";

export interface ReceivedBody {
  bytes: Buffer;
  /** Whether it exceeds {@link bodyLimit}; the bytes are then not kept. */
  tooLarge: boolean;
}

export type DecodedBody =
  | { kind: "absent" }
  | { kind: "value"; mediaType: string; value: unknown }
  | { kind: "invalid"; violation: Violation };

const MiB = 1024 * 1024;

/** Largest body that the mock accepts. It protects the memory of the mock and is not a rule of the service. */
export const bodyLimit: number = 32 * MiB;

/**
 * Largest body of any type other than multipart. It keeps texts well below the size (several MiB) at which a validator
 * exhausts its stack, which Prism would take for a valid value.
 */
export const textLimit: number = MiB;

/** Decodes a body by its Content-Type, which must be one that the operation accepts. */
export function decodeBody(
  requestBody: RequestBody,
  { bytes, tooLarge }: ReceivedBody,
  headers: IncomingHttpHeaders,
): DecodedBody {
  if (bytes.length === 0 && !tooLarge) return { kind: "absent" };
  const type = parseMediaType(headers["content-type"]);
  const body = requestBody.bodies.find(({ mediaType }) => mediaType === type?.essence);
  if (type === undefined || body === undefined) {
    const accepted = requestBody.bodies.map(({ mediaType }) => mediaType).join(" or ");
    return invalid("mediaType", `must have the Content-Type ${accepted}`);
  }
  const limit = type.type === "multipart" ? bodyLimit : textLimit;
  if (tooLarge || bytes.length > limit) return invalid("otherwise", `must not be larger than ${limit / MiB} MiB`);
  if (!["", "identity"].includes(headers["content-encoding"] ?? "")) {
    return invalid("mediaType", "must not be compressed");
  }
  if (!["utf-8", "utf8", "us-ascii"].includes((type.params.get("charset") ?? "utf-8").toLowerCase())) {
    return invalid("mediaType", "must be in UTF-8");
  }
  if (type.type === "multipart") return decodeParts(bytes, type.params.get("boundary"), body);
  return decodeText(bytes, body);
}

function invalid(kind: BodyViolationKind, rule: string): DecodedBody {
  return { kind: "invalid", violation: { kind, message: `body: ${rule}` } };
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

function decodeParts(bytes: Buffer, boundary: string | null, body: Body): DecodedBody {
  if (!boundary) return invalid("otherwise", "must have a boundary parameter in its Content-Type");
  try {
    const parts = parseMultipart(bytes, boundary);
    const refused = parts.find((part) => !isPartTypeAccepted(part, body));
    if (refused !== undefined) {
      const accepted = body.partTypes[refused.name]?.join(" or ");
      return invalid("mediaType", `must have a part ${refused.name} of the Content-Type ${accepted}`);
    }
    if (!parts.some(({ name }) => isPartOf(body, name))) return { kind: "absent" };
    return { kind: "value", mediaType: body.mediaType, value: partsToObject(parts, arrayPartsOf(body)) };
  } catch (error) {
    if (error instanceof MultipartError) return invalid("otherwise", error.message);
    throw error;
  }
}

/** Whether the contract has a part of this name. A form without any such part says as little as no body. */
function isPartOf({ schema }: Body, name: string): boolean {
  return [...propertiesOf(schema)].some(([property]) => property === name);
}

/** A part for which the contract lists no content types may have any. */
function isPartTypeAccepted(part: Part, body: Body): boolean {
  if (!Object.hasOwn(body.partTypes, part.name)) return true;
  const essence = parseMediaType(part.contentType)?.essence ?? "";
  return (body.partTypes[part.name] ?? []).includes(essence);
}

/** The names of the parts that may be repeated. */
function arrayPartsOf({ schema }: Body): Set<string> {
  const isArray = (property: unknown) => (property as JsonSchema | undefined)?.type === "array";
  const properties = [...propertiesOf(schema)].filter(([, property]) => isArray(property.target.value));
  return new Set(properties.map(([name]) => name));
}

/** The object that the parts stand for. Each byte becomes one character, so that `maxLength` counts bytes. */
function partsToObject(parts: Part[], arrayParts: Set<string>): Record<string, unknown> {
  const values = new Map<string, string[]>();
  for (const { name, content } of parts) values.set(name, [...(values.get(name) ?? []), content.toString("latin1")]);
  return Object.fromEntries(
    [...values].map(([name, all]) => [name, arrayParts.has(name) || all.length > 1 ? all : all[0]]),
  );
}
