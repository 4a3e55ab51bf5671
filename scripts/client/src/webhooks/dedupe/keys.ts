import { hexDigest } from "../../reading/bytes.ts";

/**
 * How to identify the events of a webhook: a function that returns the identity (undefined for an event without one), or `"body-hash"`,
 * which uses the text of the body as the identity. With `"body-hash"`, two events with equal bodies count as one event, such as two
 * payments of the same amount without an identifier or a time: the second event is acknowledged and never handled. A repeated delivery
 * whose text differs, for example in a sending time or the order of fields, is not recognised. Use `"body-hash"` only if every body is
 * unique.
 */
export type EventKey<Event> = "body-hash" | ((event: Event) => string | number | undefined);

interface KeyInput {
  readonly name: string;
  /** The first field is the identifier. */
  readonly fields: readonly string[];
  /** The partner's rule for the key, which has precedence over `fields`. */
  readonly rule: EventKey<unknown> | undefined;
  readonly body: unknown;
  readonly raw: string;
  /**
   * Whether the body has the declared type. If it has, fields other than the identifier can be null, such as the `transactionHash` of a
   * pending withdrawal. If not, the partner's function for the key is not called.
   */
  readonly conforms: boolean;
}

/**
 * Returns the key of an event; undefined when nothing identifies the event. The key is a valid id for any queue or index, and reveals no
 * content of the event.
 */
export async function keyOf(input: KeyInput): Promise<string | undefined> {
  const { name, rule, body, raw, conforms } = input;
  const identity = rule === "body-hash" ? raw : rule === undefined ? contractIdentityOf(input) : conforms && rule(body);
  if (identity === undefined || identity === false || identity === null) return undefined;
  if (typeof identity !== "string" && typeof identity !== "number") {
    throw new TypeError(`keys.${name} must return a text, a number or undefined.`);
  }
  if (!isIdentifying(identity)) return undefined;
  return `${name}${conforms ? "" : "-nonconforming"}-${await hexDigest(`${identity}`)}`;
}

function contractIdentityOf({ fields, body, conforms }: KeyInput): string | undefined {
  const values = fields.map((field) => (body as Record<string, unknown> | null)?.[field]);
  const [id, ...otherValues] = values;
  const isIdentified =
    isIdentifying(id) && otherValues.every((value) => isIdentifying(value) || (conforms && value === null));
  return isIdentified ? JSON.stringify(values) : undefined;
}

function isIdentifying(value: unknown): boolean {
  if (typeof value === "number") return Number.isSafeInteger(value);
  return typeof value === "string" ? value.trim() !== "" : value !== undefined && value !== null;
}
