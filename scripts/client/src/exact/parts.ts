/** Maximum number of parts to remember: a body of millions of empty arrays would otherwise block the program for too long. */
const maxParts = 100_000;

/** The value, and the objects and arrays in it, in the same order for each parse of a text, as `Origin.index` needs. */
export function partsOf(data: unknown): object[] {
  const parts = typeof data === "object" && data !== null ? [data] : [];
  // The loop also visits parts that are appended while it runs.
  for (const part of parts) {
    for (const value of Object.values(part as Record<string, unknown>)) {
      if (typeof value === "object" && value !== null && parts.length < maxParts) parts.push(value);
    }
  }
  return parts;
}

export function hasNoNumbers(parts: readonly object[]): boolean {
  const hasNumber = (part: object) => Object.values(part).some((value) => typeof value === "number");
  return parts.length < maxParts && !parts.some(hasNumber);
}
