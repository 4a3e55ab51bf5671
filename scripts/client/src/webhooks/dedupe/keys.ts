/** Which deliveries are the same event. */
import { digest } from "../token.ts";

/**
 * What identifies an event of a webhook: a function that returns it, undefined where an event has nothing that does; or the
 * text of the body. `"body-hash"` tells no two events apart whose bodies are equal, such as two payments of the same amount in a
 * body without an identifier or a time: the second one is acknowledged and never handled. It recognises no repetition whose text
 * differs, such as by a time of sending or the order of the fields. Use it where every body holds what makes it unique.
 */
export type EventKey<Event> = "body-hash" | ((event: Event) => string | number | undefined);

/** Whether a value is a way to identify an event. */
export function isEventKey(value: unknown): boolean {
  return value === "body-hash" || typeof value === "function";
}

/** An event whose key is asked for. */
interface Keyed {
  /** The name of its webhook. */
  readonly name: string;
  /** The identifying fields, from the contract: the identifier, then others. */
  readonly fields: readonly string[];
  /** What the partner says instead. */
  readonly own: EventKey<unknown> | undefined;
  readonly body: unknown;
  /** The text of the body. */
  readonly raw: string;
  /**
   * Whether the event has its type. Otherwise a function of the partner is not called. Then null stands only where the contract
   * allows it, such as the `transactionHash` of a withdrawal that has none yet, and is a value like others, except for the
   * identifier. An event that conforms is not taken for a repetition of one that did not.
   */
  readonly conforms: boolean;
}

/**
 * The deduplication key of an event: the name of its webhook and a digest, so that it can be an id in any queue and index, and tells
 * nothing of the event.
 *
 * @returns undefined when nothing is known to identify the event, or a value of it identifies nothing: absent, blank, or a number
 * that JavaScript cannot hold exactly. Then a repeated delivery cannot be distinguished from a new event.
 * @throws what the function of the partner throws, and {TypeError} when it returns something else.
 */
export async function keyOf(keyed: Keyed): Promise<string | undefined> {
  const { name, own, body, raw, conforms } = keyed;
  const identity = own === "body-hash" ? raw : own === undefined ? contractIdentity(keyed) : conforms && own(body);
  if (identity === undefined || identity === false || identity === null) return undefined;
  if (typeof identity !== "string" && typeof identity !== "number") {
    throw new TypeError(`keys.${name} must return a text, a number or undefined.`);
  }
  if (!identifies(identity)) return undefined;
  const hash = Array.from(await digest(`${identity}`), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${name}${conforms ? "" : "-nonconforming"}-${hash}`;
}

function contractIdentity({ fields, body, conforms }: Keyed): string | undefined {
  const values = fields.map((field) => (body as Record<string, unknown> | null)?.[field]);
  const [id, ...rest] = values;
  const isKnown = identifies(id) && rest.every((value) => identifies(value) || (conforms && value === null));
  return isKnown ? JSON.stringify(values) : undefined;
}

function identifies(value: unknown): boolean {
  if (typeof value === "number") return Number.isSafeInteger(value);
  return typeof value === "string" ? value.trim() !== "" : value !== undefined && value !== null;
}
