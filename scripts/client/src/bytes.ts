/** Decodes received bytes. */

/** A decoded body. */
export interface Text {
  readonly text: string;
  /** Whether the bytes are valid UTF-8. If not, invalid ones are U+FFFD in the text, so that different bodies can have equal texts. */
  readonly isUtf8: boolean;
}

/** Decodes UTF-8 from chunks and drops a byte order mark. Never throws. */
export function decode(chunks: readonly Uint8Array[]): Text {
  const read = (decoder: TextDecoder) =>
    chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("") + decoder.decode();
  try {
    return { text: read(new TextDecoder("utf-8", { fatal: true })), isUtf8: true };
  } catch {
    return { text: read(new TextDecoder()), isUtf8: false };
  }
}
