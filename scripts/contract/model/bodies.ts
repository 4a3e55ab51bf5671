import type { DocumentedResponse } from "./model.ts";

/** Ignores case and parameters of the media type (RFC 9110, section 8.3.1). */
export function isJsonType(mediaType: string): boolean {
  return /^application\/json\s*(?:;|$)/i.test(mediaType);
}

export function isSuccess({ status }: DocumentedResponse): boolean {
  return status >= 200 && status < 300;
}
