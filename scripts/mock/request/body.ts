/** What is received, and how the bytes of a body become the value that the contract describes. */
import { isUtf8 } from "node:buffer";
import { MIMEType } from "node:util";
import { memoizeTexts } from "../memoize.ts";
import type { PlanBody, PlanOperation } from "../plan/plan.ts";
import { MultipartError, type Part, parseMultipart } from "./multipart.ts";

/** A request, whatever it came by. */
export interface MockRequest {
  readonly method: string;
  /** The path as it was sent, still percent-encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names in lower case. Of those that the mock reads, none is a list. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: ReceivedBody;
}

export interface ReceivedBody {
  readonly bytes: Buffer;
  /** Whether it exceeds {@link limitOf}; the bytes are then not kept. */
  readonly tooLarge: boolean;
}

/** How a body violates the contract, as far as its responses differ. */
export type BodyViolationKind = "mediaType" | "tooLarge" | "alternative" | "missing" | "otherwise";

/** The message holds names and rules, and no value that was sent. */
export interface BodyViolation {
  readonly kind: BodyViolationKind;
  readonly message: string;
}

export type DecodedBody =
  | { readonly kind: "absent" }
  | {
      readonly kind: "value";
      readonly mediaType: string;
      readonly value: unknown;
      /** The text of a JSON body, as it was sent. */
      readonly text: string | undefined;
      /** The files of a form. */
      readonly files: readonly Part[];
    }
  | { readonly kind: "invalid"; readonly violation: BodyViolation };

const MiB = 1024 * 1024;

/** Takes what it gives, whatever the size. */
const statePath = "/__mock/state";

/** Largest body that the mock accepts, in bytes. It protects the memory of the mock and is not a rule of the service. */
export const bodyLimit: number = 32 * MiB;

/** Largest body of any type other than multipart, in bytes. */
export const textLimit: number = MiB;

/** The largest state that can be put, in bytes: no world that a test makes comes near it. */
const stateLimit = 256 * MiB;

/** The largest body with a Content-Type, in bytes. @param path that it is sent to. */
export function limitOf(contentType: string | undefined, path: string): number {
  if (path === statePath) return stateLimit;
  return /^\s*multipart\//i.test(contentType ?? "") ? bodyLimit : textLimit;
}

/** How many levels of lists and objects JSON may have. */
const depthLimit = 64;

/** Decodes a body by its Content-Type, which must be one that the operation accepts. */
export function decodeBody(
  requestBody: NonNullable<PlanOperation["requestBody"]>,
  { body: { bytes, tooLarge }, headers }: Pick<MockRequest, "body" | "headers">,
): DecodedBody {
  if (bytes.length === 0 && !tooLarge) return { kind: "absent" };
  const type = parseMediaType(headers["content-type"] ?? "");
  const body = requestBody.bodies.find(({ mediaType }) => mediaType === type?.essence);
  if (type === undefined || body === undefined) {
    const accepted = requestBody.bodies.map(({ mediaType }) => mediaType).join(" or ");
    return invalid("mediaType", `must have the Content-Type ${accepted}`);
  }
  const isForm = type.type === "multipart";
  if (tooLarge) return invalid("tooLarge", `must not be larger than ${(isForm ? bodyLimit : textLimit) / MiB} MiB`);
  if (!["", "identity"].includes(headers["content-encoding"] ?? "")) {
    return invalid("mediaType", "must not be compressed");
  }
  if (!["utf-8", "utf8", "us-ascii"].includes((type.params.get("charset") ?? "utf-8").toLowerCase())) {
    return invalid("mediaType", "must be in UTF-8");
  }
  return isForm ? decodeForm(bytes, type.params.get("boundary"), body) : decodeText(bytes, body);
}

/** A body that cannot be decoded. */
function invalid(kind: BodyViolationKind, rule: string): DecodedBody {
  return { kind: "invalid", violation: { kind, message: `body: ${rule}` } };
}

/** A media type; undefined when it is none. The last ones are remembered, since reading one takes long. */
export const parseMediaType = memoizeTexts(64, 128, (text): MIMEType | undefined => {
  try {
    return new MIMEType(text);
  } catch {
    return undefined;
  }
});

function decodeText(bytes: Buffer, { mediaType }: PlanBody): DecodedBody {
  if (!isUtf8(bytes)) return invalid("otherwise", "must be in UTF-8");
  const text = bytes.toString("utf8").replace(/^\ufeff/, "");
  if (!/[/+]json$/.test(mediaType)) return { kind: "value", mediaType, value: text, text: undefined, files: [] };
  const { value, problem } = readJson(text);
  return problem === undefined ? { kind: "value", mediaType, value, text, files: [] } : invalid("otherwise", problem);
}

/** The value of a JSON text, or what is wrong with it. */
export function readJson(text: string): { readonly value?: unknown; readonly problem?: string } {
  // Before it is parsed, which would take a gigabyte for a megabyte of brackets.
  if (isTooDeep(text)) return { problem: `must not have more than ${depthLimit} levels` };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { problem: "must be well-formed JSON" };
  }
}

/** Whether lists and objects are nested in more levels than the limit, in a JSON text that need not be well-formed. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (isInString && character === "\\") index += 1;
    else if (character === '"') isInString = !isInString;
    else if (isInString) continue;
    else if (character === "[" || character === "{") depth += 1;
    else if (character === "]" || character === "}") depth -= 1;
    if (depth > depthLimit) return true;
  }
  return false;
}

const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
const decimal = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/**
 * The numbers and decimal strings at the top level of a JSON object, with the digits that were sent, which a JavaScript number
 * does not keep, by name. Any other value has none.
 *
 * @param text well-formed JSON.
 */
export function amountsOf(text: string): Record<string, string> {
  const quoted = text.replace(stringOrNumber, (found) => (found.startsWith('"') ? found : `"${found}"`));
  const value: unknown = JSON.parse(quoted);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
  const isAmount = (member: unknown) => typeof member === "string" && decimal.test(member);
  return Object.fromEntries(Object.entries(value).filter(([, member]) => isAmount(member)));
}

/** @param boundary the boundary parameter of the Content-Type. */
function decodeForm(bytes: Buffer, boundary: string | null, body: PlanBody): DecodedBody {
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
