/** The multipart body follows RFC 7578. */
import type { UploadRules } from "../base/operation.ts";
import type { PreparedUpload } from "./types.ts";

/**
 * The error of an upload that cannot be sent. It is not an `InvalidRequest`, because this module is loaded with `import()` and imports no
 * module that the client has already loaded.
 */
export class InvalidFiles extends Error {}

const extensions = new Map([
  ["image/jpeg", ".jpg"],
  ["image/png", ".png"],
  ["application/pdf", ".pdf"],
]);

export async function prepareUpload(body: unknown, rules: UploadRules): Promise<PreparedUpload> {
  try {
    return prepareFiles(body, rules);
  } catch (cause) {
    throw toInvalidFiles("The body cannot be read.", cause);
  }
}

function prepareFiles(body: unknown, { parts, limits = {} }: UploadRules): PreparedUpload {
  if (typeof body !== "object" || body === null) throw new InvalidFiles("The body must be an object of files.");
  const partsHint = `Parts: ${parts.join(", ")}.`;
  const unknownPart = Object.keys(body).find((name) => !parts.includes(name));
  if (unknownPart !== undefined) throw new InvalidFiles(`There is no part "${unknownPart}". ${partsHint}`);
  const names: Record<string, unknown> = {};
  const files = parts.flatMap((part) => {
    const value = (body as Record<string, unknown>)[part];
    const { maxFiles = Infinity, maxBytes = Infinity } = limits[part] ?? {};
    const isList = Array.isArray(value);
    const values: unknown[] = isList ? [...value] : [value];
    const count = values.filter((file) => file !== undefined).length;
    if (count > maxFiles) throw new InvalidFiles(`The part "${part}" accepts at most ${maxFiles} files.`);
    const preparedFiles = values.flatMap((file, index) => {
      const pointer = isList ? `/${part}/${index}` : `/${part}`;
      return file === undefined ? [] : [prepareFile(file, { part, pointer, maxBytes })];
    });
    const fileNames = preparedFiles.map(({ name }) => (name === "" ? {} : { name }));
    names[part] = isList ? fileNames : fileNames[0];
    return preparedFiles;
  });
  // jsdom replaces FormData, but not fetch, which then sends the text "[object FormData]".
  if (/^text/.test(new Response(new FormData()).headers.get("content-type") ?? "")) {
    throw new InvalidFiles(
      "The global FormData is not the one of fetch, so no file can be sent. Run this test in the environment node, not in jsdom.",
    );
  }
  if (files.length === 0) throw new InvalidFiles(`The body has no file. ${partsHint}`);
  return {
    names,
    read: async (signal) => {
      await readStreams(files, signal);
      return () => toFormData(files);
    },
  };
}

function prepareFile(value: unknown, details: Pick<PreparedFile, "part" | "pointer" | "maxBytes">): PreparedFile {
  const { pointer } = details;
  try {
    const { data, name, type } = Object(value) as Record<string, unknown>;
    if (typeof name === "string" && typeof type === "string") {
      if (isBlobPart(data)) {
        checkText(data, pointer);
        const content = new Blob([data], { type });
        checkSize(content.size, details);
        return { ...details, name, type, content };
      }
      if (isStream(data)) {
        if (data.readableEncoding) throw damagedFileError(pointer);
        return { ...details, name, type, stream: data };
      }
    }
    const isPromise = [value, data].some((item) => typeof Object(item).then === "function");
    const advice = isPromise ? " Await the promise first." : "";
    throw new InvalidFiles(
      `${pointer} must be a File, a Blob, or { data, name, type } with bytes or a stream.${advice}`,
    );
  } catch (cause) {
    throw toInvalidFiles(`${pointer} cannot be read.`, cause);
  }
}

function toFormData(files: readonly PreparedFile[]): FormData {
  const form = new FormData();
  for (const { part, name, content } of files) {
    const blob = content as Blob;
    form.append(part, blob, name || part + (extensions.get(blob.type) ?? ""));
  }
  return form;
}

interface Stream extends Partial<AsyncIterable<unknown>> {
  getReader?(): ReadableStreamDefaultReader<unknown>;
  cancel?(): Promise<void>;
  destroy?(): unknown;
  readonly readableEncoding?: string | null;
}

interface PreparedFile {
  readonly part: string;
  /** JSON pointer of the file in the body. */
  readonly pointer: string;
  /** Empty when the file has no name. */
  readonly name: string;
  readonly type: string;
  readonly maxBytes: number;
  readonly stream?: Stream;
  source?: AsyncIterator<unknown>;
  content?: Blob;
}

/** Milliseconds of reading after which other tasks can run: a stream that never waits would block the timer of the timeout. */
const maxTurnMs = 20;

const ignore = (): void => {};

