import { checkNames } from "../base/check-names.ts";
import { type Inspection, inspect } from "../checks/conformance.ts";
import type { Violation } from "../checks/deviations.ts";
import { rememberText } from "../exact/remember-text.ts";
import { type DecodedText, decode } from "../reading/bytes.ts";
import { checkPaths, findWebhook } from "./routes.ts";
import type { WebhookTable } from "./table.ts";

/**
 * The result of parsing a webhook call. `violations` are the positions where the body violates its type; `deviations` are the positions
 * where it deviates only from other rules of the contract. Neither contains a value. `status` is the HTTP status for the response to a
 * refused call. `body` is the parsed body; undefined when it is not JSON.
 */
export type Parsed<Events> =
  | {
      [Name in keyof Events]: { ok: true; name: Name; event: Events[Name]; deviations: readonly Violation[] };
    }[keyof Events]
  | { ok: false; status: 404; reason: string }
  | { ok: false; status: 400; reason: string; name: keyof Events; body: unknown; violations: readonly Violation[] };

export type UntypedParsed = Parsed<Record<string, unknown>>;

export function parseCall(
  table: WebhookTable,
  nameOrPath: string,
  body: string | Uint8Array,
  paths: Readonly<Record<string, string | undefined>> = {},
): UntypedParsed {
  const content = ArrayBuffer.isView(body) ? decode([body]) : { text: body, isUtf8: true };
  if (typeof content.text !== "string") {
    throw new TypeError("parseWebhook takes the text of the body, not what a body parser made of it.");
  }
  checkPaths(table, paths);
  const name = Object.hasOwn(table, nameOrPath) ? nameOrPath : findWebhook(table, paths, nameOrPath);
  if (name === undefined) {
    if (!`${nameOrPath}`.includes("/")) checkNames("webhook", { [nameOrPath]: body }, Object.keys(table));
    return { ok: false, status: 404, reason: unknownPathReason };
  }
  return toParsed(name, inspectText(table, name, content));
}

export function parseStored(table: WebhookTable, text: string): UntypedParsed {
  const { name, event } = (typeof text === "string" && (parseJson(text, false) as Record<string, unknown>)) || {};
  if (typeof name !== "string" || event === undefined) {
    throw new TypeError('parseEvent takes the JSON text of an object { "name": …, "event": … }.');
  }
  checkNames("webhook", { [name]: event }, Object.keys(table));
  return toParsed(name, { body: event, ...inspect(table[name]?.schema ?? {}, event) });
}

function toParsed(name: string, inspectedBody: ReturnType<typeof inspectText>): UntypedParsed {
  const { typeViolations = [], violations = [] } = inspectedBody ?? {};
  const [firstViolation] = typeViolations;
  if (inspectedBody !== undefined && firstViolation === undefined) {
    return { ok: true, name, event: inspectedBody.body, deviations: violations };
  }
  const reason = firstViolation === undefined ? notJsonReason : reasonOf(firstViolation);
  return { ok: false, status: 400, reason, name, body: inspectedBody?.body, violations: typeViolations };
}

export const unknownPathReason = "No webhook has this path.";

export const notJsonReason = "The body is not valid JSON.";

export const encodingViolation: Violation = { pointer: "", rule: "encoding" };

export function inspectText(
  table: WebhookTable,
  name: string,
  { text, isUtf8 }: DecodedText,
  hasOriginalDigits = true,
): ({ body: unknown } & Inspection) | undefined {
  const body = parseJson(text, hasOriginalDigits);
  if (body === undefined) return undefined;
  const { typeViolations, violations } = inspect(table[name]?.schema ?? {}, body);
  return { body, typeViolations, violations: isUtf8 ? violations : [encodingViolation, ...violations] };
}

/**
 * Returns undefined for a text that is not JSON.
 *
 * @param hasOriginalDigits whether the numbers in the text are exactly as sent. `exactNumbers` then accepts the parsed value.
 */
export function parseJson(text: string, hasOriginalDigits: boolean): unknown {
  try {
    // A parser may ignore a byte order mark (RFC 8259, section 8.1).
    const json = text.startsWith("\ufeff") ? text.slice(1) : text;
    const value: unknown = JSON.parse(json);
    if (hasOriginalDigits) rememberText(value, json);
    return value;
  } catch {
    return undefined;
  }
}

/** The sentence has no value, because values may be sensitive. */
export function reasonOf({ pointer, rule }: Violation): string {
  return `${pointer || "The body"} ${rule === "required" ? "is missing" : "has another JSON type than the contract says"}.`;
}

export function makeEvent(table: WebhookTable, example: object, name: string, overrides: object): object {
  checkNames("webhook", { [name]: overrides }, Object.keys(table));
  const event = { ...structuredClone(example), ...overrides };
  const [problem] = inspect(table[name]?.schema ?? {}, event).typeViolations;
  if (problem !== undefined) throw new TypeError(`This is not a valid ${name} event: ${reasonOf(problem)}`);
  return event;
}
