/** Reads the body of a request, and no more of it than the mock accepts. */
import type { IncomingMessage } from "node:http";
import { bodyLimit, type ReceivedBody, textLimit } from "./body.ts";

const none: ReceivedBody = { bytes: Buffer.alloc(0), tooLarge: false };
const refused: ReceivedBody = { bytes: none.bytes, tooLarge: true };

/**
 * Reads a body. Nothing of one that is too large is kept, and its end is not waited for.
 *
 * @param patience milliseconds without a byte after which the body counts as lost.
 * @param done is called once: with the body, or with undefined when it was lost. It is not called when the client
 * disconnects before.
 */
export function receiveBody(
  request: IncomingMessage,
  patience: number,
  done: (body: ReceivedBody | undefined) => void,
): void {
  const limit = limitOf(request);
  const length = declaredLength(request);
  if (length === 0 || length > limit) {
    done(length === 0 ? none : refused);
    return;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  const settle = (body: ReceivedBody | undefined): void => {
    stop();
    done(body);
  };
  const onData = (chunk: Buffer): void => {
    size += chunk.length;
    if (size > limit) settle(refused);
    else {
      chunks.push(chunk);
      timer.refresh();
    }
  };
  const onEnd = (): void => {
    const [first = none.bytes] = chunks;
    settle({ bytes: chunks.length > 1 ? Buffer.concat(chunks, size) : first, tooLarge: false });
  };
  const stop = (): void => {
    clearTimeout(timer);
    request.off("data", onData).off("end", onEnd).off("close", stop);
  };
  const timer = setTimeout(() => settle(undefined), patience);
  request.on("data", onData).on("end", onEnd).on("close", stop);
}

/** Whether a body is larger than the mock accepts, as far as its headers tell. */
export function isDeclaredTooLarge(request: IncomingMessage): boolean {
  return declaredLength(request) > limitOf(request);
}

/** The length in bytes that the headers tell; NaN for chunks. */
function declaredLength({ headers }: IncomingMessage): number {
  return headers["transfer-encoding"] === undefined ? Number(headers["content-length"] ?? 0) : Number.NaN;
}

function limitOf({ headers }: IncomingMessage): number {
  return /^\s*multipart\//i.test(headers["content-type"] ?? "") ? bodyLimit : textLimit;
}
