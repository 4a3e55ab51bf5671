/** Typed events: parsed from the calls of the service, and made for tests. */
import type { Violation, WebhookTable } from "./contract.ts";

/** The result of parsing a webhook call. `status` is the HTTP status to respond with when the call is refused. */
export type Parsed<Events> =
  | { [Name in keyof Events]: { ok: true; name: Name; event: Events[Name] } }[keyof Events]
  | { ok: false; status: 400 | 404; reason: string };

/**
 * Finds the webhook of a path and validates the body against the contract.
 *
 * A body does not say of which type it is: only the path identifies the webhook (specification, Events).
 *
 * @typeParam Events the generated interface with the body of every webhook.
 * @param path path of the call on the partner's server, without the prefix under which the receiver is mounted.
 * @param body JSON text.
 */
export function parseWithTable<Events>(table: WebhookTable, path: string, body: string): Parsed<Events> {
  const found = Object.entries(table).find(([, webhook]) => webhook.path === path);
  if (found === undefined) return { ok: false, status: 404, reason: "No webhook has this path." };
  const [name, { validate }] = found;
  const event = parseJson(body);
  if (event === undefined) return { ok: false, status: 400, reason: "The body is not valid JSON." };
  if (!validate(event)) return { ok: false, status: 400, reason: reasonOf(validate.errors?.[0]) };
  return { ok: true, name, event } as Parsed<Events>;
}

/** The value of a JSON text, undefined when the text is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Says where a body violates the contract and how. It leaves out the value, which may be sensitive. */
function reasonOf(violation: Violation | undefined): string {
  const place = violation?.instancePath.replaceAll("/", ".").replace(/^\./, "") || "The body";
  return `${place} ${violation?.message ?? "does not conform to the contract"}.`;
}

/**
 * An event for tests: an example of the contract with some fields replaced.
 *
 * @typeParam Events the generated interface with the body of every webhook.
 * @param overrides fields that replace those of the example.
 * @throws {TypeError} when there is no such webhook, or the overrides make the event invalid.
 */
export function makeTestEvent<Events, Name extends keyof Events & string>(
  table: WebhookTable,
  examples: Readonly<Record<string, object>>,
  name: Name,
  overrides: Partial<Events[Name]>,
): Events[Name] {
  const webhook = table[name];
  const example = examples[name];
  if (webhook === undefined || example === undefined) throw new TypeError(`There is no webhook ${name}.`);
  const event = { ...structuredClone(example), ...overrides };
  if (!webhook.validate(event)) {
    const { instancePath = "", message = "" } = webhook.validate.errors?.[0] ?? {};
    throw new TypeError(`This is not a valid ${name} event: ${instancePath.slice(1) || "the body"} ${message}.`);
  }
  return event as Events[Name];
}
