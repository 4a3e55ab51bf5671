import { isUtf8 } from "node:buffer";
import { MIMEType } from "node:util";
import { visitTokens } from "../../client/src/reading/index.ts";
import { memoize, memoizeTexts } from "../memoize.ts";
import type { PlanBody, PlanOperation } from "../plan/plan.ts";
import { MultipartError, type Part, parseMultipart } from "./multipart.ts";

export interface MockRequest {
  readonly method: string;
  /** The path as received, still percent-encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The headers by name in lower case. Repeated headers are combined. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: ReceivedBody;
}

export interface ReceivedBody {
  readonly bytes: Buffer;
  /** Whether the body exceeds {@link maxBytesOf}. If so, `bytes` is empty. */
  readonly isTooLarge: boolean;
}

export type BodyViolationKind = "mediaType" | "tooLarge" | "alternative" | "missing" | "otherwise";

/** The message contains no received value. */
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
      /** The amounts in a JSON body, with all their digits; undefined for a body that is not JSON. */
      readonly amounts: JsonResult["amounts"] | undefined;
      readonly files: readonly Part[];
    }
  | { readonly kind: "invalid"; readonly violation: BodyViolation };

const MiB = 1024 * 1024;

/** A PUT to this path must accept every state that GET returns, so its body may have up to {@link maxStateBytes} bytes. */
const statePath = "/__mock/state";

/** Limits of the size of bodies, which protect the mock's memory. They are not rules of the service. */
export const maxFormBytes: number = 32 * MiB;

export const maxTextBytes: number = MiB;

const maxStateBytes = 256 * MiB;

export function maxBytesOf(contentType: string | undefined, path: string): number {
  if (path === statePath) return maxStateBytes;
  return /^\s*multipart\//i.test(contentType ?? "") ? maxFormBytes : maxTextBytes;
}

const maxDepth = 64;

export function decodeBody(
  requestBody: NonNullable<PlanOperation["requestBody"]>,
  { body: receivedBody, headers }: Pick<MockRequest, "body" | "headers">,
): DecodedBody {
  const { bytes, isTooLarge } = receivedBody;
  if (bytes.length === 0 && !isTooLarge) return { kind: "absent" };
  const type = parseMediaType(headers["content-type"] ?? "");
  const body = requestBody.bodies.find(({ mediaType }) => mediaType === type?.essence);
  if (type === undefined || body === undefined) {
    const acceptedTypes = requestBody.bodies.map(({ mediaType }) => mediaType).join(" or ");
    return invalidBody("mediaType", `must have the Content-Type ${acceptedTypes}`);
  }
  const isForm = type.type === "multipart";
  if (isTooLarge)
    return invalidBody("tooLarge", `must not be larger than ${(isForm ? maxFormBytes : maxTextBytes) / MiB} MiB`);
  if (!["", "identity"].includes(headers["content-encoding"] ?? "")) {
    return invalidBody("mediaType", "must not be compressed");
  }
  if (!["utf-8", "utf8", "us-ascii"].includes((type.params.get("charset") ?? "utf-8").toLowerCase())) {
    return invalidBody("mediaType", "must be in UTF-8");
  }
  return isForm ? decodeForm(bytes, type.params.get("boundary"), body) : decodeText(receivedBody, body);
}

function invalidBody(kind: BodyViolationKind, rule: string): DecodedBody {
  return { kind: "invalid", violation: { kind, message: `body: ${rule}` } };
}

export const parseMediaType = memoizeTexts(64, 128, (text): MIMEType | undefined => {
  try {
    return new MIMEType(text);
  } catch {
    return undefined;
  }
});

function decodeText(receivedBody: ReceivedBody, { mediaType }: PlanBody): DecodedBody {
  if (!isUtf8(receivedBody.bytes)) return invalidBody("otherwise", "must be in UTF-8");
  if (!/[/+]json$/.test(mediaType)) {
    return { kind: "value", mediaType, value: textOf(receivedBody), amounts: undefined, files: [] };
  }
  const { value, problem, amounts } = jsonOf(receivedBody);
  return problem === undefined
    ? { kind: "value", mediaType, value, amounts, files: [] }
    : invalidBody("otherwise", problem);
}

export const jsonOf: (receivedBody: ReceivedBody) => JsonResult = memoize((receivedBody) =>
  readJson(textOf(receivedBody)),
);

function textOf({ bytes }: ReceivedBody): string {
  return bytes.toString("utf8").replace(/^\ufeff/, "");
}

export interface JsonResult {
  readonly value?: unknown;
  readonly problem?: string;
  /** The numbers and decimal strings at the top level of an object, by name, with all digits, which JavaScript numbers can lose. */
  readonly amounts: Readonly<Record<string, string>>;
}

