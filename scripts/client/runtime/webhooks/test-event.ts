/** Valid events for a partner's own tests. */
import type { WebhookTable } from "./contract.js";

/**
 * An event as the contract shows it, with some fields replaced.
 *
 * @throws {TypeError} when there is no such webhook, or the overrides make the event invalid.
 */
export function makeTestEvent(
  table: WebhookTable,
  examples: Readonly<Record<string, object>>,
  name: string,
  overrides: object,
): object {
  const webhook = table[name];
  const example = examples[name];
  if (webhook === undefined || example === undefined) throw new TypeError(`There is no webhook ${name}.`);
  const event = { ...structuredClone(example), ...overrides };
  if (!webhook.validate(event)) {
    const { instancePath = "", message = "" } = webhook.validate.errors?.[0] ?? {};
    throw new TypeError(`This is no valid ${name} event: ${instancePath.slice(1) || "the body"} ${message}.`);
  }
  return event;
}
