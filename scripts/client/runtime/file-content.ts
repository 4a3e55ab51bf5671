/** Checks and reads the content of the files of an upload. */
import { InvalidRequest } from "./invalid-request.ts";

/** The members of Web streams, Node's streams and async iterables that are used. */
export interface Stream extends Partial<AsyncIterable<unknown>> {
  getReader?(): ReadableStreamDefaultReader<unknown>;
  cancel?(): Promise<void>;
  destroy?(): unknown;
  on?(event: "error", listener: () => void): unknown;
  readonly readableEncoding?: string | null;
}

/** A file of an upload. */
export interface PreparedFile {
  readonly part: string;
  /** JSON Pointer of the file in the body. */
  readonly place: string;
  /** Name of the file, empty if the caller gave none. */
  readonly name: string;
  readonly type: string;
  readonly maxBytes: number;
  readonly stream?: Stream;
  /** The iterator of the stream, once its reading began. */
  source?: AsyncIterator<unknown>;
  /** The content; of a stream, only after it was read. */
  content?: Blob;
}

/** After so many milliseconds without a pause, a stream that never waits would keep the timeout from expiring. */
const longestTurnMs = 20;

export const ignore = (): void => {};

/**
 * Reads the streams among the files into memory, one after the other, and cancels all of them when one cannot be read.
 *
 * @param files get the content of their streams.
 * @throws {InvalidRequest} when a stream fails, is empty, does not consist of bytes, or exceeds its limit; the reason of
 * the signal when it aborts.
 */
export async function readStreams(files: readonly PreparedFile[], signal: AbortSignal | undefined): Promise<void> {
  let isEnded = false;
  const readAll = async () => {
    for (const file of files) {
      if (file.stream && !isEnded) file.content = await readStream(file, file.stream, () => isEnded);
    }
  };
  let abort = ignore;
  // A stream may never settle, whatever it is asked.
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal?.reason);
  });
  signal?.addEventListener("abort", abort);
  try {
    signal?.throwIfAborted();
    await Promise.race([aborted, readAll()]);
  } catch (cause) {
    isEnded = true;
    for (const file of files) cancel(file).catch(ignore);
    throw cause;
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

async function readStream(file: PreparedFile, stream: Stream, isEnded: () => boolean): Promise<Blob> {
  const { place, type } = file;
  let bytes = new Uint8Array(2 ** 16);
  let size = 0;
  let pausedAt = Date.now();
  try {
    const source = open(stream);
    file.source = source;
    while (!isEnded()) {
      const { done, value } = await source.next();
      if (done) break;
      const chunk = await readChunk(value, place);
      checkSize(size + chunk.length, file);
      if (size + chunk.length > bytes.length) {
        const smaller = bytes;
        bytes = new Uint8Array(Math.max(size + chunk.length, 2 * size));
        bytes.set(smaller);
      }
      // Copied, because a stream may fill the same buffer again.
      bytes.set(chunk, size);
      size += chunk.length;
      if (Date.now() - pausedAt > longestTurnMs) {
        await new Promise((resolve) => setTimeout(resolve));
        pausedAt = Date.now();
      }
    }
  } catch (cause) {
    throw toInvalid(`${place} could not be read.`, cause);
  }
  // What was read before is empty now, and would be sent as an empty file.
  if (size === 0) throw new InvalidRequest(`${place} is empty. A stream can be read once: open it for each call.`);
  return new Blob([bytes.subarray(0, size)], { type });
}

/** The chunks of a stream. A `ReadableStream` is read by its reader: Safari's is not iterable, and a reader can cancel. */
function open(stream: Stream): AsyncIterator<unknown> {
  if (stream.getReader === undefined) return (stream as AsyncIterable<unknown>)[Symbol.asyncIterator]();
  const reader = stream.getReader();
  return { next: () => reader.read() as Promise<IteratorResult<unknown>>, return: () => reader.cancel() as never };
}

async function readChunk(chunk: unknown, place: string): Promise<Uint8Array> {
  if (!isBytes(chunk)) throw new InvalidRequest(`${place} gave a chunk that is no bytes.`);
  checkText(chunk, place);
  if (typeof chunk === "string") return new TextEncoder().encode(chunk);
  if (chunk instanceof Blob) return new Uint8Array(await chunk.arrayBuffer());
  return ArrayBuffer.isView(chunk)
    ? new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    : new Uint8Array(chunk);
}

/** Ends a stream, also one that was not opened. Nobody waits for it: it may never settle. */
async function cancel({ stream, source }: PreparedFile): Promise<void> {
  // Node's iterator returns only after a pending read.
  stream?.destroy?.();
  await (source ? source.return?.() : stream?.cancel?.());
}

/** Says that something of the caller failed, unless it is said already. */
export function toInvalid(problem: string, cause: unknown): InvalidRequest {
  return cause instanceof InvalidRequest ? cause : new InvalidRequest(problem, { cause });
}

/** Whether a Blob takes it as bytes. It would make a text such as "[object Object]" of everything else. */
export function isBytes(value: unknown): value is BlobPart {
  if (typeof value === "string" || value instanceof Blob || ArrayBuffer.isView(value)) return true;
  // A buffer of another realm is no instance of ArrayBuffer.
  return /ArrayBuffer]$/.test(Object.prototype.toString.call(value));
}

/** Whether it is a `ReadableStream`, a stream of Node or another async iterable. */
export function isStream(value: unknown): value is Stream {
  const { getReader, [Symbol.asyncIterator]: iterate } = Object(value) as Stream;
  return typeof (getReader ?? iterate) === "function";
}

/** Refuses the text of a decoded file: what is no UTF-8 is lost. A data URL is no file either. */
export function checkText(data: BlobPart, place: string): void {
  if (typeof data === "string" && /^data:|\uFFFD/.test(data)) throw damaged(place);
}

export function damaged(place: string): InvalidRequest {
  return new InvalidRequest(`${place} was read as text, which damages a file. Read it as bytes, without an encoding.`);
}

export function checkSize(size: number, { place, maxBytes }: Pick<PreparedFile, "place" | "maxBytes">): void {
  if (size > maxBytes) throw new InvalidRequest(`${place} is larger than ${maxBytes} bytes.`);
}
