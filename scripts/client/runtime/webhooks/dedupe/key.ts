/** Which deliveries are the same event. */

/**
 * The deduplication key of an event: the name of its webhook and the values of the identifying fields.
 *
 * @param fields the identifying fields, from the contract.
 * @returns undefined when the contract names no such fields, or a value of the event identifies nothing: absent, blank, or a
 * number that JavaScript cannot hold exactly. Then a repeated delivery cannot be distinguished from a new event.
 */
export function dedupeKeyOf(name: string, fields: readonly string[], event: unknown): string | undefined {
  const values = fields.map((field) => (event as Record<string, unknown> | null)?.[field]);
  if (values.length === 0 || !values.every(identifies)) return undefined;
  return `${name}:${JSON.stringify(values)}`;
}

function identifies(value: unknown): boolean {
  if (typeof value === "number") return Number.isSafeInteger(value);
  return typeof value === "string" ? value.trim() !== "" : value !== undefined && value !== null;
}
