/**
 * Reads a body into `chunks` until the body ends or exceeds `maxBytes`. After an error, `chunks` contains the part that arrived before.
 *
 * @returns whether the body ended within the limit. If not, the caller must cancel the rest or leave it unread.
 * @throws {TypeError} when a chunk is not bytes. Errors of the stream are thrown too.
 */
export async function readChunks(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  chunks: Uint8Array[],
  maxBytes: number,
): Promise<boolean> {
  let size = 0;
  for (let result = await reader.read(); !result.done; result = await reader.read()) {
    if (!ArrayBuffer.isView(result.value)) throw new TypeError("The body is not made of bytes.");
    size += result.value.byteLength;
    if (size > maxBytes) return false;
    chunks.push(result.value);
  }
  return true;
}
