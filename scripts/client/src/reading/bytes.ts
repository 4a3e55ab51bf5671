export interface DecodedText {
  readonly text: string;
  /** Whether all bytes are valid UTF-8. Invalid bytes become U+FFFD in the text, so different bodies can have equal texts. */
  readonly isUtf8: boolean;
}

export function decode(chunks: readonly Uint8Array[]): DecodedText {
  // Most bodies are one chunk, which is decoded several times faster without `stream`.
  const decodeWith = (decoder: TextDecoder) =>
    chunks.map((chunk, index) => decoder.decode(chunk, { stream: index + 1 < chunks.length })).join("");
  try {
    return { text: decodeWith(new TextDecoder("utf-8", { fatal: true })), isUtf8: true };
  } catch {
    return { text: decodeWith(new TextDecoder()), isUtf8: false };
  }
}

export async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}

export async function hexDigest(text: string): Promise<string> {
  return Array.from(await digest(text), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
