/** Typed events: parsed from webhook calls, and made for tests. */
import { decode, type Text } from "../bytes.ts";
import { type Inspection, inspect } from "../conformance.ts";
import type { Violation } from "../deviations.ts";
import { rememberText } from "../exact-numbers.ts";
import { checkNames } from "../options.ts";
import type { WebhookTable } from "./routes.ts";
import { checkPaths, findWebhook, type WebhookPaths } from "./routes.ts";

/**
 * The result of parsing a webhook call. `deviations` leave the type of the event intact, `violations` break it; neither
 * contains a value. `status` is the HTTP status to respond with when the call is refused, `body` the parsed body,
 * undefined when it is not JSON.
 */
export type Parsed<Events> =
  | {
      [Name in keyof Events]: { ok: true; name: Name; event: Events[Name]; deviations: readonly Violation[] };
    }[keyof Events]
  | { ok: false; status: 404; reason: string }
  | { ok: false; status: 400; reason: string; name: keyof Events; body: unknown; violations: readonly Violation[] };

/**
 * Finds the webhook of a name or a path and compares the body with the contract.
 *
 * A body does not say of which type it is: only the path identifies the webhook (specification, Events).
 *
 * @typeParam Events the generated interface with the body of every webhook.
 * @param nameOrPath name of the webhook, or path of the call on the partner's server, without the prefix under which the
 * receiver is mounted. A name has no slash.
 * @param body JSON text, or its bytes.
 * @param paths paths of the partner, where they differ from the contract.
 * @throws {TypeError} when the body is not a text, a name without a slash is no webhook, or a path of the partner cannot be
 * used.
 */
export function parseWithTable<Events>(
  table: WebhookTable,
  nameOrPath: string,
  body: string | Uint8Array,
  paths?: WebhookPaths<Events>,
): Parsed<Events> {
  const content = ArrayBuffer.isView(body) ? decode([body]) : { text: body, isUtf8: true };
  if (typeof content.text !== "string") {
    throw new TypeError("parseWebhook takes the text of the body, not what a body parser made of it.");
  }
  if (paths !== undefined) checkPaths(table, paths);
  const name = Object.hasOwn(table, nameOrPath) ? nameOrPath : findWebhook(table, paths ?? {}, nameOrPath);
  if (name === undefined) {
    if (!`${nameOrPath}`.includes("/")) checkNames("webhook", { [nameOrPath]: body }, Object.keys(table));
    return { ok: false, status: 404, reason: noSuchPath };
  }
  return judge(name, readBody(table, name, content));
}

/**
 * Compares the event of a stored envelope with the contract.
 *
 * @param text JSON text of an object with `name`, the name of a webhook, and `event`, its body.
 * @throws {TypeError} when the text has another form, or there is no such webhook.
 */
export function parseEnvelope<Events>(table: WebhookTable, text: string): Parsed<Events> {
  const { name, event } = (typeof text === "string" && (parseJson(text, false) as Record<string, unknown>)) || {};
  if (typeof name !== "string" || event === undefined) {
    throw new TypeError('parseEvent takes the JSON text of an object { "name": …, "event": … }.');
  }
  checkNames("webhook", { [name]: event }, Object.keys(table));
  return judge(name, { body: event, ...inspect(table[name]?.schema ?? {}, event) });
}

/** The result for a body and its deviations; `received` is undefined when the body is not JSON. */
function judge<Events>(name: string, received: ReturnType<typeof readBody>): Parsed<Events> {
  const { breaks: violations = [], violations: deviations } = received ?? {};
  const [first] = violations;
  if (received !== undefined && first === undefined) {
    return { ok: true, name, event: received.body, deviations } as Parsed<Events>;
  }
  const reason = first === undefined ? notJson : reasonOf(first);
  return { ok: false, status: 400, reason, name, body: received?.body, violations } as Parsed<Events>;
}

/** Why a call on an unknown path is refused. */
export const noSuchPath = "No webhook has this path.";

/** Why a body is refused that is not JSON. */
export const notJson = "The body is not valid JSON.";

/** The deviation of a body that is not valid UTF-8. */
export const notUtf8: Violation = { pointer: "", rule: "encoding" };

/** The body of a known webhook and its deviations; undefined when it is not JSON. Parameters as {@link parseJson}. */
export function readBody(
  table: WebhookTable,
  name: string,
  { text, isUtf8 }: Text,
  hasOriginalDigits = true,
): ({ body: unknown } & Inspection) | undefined {
  const body = parseJson(text, hasOriginalDigits);
  if (body === undefined) return undefined;
  const { breaks, violations } = inspect(table[name]?.schema ?? {}, body);
  return { body, breaks, violations: isUtf8 ? violations : [notUtf8, ...violations] };
}

/**
 * The value of a JSON text, undefined when the text is not JSON.
 *
 * @param hasOriginalDigits whether the text has every digit that was sent, so that `exactNumbers` works with the value.
 */
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

/** A message about where and how a body breaks its type, without the value, which may be sensitive. */
export function reasonOf({ pointer, rule }: Violation): string {
  const place = pointer === "" ? "The body" : pointer.slice(1).replaceAll("/", ".");
  return `${place} ${rule === "required" ? "is missing" : "has another JSON type than the contract says"}.`;
}

/**
 * An event for tests: an example of the contract with some fields replaced.
 *
 * @typeParam Events the generated interface with the body of every webhook.
 * @param examples an example of every webhook.
 * @param overrides fields that replace those of the example.
 * @throws {TypeError} when there is no such webhook, or the overrides break the type of the event.
 */
export function makeTestEvent<Events, Name extends keyof Events & string>(
  table: WebhookTable,
  examples: Readonly<Record<string, object>>,
  name: Name,
  overrides: Partial<Events[Name]>,
): Events[Name] {
  checkNames("webhook", { [name]: overrides }, Object.keys(table));
  const event = { ...structuredClone(examples[name] ?? {}), ...overrides };
  const [problem] = inspect(table[name]?.schema ?? {}, event).breaks;
  if (problem !== undefined) throw new TypeError(`This is not a valid ${name} event: ${reasonOf(problem)}`);
  return event as Events[Name];
}
