import { origins } from "./origins.ts";
import { hasNoNumbers, partsOf } from "./parts.ts";

/**
 * Stores the text from which `data` was parsed, unless `data` has no number. Call this right after parsing, before the program can change
 * the data.
 */
export function rememberText(data: unknown, text: string): void {
  const parts = partsOf(data);
  if (hasNoNumbers(parts)) return;
  for (const [index, part] of parts.entries()) origins.set(part, { text, index });
}
