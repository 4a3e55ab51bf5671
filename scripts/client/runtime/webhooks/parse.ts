/** From the path and the body of a webhook call to a typed event. */
import type { WebhookTable } from "./contract.js";

/** What came out of a webhook call. `status` is the HTTP status that a receiver should answer a refused one with. */
export type Parsed<Events> =
  | { [Name in keyof Events]: { ok: true; name: Name; event: Events[Name] } }[keyof Events]
  | { ok: false; status: 400 | 404; reason: string };

/**
 * Finds the webhook of a path and checks the body against the contract.
 *
 * The bodies carry no type: only the path tells which webhook it is (specification, Events).
 *
 * @param path path of the call on the partner's server, without the prefix under which the receiver is mounted.
 * @param body JSON text.
 */
export function parseWithTable(table: WebhookTable, path: string, body: string): Parsed<Record<string, unknown>> {
  const found = Object.entries(table).find(([, webhook]) => webhook.path === path);
  if (found === undefined) return { ok: false, status: 404, reason: "No webhook has this path." };
  const [name, { validate }] = found;
  const event = parseJson(body);
  if (event === undefined) return { ok: false, status: 400, reason: "The body is no JSON." };
  if (!validate(event)) return { ok: false, status: 400, reason: reasonOf(validate.errors?.[0]) };
  return { ok: true, name, event };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) ?? null;
  } catch {
    return undefined;
  }
}

/** Names the place and what is wrong there; values may be sensitive and are left out. */
function reasonOf(violation: { instancePath: string; message?: string } | undefined): string {
  const place = violation?.instancePath.replaceAll("/", ".").replace(/^\./, "") || "The body";
  return `${place} ${violation?.message ?? "is not what the contract says"}.`;
}
