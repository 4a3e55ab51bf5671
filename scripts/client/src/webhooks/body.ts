import { sharedMap } from "../base/shared-map.ts";
import { type DecodedText, decode } from "../reading/bytes.ts";
import { readChunks } from "../reading/read-chunks.ts";
import { startTimer } from "./timers.ts";

/**
 * Requests whose text can differ from the received text: a body parser parsed the text, and the parsed value was serialized again.
 * `problem`: the error of the serialization.
 */
export const reserializedRequests: WeakMap<Request, { readonly problem?: unknown }> =
  /* @__PURE__ */ sharedMap("bodies");

export type BodyErrorStatus = 400 | 408 | 413;

/**
 * Returns the text of a body, or the status with which a body that cannot be read is refused. The rest of a body above the limit is left
 * unread: cancelling it would reset the connection in many servers, and the caller could not read the response.
 */
export function readText(
  request: Request,
  maxBytes: number,
  timeoutMs: number,
): Promise<DecodedText | BodyErrorStatus> {
  return new Promise((resolve) => {
    const clear = startTimer(timeoutMs, () => resolve(408));
    readParts(request, maxBytes)
      .then(resolve, () => resolve(400))
      .finally(clear);
  });
}

async function readParts(request: Request, maxBytes: number): Promise<DecodedText | BodyErrorStatus> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) return 413;
  const reader = request.body?.getReader();
  const chunks: Uint8Array[] = [];
  if (reader === undefined || (await readChunks(reader, chunks, maxBytes))) return decode(chunks);
  reader.releaseLock();
  return 413;
}
