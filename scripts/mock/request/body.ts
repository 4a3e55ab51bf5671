/** Decodes the bytes of a request body into the value that the contract describes. */
import type { IncomingHttpHeaders } from "node:http";
import { MIMEType } from "node:util";
import type { BodyViolationKind, Violation } from "../answer/violations.ts";
import type { PlanBody, PlanOperation } from "../plan/plan.ts";
import { decodeForm } from "./form.ts";
import { isDeeperThan } from "./json-depth.ts";
import type { Part } from "./multipart.ts";

export interface ReceivedBody {
  bytes: Buffer;
  /** Whether it exceeds {@link bodyLimit}; the bytes are then not kept. */
  tooLarge: boolean;
}

export type DecodedBody =
  | { kind: "absent" }
  | {
      kind: "value";
      mediaType: string;
      value: unknown;
      /** The text of a JSON body, as it was sent. */
      text: string | undefined;
      /** The files of a form. */
      files: readonly Part[];
    }
  | { kind: "invalid"; violation: Violation };

const MiB = 1024 * 1024;

/** Largest body that the mock accepts, in bytes. It protects the memory of the mock and is not a rule of the service. */
export const bodyLimit: number = 32 * MiB;

/** Largest body of any type other than multipart, in bytes. */
export const textLimit: number = MiB;

/** How many levels of lists and objects JSON may have. */
const depthLimit = 64;

/** Decodes a body by its Content-Type, which must be one that the operation accepts. */
export function decodeBody(
  requestBody: NonNullable<PlanOperation["requestBody"]>,
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
  if (tooLarge || bytes.length > limit) return invalid("tooLarge", `must not be larger than ${limit / MiB} MiB`);
  if (!["", "identity"].includes(headers["content-encoding"] ?? "")) {
    return invalid("mediaType", "must not be compressed");
  }
  if (!["utf-8", "utf8", "us-ascii"].includes((type.params.get("charset") ?? "utf-8").toLowerCase())) {
    return invalid("mediaType", "must be in UTF-8");
  }
  if (type.type === "multipart") return decodeForm(bytes, type.params.get("boundary"), body);
  return decodeText(bytes, body);
}

/** A body that cannot be decoded. */
export function invalid(kind: BodyViolationKind, rule: string): DecodedBody {
  return { kind: "invalid", violation: { kind, message: `body: ${rule}` } };
}

/** A media type; undefined when it is none. */
export function parseMediaType(text: string | undefined): MIMEType | undefined {
  try {
    return text === undefined ? undefined : new MIMEType(text);
  } catch {
    return undefined;
  }
}

function decodeText(bytes: Buffer, { mediaType }: PlanBody): DecodedBody {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return invalid("otherwise", "must be in UTF-8");
  }
  if (!/[/+]json$/.test(mediaType)) return { kind: "value", mediaType, value: text, text: undefined, files: [] };
  // Before it is parsed, which would take a gigabyte for a megabyte of brackets.
  if (isDeeperThan(text, depthLimit)) return invalid("otherwise", `must not have more than ${depthLimit} levels`);
  try {
    return { kind: "value", mediaType, value: JSON.parse(text), text, files: [] };
  } catch {
    return invalid("otherwise", "must be well-formed JSON");
  }
}