export function readJson(text: string): JsonResult {
  // The depth is checked before parsing, because JSON.parse needs much memory for deeply nested brackets.
  const amounts = scanAmounts(text);
  if (amounts === undefined) return { problem: `must not have more than ${maxDepth} levels`, amounts: {} };
  try {
    return { value: JSON.parse(text), amounts: amounts.size === 0 ? noAmounts : Object.fromEntries(amounts) };
  } catch {
    return { problem: "must be well-formed JSON", amounts: {} };
  }
}

const noAmounts = {};

export const decimalPattern: RegExp = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/** @returns undefined when the text has too many levels. */
function scanAmounts(text: string): ReadonlyMap<string, string> | undefined {
  const amounts = new Map<string, string>();
  const isObject = /^\s*\{/.test(text);
  let depth = 0;
  let name: string | undefined;
  let isMemberValue = false;
  const addToken = (token: string): void => {
    if (depth !== 1 || !isObject) return;
    if (!isMemberValue) name = token.includes("\\") ? parseString(token) : token.slice(1, -1);
    else if (name !== undefined) {
      const digits = token.startsWith('"') ? token.slice(1, -1) : token;
      if (decimalPattern.test(digits)) amounts.set(name, digits);
      // If several members have the same name, the last one counts.
      else amounts.delete(name);
    }
  };
  visitTokens(text, (firstCharacter, start, end) => {
    if (firstCharacter === "{" || firstCharacter === "[") {
      addToken(firstCharacter);
      depth += 1;
    } else if (firstCharacter === "}" || firstCharacter === "]") depth -= 1;
    else if (firstCharacter === ":" || firstCharacter === ",")
      isMemberValue = depth === 1 ? firstCharacter === ":" : isMemberValue;
    else addToken(text.slice(start, end));
    return depth > maxDepth;
  });
  if (depth > maxDepth) return undefined;
  return amounts;
}

function parseString(token: string): string | undefined {
  try {
    return JSON.parse(token);
  } catch {
    return undefined;
  }
}

function decodeForm(bytes: Buffer, boundary: string | null, body: PlanBody): DecodedBody {
  if (!boundary) return invalidBody("otherwise", "must have a boundary parameter in its Content-Type");
  let parts: Part[];
  try {
    parts = parseMultipart(bytes, boundary);
  } catch (error) {
    if (error instanceof MultipartError) return invalidBody("otherwise", error.message);
    throw error;
  }
  const seenNames = new Set<string>();
  for (const part of parts) {
    const refusedBody = checkPart(part, body);
    if (refusedBody !== undefined) return refusedBody;
    const { name } = part;
    if (seenNames.has(name) && body.parts.includes(name) && !body.arrayParts.includes(name)) {
      return invalidBody("otherwise", `must have only one part ${name}`);
    }
    seenNames.add(name);
  }
  if (!parts.some(({ name }) => body.parts.includes(name))) return { kind: "absent" };
  const files = parts.filter(({ name }) => body.fileParts.includes(name));
  return { kind: "value", mediaType: body.mediaType, value: partsToObject(parts, body), amounts: undefined, files };
}

/**
 * A part that the contract does not define is valid.
 *
 * @returns the invalid body; undefined when the part is valid.
 */
function checkPart({ name, contentType, content, fileName }: Part, body: PlanBody): DecodedBody | undefined {
  const acceptedTypes = Object.hasOwn(body.partTypes, name) ? body.partTypes[name] : undefined;
  if (acceptedTypes !== undefined && !acceptedTypes.includes(parseMediaType(contentType)?.essence ?? "")) {
    return invalidBody("mediaType", `must have a part ${name} of the Content-Type ${acceptedTypes.join(" or ")}`);
  }
  if (!body.fileParts.includes(name)) return undefined;
  if (!fileName) return invalidBody("missing", `must have a file name in the part ${name}`);
  if (content.length === 0) return invalidBody("missing", `must have a file that is not empty in the part ${name}`);
  const maxBytes = body.maxBytes[name];
  if (maxBytes === undefined || content.length <= maxBytes) return undefined;
  return invalidBody("tooLarge", `must have a file of at most ${maxBytes} bytes in the part ${name}`);
}

/** Decodes the content of each part as latin1, so that `maxLength` counts bytes. Repeated parts, and parts of an array, become a list. */
function partsToObject(parts: readonly Part[], { arrayParts }: PlanBody): Record<string, unknown> {
  const values = new Map<string, string[]>();
  for (const { name, content } of parts) values.set(name, [...(values.get(name) ?? []), content.toString("latin1")]);
  return Object.fromEntries(
    [...values].map(([name, contents]) => [
      name,
      arrayParts.includes(name) || contents.length > 1 ? contents : contents[0],
    ]),
  );
}
