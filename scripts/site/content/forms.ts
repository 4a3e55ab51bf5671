/** Checks of values that were read from YAML. */

export function isText(value: unknown): value is string {
  return typeof value === "string";
}

export function isListOf<Item>(value: unknown, isItem: (item: unknown) => item is Item): value is Item[] {
  return Array.isArray(value) && value.every(isItem);
}

export function isTextList(value: unknown): value is string[] {
  return isListOf(value, isText);
}

export function isMapOf<Item>(value: unknown, isItem: (item: unknown) => item is Item): value is Record<string, Item> {
  return value instanceof Object && isListOf(Object.values(value), isItem);
}
