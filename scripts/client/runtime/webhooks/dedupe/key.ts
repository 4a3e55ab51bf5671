/** Which deliveries are the same event. */

/**
 * The deduplication key of an event: the name of its webhook and the values of the identifying fields.
 *
 * @param fields the identifying fields, from the contract: the identifier, then others.
 * @param conforms whether the event has its type. Then null stands only where the contract allows it, such as the
 * `transactionHash` of a withdrawal that has none yet, and is a value like others, except for the identifier.
 * @returns undefined when the contract names no such fields, or a value of the event identifies nothing: absent, blank, or a
 * number that JavaScript cannot hold exactly. Then a repeated delivery cannot be distinguished from a new event.
 */
export function dedupeKeyOf(
  name: string,
  fields: readonly string[],
  event: unknown,
  conforms = false,
): string | undefined {
  const values = fields.map((field) => (event as Record<string, unknown> | null)?.[field]);
  const [id, ...rest] = values;
  if (!identifies(id) || !rest.every((value) => identifies(value) || (conforms && value === null))) return undefined;
  return `${name}:${JSON.stringify(values)}`;
}

function identifies(value: unknown): boolean {
  if (typeof value === "number") return Number.isSafeInteger(value);
  return typeof value === "string" ? value.trim() !== "" : value !== undefined && value !== null;
}
