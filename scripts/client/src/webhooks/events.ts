import { webhookExamples } from "../../../../generated/client/webhook-examples.ts";
import { webhookTable } from "../../../../generated/client/webhook-table.ts";
import type { WebhookEvents, WebhookName } from "../../../../generated/client/webhooks.ts";
import { decode, type Text } from "../bytes.ts";
import { type Inspection, inspect } from "../conformance.ts";
import type { Violation } from "../deviations.ts";
import { rememberText } from "../exact-numbers.ts";
import { checkNames } from "../options.ts";
import { checkPaths, findWebhook, type WebhookPaths } from "./routes.ts";

/**
 * The result of parsing a webhook call. `violations` are the positions where the body breaks its type, `deviations` those where it breaks
 * only other rules of the contract; neither contains a value. `status` is the HTTP status of the response to a refused call. `body` is the
 * parsed body; undefined when it is not JSON.
 */
export type Parsed<Events> =
  | {
      [Name in keyof Events]: { ok: true; name: Name; event: Events[Name]; deviations: readonly Violation[] };
    }[keyof Events]
  | { ok: false; status: 404; reason: string }
  | { ok: false; status: 400; reason: string; name: keyof Events; body: unknown; violations: readonly Violation[] };

/**
 * Compares a body with the type of a webhook. It does not check the token.
 *
 * @param name the webhook, such as "p2pTransfer".
 * @param body JSON text, or its bytes.
 * @throws {TypeError} when the body is not text, such as an object made by a body parser.
 */
export function parseWebhook<Name extends WebhookName>(
  name: Name,
  body: string | Uint8Array,
): Parsed<Pick<WebhookEvents, Name>>;
/**
 * Finds the webhook of a path and compares the body with its type. It does not check the token.
 *
 * @param nameOrPath path of the call on the partner's server, or the name of a webhook, which has no slash.
 * @param body JSON text, or its bytes.
 * @param options.paths paths on the partner's server, if they differ from the contract.
 * @throws {TypeError} when the body is not a text, or `options.paths` has an unknown webhook, a malformed path, or one path for two
 * webhooks.
 */
export function parseWebhook(
  nameOrPath: string,
  body: string | Uint8Array,
  options?: { paths?: WebhookPaths<WebhookEvents> },
): Parsed<WebhookEvents>;
export function parseWebhook(
  nameOrPath: string,
  body: string | Uint8Array,
  { paths = {} }: { paths?: WebhookPaths<WebhookEvents> } = {},
): Parsed<WebhookEvents> {
  const content = ArrayBuffer.isView(body) ? decode([body]) : { text: body, isUtf8: true };
  if (typeof content.text !== "string") {
    throw new TypeError("parseWebhook takes the text of the body, not what a body parser made of it.");
  }
  checkPaths(paths);
  const name = Object.hasOwn(webhookTable, nameOrPath) ? nameOrPath : findWebhook(paths, nameOrPath);
  if (name === undefined) {
    if (!`${nameOrPath}`.includes("/")) checkNames("webhook", { [nameOrPath]: body }, Object.keys(webhookTable));
    return { ok: false, status: 404, reason: noSuchPath };
  }
  return judge(name, readBody(name, content));
}

/**
 * Parses an event that was stored, for example in a queue: the name of its webhook and its body, as passed to `otherwise` of a handler.
 *
 * @param text JSON text of `{ name, event }`. Its numbers were serialized again, so `exactNumbers` refuses the event.
 * @throws {TypeError} when the text is not JSON of that form, or there is no such webhook.
 */
export function parseEvent(text: string): Parsed<WebhookEvents> {
  const { name, event } = (typeof text === "string" && (parseJson(text, false) as Record<string, unknown>)) || {};
  if (typeof name !== "string" || event === undefined) {
    throw new TypeError('parseEvent takes the JSON text of an object { "name": …, "event": … }.');
  }
  checkNames("webhook", { [name]: event }, Object.keys(webhookTable));
  return judge(name, { body: event, ...inspect(webhookTable[name]?.schema ?? {}, event) });
}

function judge(name: string, received: ReturnType<typeof readBody>): Parsed<WebhookEvents> {
  const { breaks: violations = [], violations: deviations } = received ?? {};
  const [first] = violations;
  if (received !== undefined && first === undefined) {
    return { ok: true, name, event: received.body, deviations } as Parsed<WebhookEvents>;
  }
  const reason = first === undefined ? notJson : reasonOf(first);
  return { ok: false, status: 400, reason, name, body: received?.body, violations } as Parsed<WebhookEvents>;
}

export const noSuchPath = "No webhook has this path.";

export const notJson = "The body is not valid JSON.";

export const notUtf8: Violation = { pointer: "", rule: "encoding" };

export function readBody(
  name: string,
  { text, isUtf8 }: Text,
  hasOriginalDigits = true,
): ({ body: unknown } & Inspection) | undefined {
  const body = parseJson(text, hasOriginalDigits);
  if (body === undefined) return undefined;
  const { breaks, violations } = inspect(webhookTable[name]?.schema ?? {}, body);
  return { body, breaks, violations: isUtf8 ? violations : [notUtf8, ...violations] };
}

/** `hasOriginalDigits`: whether the text has every digit that was sent, so that `exactNumbers` works with the value. */
export function parseJson(text: string, hasOriginalDigits: boolean): unknown {
  try {
    // A byte order mark is not part of the text (RFC 8259, section 8.1).
    const json = text.startsWith("\ufeff") ? text.slice(1) : text;
    const value: unknown = JSON.parse(json);
    if (hasOriginalDigits) rememberText(value, json);
    return value;
  } catch {
    return undefined;
  }
}

/** The text does not contain the value, which may be sensitive. */
export function reasonOf({ pointer, rule }: Violation): string {
  const place = pointer === "" ? "The body" : pointer.slice(1).replaceAll("/", ".");
  return `${place} ${rule === "required" ? "is missing" : "has another JSON type than the contract says"}.`;
}

/**
 * Returns an event for tests: an example of the contract with some fields replaced.
 *
 * @param overrides fields that replace fields of the example.
 * @throws {TypeError} when the overrides break the type of the event.
 */
export function testEvent<Name extends WebhookName>(
  name: Name,
  overrides: Partial<WebhookEvents[Name]> = {},
): WebhookEvents[Name] {
  checkNames("webhook", { [name]: overrides }, Object.keys(webhookTable));
  const event = { ...structuredClone(webhookExamples[name] ?? {}), ...overrides };
  const [problem] = inspect(webhookTable[name]?.schema ?? {}, event).breaks;
  if (problem !== undefined) throw new TypeError(`This is not a valid ${name} event: ${reasonOf(problem)}`);
  return event as WebhookEvents[Name];
}
