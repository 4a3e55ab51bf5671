import type { SearchIndex } from "./find.ts";

export function siteUrl(): string {
  const url = new URL(document.documentElement.dataset.root ?? ".", location.href).href;
  return url.endsWith("/") ? url : `${url}/`;
}

/** A malformed text is returned as it is. */
export function decodeAddress(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign in a mistyped address need not begin an escape.
    return text;
  }
}

let indexPromise: Promise<SearchIndex> | undefined;

export function loadIndex(): Promise<SearchIndex> {
  indexPromise ??= fetch(`${siteUrl()}search.json`)
    .then((response) => (response.ok ? response.json() : Promise.reject(new Error(String(response.status)))))
    .catch((error: unknown) => {
      indexPromise = undefined;
      throw error;
    });
  return indexPromise;
}
