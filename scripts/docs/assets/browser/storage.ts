/** What the reader has chosen, kept for all pages. A browser may forbid storage: then nothing is kept. */

const prefix = "reference-";

export function recall(key: string): string | undefined {
  try {
    return localStorage.getItem(prefix + key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** @param value undefined forgets it. */
export function remember(key: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(prefix + key);
    else localStorage.setItem(prefix + key, value);
  } catch {
    // The choice then holds for this page.
  }
}
