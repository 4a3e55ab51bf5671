/** Builds multipart bodies from files (RFC 7578). */
import {
  checkSize,
  checkText,
  damaged,
  ignore,
  isBytes,
  isStream,
  type PreparedFile,
  readStreams,
  toInvalid,
} from "./file-content.ts";
import { InvalidRequest } from "./invalid-request.ts";

/** Limits of the files in a multipart part. */
export interface FileLimits {
  readonly maxFiles?: number;
  /** Maximum size of each file. */
  readonly maxBytes?: number;
}

/** What the contract says about the multipart body of an operation. */
export interface UploadRules {
  /** Names of the parts, in the order of sending. Each of them takes files. */
  readonly parts: readonly string[];
  /** Limits of the files, by the name of the part. */
  readonly limits?: Readonly<Record<string, FileLimits>>;
}

/** A multipart body that what the caller changes later does not change. */
export interface PreparedUpload {
  /** The body with `{ name }` instead of each file, for redaction. `{}` stands for a file without a name. */
  readonly names: Readonly<Record<string, unknown>>;
  /**
   * Reads the streams of the body into memory, one after the other, so that every attempt can send them. When this fails,
   * all streams are cancelled.
   *
   * @param signal ends the reading.
   * @returns a function that makes the form data of one attempt.
   * @throws {InvalidRequest} when a stream fails, is empty, does not consist of bytes, or exceeds the limit; nothing is
   * read after the chunk that exceeds it. The reason of the signal, when it aborts.
   */
  read(signal: AbortSignal | undefined): Promise<() => FormData>;
}

const extensions = new Map([
  ["image/jpeg", ".jpg"],
  ["image/png", ".png"],
  ["application/pdf", ".pdf"],
]);

/**
 * Checks a multipart body and copies its names, media types and bytes. Streams and `Blob`s, which cannot change, are
 * kept by reference. Absent files are left out.
 *
 * @param body an object with one file or an array of files for each part: a `File`, a `Blob`, or `{ data, name, type }`.
 * @throws {InvalidRequest} when it is malformed, has no file, or exceeds a limit. No stream is read or cancelled then.
 */
export function prepareUpload(body: unknown, rules: UploadRules): PreparedUpload {
  try {
    return prepareFiles(body, rules);
  } catch (cause) {
    throw toInvalid("The body cannot be read.", cause);
  }
}

function prepareFiles(body: unknown, { parts, limits = {} }: UploadRules): PreparedUpload {
  if (typeof body !== "object" || body === null) throw new InvalidRequest("The body must be an object of files.");
  const known = `Parts: ${parts.join(", ")}.`;
  const unknown = Object.keys(body).find((name) => !parts.includes(name));
  if (unknown !== undefined) throw new InvalidRequest(`There is no part "${unknown}". ${known}`);
  const names: Record<string, unknown> = {};
  const files = parts.flatMap((part) => {
    const value = (body as Record<string, unknown>)[part];
    const { maxFiles = Infinity, maxBytes = Infinity } = limits[part] ?? {};
    const isList = Array.isArray(value);
    const given: unknown[] = isList ? [...value] : [value];
    const count = given.filter((file) => file !== undefined).length;
    if (count > maxFiles) throw new InvalidRequest(`The part "${part}" accepts at most ${maxFiles} files.`);
    const prepared = given.flatMap((file, index) => {
      const place = isList ? `/${part}/${index}` : `/${part}`;
      return file === undefined ? [] : [prepareFile(file, { part, place, maxBytes })];
    });
    const named = prepared.map(({ name }) => (name === "" ? {} : { name }));
    if (named.length > 0) names[part] = isList ? named : named[0];
    return prepared;
  });
  if (files.length === 0) throw new InvalidRequest(`The body has no file. ${known}`);
  return {
    names,
    read: async (signal) => {
      await readStreams(files, signal);
      return () => toFormData(files);
    },
  };
}

function prepareFile(value: unknown, about: Pick<PreparedFile, "part" | "place" | "maxBytes">): PreparedFile {
  const { place } = about;
  try {
    if (value instanceof Blob) {
      const { name, type, size } = value as File;
      checkSize(size, about);
      return { ...about, name: typeof name === "string" ? name : "", type, content: value };
    }
    const { data, name, type } = Object(value) as Record<string, unknown>;
    if (typeof name === "string" && typeof type === "string") {
      if (isBytes(data)) {
        checkText(data, place);
        const content = new Blob([data], { type });
        checkSize(content.size, about);
        return { ...about, name, type, content };
      }
      if (isStream(data)) {
        if (data.readableEncoding) throw damaged(place);
        // A stream of Node that fails before its turn would end the process.
        data.on?.("error", ignore);
        return { ...about, name, type, stream: data };
      }
    }
    const isPromise = [value, data].some((item) => typeof Object(item).then === "function");
    const advice = isPromise ? " Await the promise first." : "";
    throw new InvalidRequest(
      `${place} must be a File, a Blob, or { data, name, type } with bytes or a stream.${advice}`,
    );
  } catch (cause) {
    throw toInvalid(`${place} cannot be read.`, cause);
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
