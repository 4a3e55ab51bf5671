/** Decompresses bodies as `Content-Encoding` says (RFC 9110, 8.4.1). */
import { isUtf8 } from "node:buffer";
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from "node:zlib";
import { responseLimit, type UnreadResponse } from "./judge.ts";

type Decompress = (bytes: Buffer, options: { maxOutputLength: number }) => Buffer;

/** Some services send `deflate` without the header of zlib (RFC 1950), whose first byte has 8 in its low four bits. `fetch` reads both. */
const inflate: Decompress = (bytes, options) =>
  ((bytes[0] ?? 0) & 0x0f) === 8 ? inflateSync(bytes, options) : inflateRawSync(bytes, options);

const decompressors: ReadonlyMap<string, Decompress> = new Map([
  ["gzip", gunzipSync],
  ["x-gzip", gunzipSync],
  ["deflate", inflate],
  ["br", brotliDecompressSync],
]);

export function decompress(bytes: Buffer, headers: Headers): UnreadResponse["bytes"] {
  // A response without a body, such as one to HEAD, can have `Content-Encoding` too.
  if (bytes.length === 0) return bytes;
  try {
    return codingsOf(headers).reduceRight((decodedBytes, coding) => {
      const decompressBytes = decompressors.get(coding);
      if (decompressBytes === undefined) throw new Error(`The coding ${coding} is not known.`);
      return decompressBytes(decodedBytes, { maxOutputLength: responseLimit });
    }, bytes);
  } catch (error) {
    return error instanceof RangeError ? "size" : "content-encoding";
  }
}

/**
 * The bytes of a response of `fetch`, which has decompressed them unless it does not know the coding. If bytes with an unknown coding are
 * UTF-8, the service has not applied the coding, and the bytes can be judged.
 */
export function fetchedBytes(bytes: Buffer, headers: Headers): UnreadResponse["bytes"] {
  const isCompressed = codingsOf(headers).some((coding) => !decompressors.has(coding)) && !isUtf8(bytes);
  return isCompressed ? "content-encoding" : bytes;
}

/** The codings of a body without `identity`, in the order in which they were applied. */
function codingsOf(headers: Headers): string[] {
  const names = (headers.get("content-encoding") ?? "").toLowerCase().split(",");
  return names.map((name) => name.trim()).filter((name) => name !== "" && name !== "identity");
}
