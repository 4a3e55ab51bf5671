/** Builds multipart bodies from files (RFC 7578). */
import type { FileLimits } from "./operation.ts";
import type { FileUpload } from "./types.ts";

/** A file that is in memory, so that every attempt can send it. */
interface ReadyFile {
  name: string;
  file: Blob;
}

/** The parts of a multipart body in the order of sending. */
export type ReadyParts = readonly { part: string; value: string | ReadyFile }[];

/**
 * Reads the files of a multipart body into memory. Absent parts are left out, an array becomes one part for each of its
 * files, and streams are read to their end.
 *
 * @param parts names of the parts in the order of the contract.
 * @throws what a stream throws while it is read.
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

/** Builds the form data of one attempt. */
export function toFormData(parts: ReadyParts): FormData {
  const form = new FormData();
  for (const { part, value } of parts) {
    if (typeof value === "string") form.append(part, value);
    else form.append(part, value.file, value.name);
  }
  return form;
}

/**
 * Checks the form of a multipart body.
 *
 * @param parts names of the parts that the contract knows.
 * @returns the reason why the body cannot be sent, undefined when it can.
 */
export function findUnusablePart(body: unknown, parts: readonly string[]): string | undefined {
  if (typeof body !== "object" || body === null) return "The body must be an object of files.";
  for (const [name, value] of Object.entries(body)) {
    if (!parts.includes(name)) return `There is no part "${name}". Parts: ${parts.join(", ")}.`;
    const unusable = [value].flat().some((file) => file !== undefined && typeof file !== "string" && !isFile(file));
    if (unusable) return `The part "${name}" must be a File, a Blob, or { data, name, type }.`;
  }
  return undefined;
}

/**
 * Checks the number and the size of files against the limits of the contract.
 *
 * @returns the first exceeded limit, undefined when none is exceeded.
 */
export function findExcess(ready: ReadyParts, limits: Readonly<Record<string, FileLimits>>): string | undefined {
  for (const [part, { maxFiles, maxBytes }] of Object.entries(limits)) {
    const values = ready.filter((entry) => entry.part === part).map(({ value }) => value);
    if (maxFiles !== undefined && values.length > maxFiles)
      return `The part "${part}" accepts at most ${maxFiles} files.`;
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
