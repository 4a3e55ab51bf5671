export interface RawResponse {
  readonly status: number;
  /** Without its parameters, in lower case (RFC 9110, section 8.3.1); empty without a `content-type`. */
  readonly mediaType: string;
  /** The body, or the part of it that arrived. */
  readonly text: string;
  readonly headers: Headers;
}

export function toRawResponse({ status, headers }: Pick<Response, "status" | "headers">, text: string): RawResponse {
  const mediaType = (headers.get("content-type") ?? "").replace(/\s*;.*/s, "").toLowerCase();
  return { status, headers, mediaType, text };
}
