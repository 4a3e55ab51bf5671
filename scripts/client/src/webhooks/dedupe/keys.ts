import { hexDigest } from "../../bytes.ts";

/**
 * How to identify the events of a webhook: a function that returns the identity (undefined for an event without one), or `"body-hash"`,
 * which uses the text of the body as the identity. With `"body-hash"`, two events with equal bodies count as one event, such as two
 * payments of the same amount without an identifier or a time: the second event is acknowledged and never handled. A repeated delivery
 * whose text differs, for example in a sending time or the order of fields, is not recognised. Use `"body-hash"` only if every body is
 * unique.
 */
export type EventKey<Event> = "body-hash" | ((event: Event) => string | number | undefined);

interface Keyed {
  readonly name: string;
  /** The first field is the identifier. */
  readonly fields: readonly string[];
  /** Has precedence over `fields`. */
  readonly own: EventKey<unknown> | undefined;
  readonly body: unknown;
  readonly raw: string;
  /**
   * Whether the body has the declared type. Only then is the partner's function for the key called, and only then can fields other than the
   * identifier be null, such as the `transactionHash` of a pending withdrawal.
   */
  readonly conforms: boolean;
}

/**
 * Returns the key of an event; undefined when nothing identifies the event. The key is a valid id for any queue or index, and reveals no
 * content of the event.
 */
export async function keyOf(keyed: Keyed): Promise<string | undefined> {
  const { name, own, body, raw, conforms } = keyed;
  const identity = own === "body-hash" ? raw : own === undefined ? contractIdentity(keyed) : conforms && own(body);
  if (identity === undefined || identity === false || identity === null) return undefined;
  if (typeof identity !== "string" && typeof identity !== "number") {
    throw new TypeError(`keys.${name} must return a text, a number or undefined.`);
  }
  if (!identifies(identity)) return undefined;
  return `${name}${conforms ? "" : "-nonconforming"}-${await hexDigest(`${identity}`)}`;
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