async function readStreams(files: readonly PreparedFile[], signal: AbortSignal | undefined): Promise<void> {
  let hasEnded = false;
  const readAll = async () => {
    for (const file of files) {
      if (file.stream && !hasEnded) file.content = await readStream(file, file.stream, () => hasEnded);
    }
  };
  let abort = ignore;
  // A read may never settle, even after the stream was cancelled.
  const rejectionOnAbort = new Promise<never>((_, reject) => {
    abort = () => reject(signal?.reason);
  });
  signal?.addEventListener("abort", abort);
  try {
    signal?.throwIfAborted();
    await Promise.race([rejectionOnAbort, readAll()]);
  } catch (cause) {
    hasEnded = true;
    for (const file of files) cancel(file).catch(ignore);
    throw cause;
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

async function readStream(file: PreparedFile, stream: Stream, hasEnded: () => boolean): Promise<Blob> {
  const { pointer, type } = file;
  let bytes = new Uint8Array(2 ** 16);
  let size = 0;
  let pausedAt = Date.now();
  try {
    const source = openStream(stream);
    file.source = source;
    while (!hasEnded()) {
      const { done, value } = await source.next();
      if (done) break;
      const chunk = await readChunk(value, pointer);
      if (chunk.length > 0) checkSize(size + chunk.length, file);
      if (size + chunk.length > bytes.length) {
        const previousBytes = bytes;
        bytes = new Uint8Array(Math.max(size + chunk.length, 2 * size));
        bytes.set(previousBytes);
      }
      // Copied, because a stream may reuse its buffer.
      bytes.set(chunk, size);
      size += chunk.length;
      if (Date.now() - pausedAt > maxTurnMs) {
        await new Promise((resolve) => setTimeout(resolve));
        pausedAt = Date.now();
      }
    }
  } catch (cause) {
    throw toInvalidFiles(`${pointer} could not be read.`, cause);
  }
  // A stream that was read before yields nothing, and would be sent as an empty file.
  if (size === 0) throw new InvalidFiles(`${pointer} is empty. A stream can be read once: open it for each call.`);
  return new Blob([bytes.subarray(0, size)], { type });
}

/** A `ReadableStream` is read with a reader, because not every browser can iterate it, and a reader can cancel during a read. */
function openStream(stream: Stream): AsyncIterator<unknown> {
  if (stream.getReader === undefined) return (stream as AsyncIterable<unknown>)[Symbol.asyncIterator]();
  const reader = stream.getReader();
  return { next: () => reader.read() as Promise<IteratorResult<unknown>>, return: () => reader.cancel() as never };
}

async function readChunk(chunk: unknown, pointer: string): Promise<Uint8Array> {
  if (!isBlobPart(chunk)) throw new InvalidFiles(`${pointer} gave a chunk that is no bytes.`);
  checkText(chunk, pointer);
  if (!ArrayBuffer.isView(chunk)) return new Uint8Array(await new Blob([chunk]).arrayBuffer());
  return new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}

/** Must not be awaited, because cancelling may never settle. */
async function cancel({ stream, source }: PreparedFile): Promise<void> {
  // `destroy` is called first, because `return` would wait for a pending read of a Node stream.
  stream?.destroy?.();
  await (source ? source.return?.() : stream?.cancel?.());
}

function toInvalidFiles(problem: string, cause: unknown): InvalidFiles {
  return cause instanceof InvalidFiles ? cause : new InvalidFiles(problem, { cause });
}

/** `Blob` converts any other value to a text such as "[object Object]". */
function isBlobPart(value: unknown): value is BlobPart {
  if (typeof value === "string" || value instanceof Blob || ArrayBuffer.isView(value)) return true;
  // An ArrayBuffer of another realm is not an instance of this realm's class.
  return /ArrayBuffer]$/.test(Object.prototype.toString.call(value));
}

function isStream(value: unknown): value is Stream {
  const { getReader, [Symbol.asyncIterator]: iterate } = Object(value) as Stream;
  return typeof (getReader ?? iterate) === "function";
}

/**
 * Refuses a text that was made from a file: a data URL, a PNG, JPEG or PDF in base64, or a decoded file, in which U+FFFD marks lost bytes.
 */
function checkText(data: BlobPart, pointer: string): void {
  if (typeof data !== "string") return;
  if (/^data:|\uFFFD/.test(data)) throw damagedFileError(pointer);
  // The first characters of PNG, JPEG and PDF in base64.
  if (/^\s*(?:iVBORw0K|\/9j\/|JVBERi0)/.test(data)) {
    throw new InvalidFiles(`${pointer} is base64, which is no file. Decode it: Buffer.from(text, "base64").`);
  }
}

function damagedFileError(pointer: string): InvalidFiles {
  return new InvalidFiles(`${pointer} was read as text, which damages a file. Read it as bytes, without an encoding.`);
}

function checkSize(size: number, { pointer, maxBytes }: Pick<PreparedFile, "pointer" | "maxBytes">): void {
  if (size === 0) throw new InvalidFiles(`${pointer} is empty.`);
  if (size > maxBytes) throw new InvalidFiles(`${pointer} is larger than ${maxBytes} bytes.`);
}
