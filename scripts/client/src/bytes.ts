/** Bytes that have arrived, as text. */

/** The text of a body. */
export interface Text {
  readonly text: string;
  /** Whether the bytes are valid UTF-8. Otherwise the text has U+FFFD in place of what is not, and different bytes may have one text. */
  readonly isUtf8: boolean;
}

/** Decodes UTF-8 that arrived in parts, without a byte order mark. Never throws. */
export function decode(chunks: readonly Uint8Array[]): Text {
  const read = (decoder: TextDecoder) =>
    chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("") + decoder.decode();
  try {
    return { text: read(new TextDecoder("utf-8", { fatal: true })), isUtf8: true };
  } catch {
    return { text: read(new TextDecoder()), isUtf8: false };
  }
}
