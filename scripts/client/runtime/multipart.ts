/** Multipart bodies from files (RFC 7578). */
import type { FileLimits } from "./operation.js";
import type { FileUpload } from "./types.js";

/** A file whose bytes are all there, so that every attempt can send them. */
interface ReadyFile {
  name: string;
  file: Blob;
}

/** The parts of a multipart body, in the order in which they are sent. */
export type ReadyParts = readonly { part: string; value: string | ReadyFile }[];

/**
 * Reads the files of a multipart body: the parts in the order of the contract, each with its file name. Parts that are
 * absent are left out; a list makes one part of each of its files. Streams are read to their end.
 */
export async function readParts(body: Record<string, unknown>, parts: readonly string[]): Promise<ReadyParts> {
  const ready: { part: string; value: string | ReadyFile }[] = [];
  for (const part of parts) {
    for (const value of [body[part]].flat()) {
      if (typeof value === "string") ready.push({ part, value });
      else if (isFile(value)) ready.push({ part, value: await readFile(value, part) });
    }
  }
  return ready;
}

/** The form that is sent. Each attempt needs one of its own. */
export function toFormData(parts: ReadyParts): FormData {
  const form = new FormData();
  for (const { part, value } of parts) {
    if (typeof value === "string") form.append(part, value);
    else form.append(part, value.file, value.name);
  }
  return form;
}

/** Says what is wrong with a multipart body, or returns undefined when it can be sent. */
export function findUnusablePart(body: unknown, parts: readonly string[]): string | undefined {
  if (typeof body !== "object" || body === null) return "The body must be an object of files.";
  for (const [name, value] of Object.entries(body)) {
    if (!parts.includes(name)) return `There is no part "${name}". Parts: ${parts.join(", ")}.`;
    const unusable = [value].flat().some((file) => file !== undefined && typeof file !== "string" && !isFile(file));
    if (unusable) return `The part "${name}" must be a File, a Blob, or { data, name, type }.`;
  }
  return undefined;
}

/** Says which stated limit the files exceed, or returns undefined when they exceed none. */
export function findExcess(ready: ReadyParts, limits: Readonly<Record<string, FileLimits>>): string | undefined {
  for (const [part, { maxFiles, maxBytes }] of Object.entries(limits)) {
    const values = ready.filter((entry) => entry.part === part).map(({ value }) => value);
    if (maxFiles !== undefined && values.length > maxFiles) return `The part "${part}" takes up to ${maxFiles} files.`;
    const isTooLarge = values.some((value) => typeof value !== "string" && value.file.size > (maxBytes ?? Infinity));
    if (isTooLarge) return `A file of the part "${part}" is larger than ${maxBytes} bytes.`;
  }
  return undefined;
}

function isFile(value: unknown): value is FileUpload {
  return value instanceof Blob || isNamedData(value);
}

function isNamedData(value: unknown): value is Exclude<FileUpload, Blob> {
  return typeof value === "object" && value !== null && "data" in value && "name" in value && "type" in value;
}

async function readFile(value: FileUpload, part: string): Promise<ReadyFile> {
  if (value instanceof Blob) return { name: value instanceof File ? value.name : part, file: value };
  const data = isStream(value.data) ? await readStream(value.data) : [value.data];
  return { name: value.name, file: new Blob(data, { type: value.type }) };
}

function isStream(data: BlobPart | AsyncIterable<BlobPart>): data is AsyncIterable<BlobPart> {
  return typeof data === "object" && Symbol.asyncIterator in data;
}

async function readStream(stream: AsyncIterable<BlobPart>): Promise<BlobPart[]> {
  const chunks: BlobPart[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}
