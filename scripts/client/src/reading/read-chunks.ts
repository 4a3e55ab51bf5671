/**
 * Reads a body into `chunks` until it ends or has more than `maxBytes` bytes, so that memory stays within the limit and the part that
 * arrived before an error is kept.
 *
 * @returns whether the body ended within the limit. If not, the caller decides what becomes of the rest: cancelled, or left unread.
 * @throws {TypeError} when a chunk is not bytes; and whatever the stream fails with.
 */
export async function readChunks(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  chunks: Uint8Array[],
  maxBytes: number,
): Promise<boolean> {
  let size = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    if (!ArrayBuffer.isView(read.value)) throw new TypeError("The body is not made of bytes.");
    size += read.value.byteLength;
    if (size > maxBytes) return false;
    chunks.push(read.value);
  }
  return true;
}
