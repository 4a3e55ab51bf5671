/** The types of the generated operation table. */

/** The editions of the contract; the first is the default. */
export const editions = ["latest", "test"] as const;

/** `latest`, or `test`, which has the proposed operations as well. */
export type Edition = (typeof editions)[number];

/** A row of the generated table. Each row is a constant, so that bundlers leave out unused operations. */
export interface Operation {
  readonly id: string;
  readonly method: "GET" | "PUT" | "POST" | "DELETE" | "PATCH";
  /** Path template, for example `/v1/user/{externalUserId}`. */
  readonly path: string;
  /** `test` for a proposed operation; otherwise absent. */
  readonly edition?: Edition;
  readonly deposit?: true;
  /** The function `toQuery`; absent for an operation without a query. Rows refer to functions, so that bundlers drop unused functions. */
  readonly query?: (query: Record<string, unknown>, amounts: readonly string[]) => string;
  readonly body?: (body: unknown, amounts: readonly string[], explicit?: readonly string[]) => string;
  /** Absent when the body is not multipart. */
  readonly upload?: Upload;
  /** The patterns of path parameters, by name. */
  readonly forms?: Readonly<Record<string, RegExp>>;
  /** Names of the amounts in the query and at the top level of the body. */
  readonly amounts?: readonly string[];
  /** Top-level members of the body whose absence changes the meaning: without a payer, the partner pays. */
  readonly explicit?: readonly string[];
  /** The media type of a success response. Default: `application/json`. */
  readonly accept?: string;
  /** The documented responses: for each status its P-codes, or an empty list for a response without a P-code. */
  readonly responses: Readonly<Record<number, readonly string[]>>;
  /** Statuses whose list of P-codes is incomplete. */
  readonly open?: readonly number[];
  /**
   * The fields that each success without a P-code must have, by status: required fields and the identifier of the created resource. A field
   * that is not a string is followed by its JSON types, separated by spaces: `"rate number"`.
   */
  readonly holds?: Readonly<Record<number, readonly string[]>>;
  readonly list?: true;
  readonly message?: true;
  readonly safe?: true;
}

export interface Upload extends UploadRules {
  readonly prepare: (body: unknown, rules: UploadRules) => TakenUpload;
}

interface FileLimits {
  readonly maxFiles?: number;
  /** Maximum size of each file in bytes. */
  readonly maxBytes?: number;
}

/** The rules of the contract for a multipart body. */
export interface UploadRules {
  /** The names of the parts, in sending order. Every part contains files. */
  readonly parts: readonly string[];
  /** The limits of the parts, by their names. */
  readonly limits?: Readonly<Record<string, FileLimits>>;
}

/** A multipart body that later changes of the caller's objects do not affect. */
export interface PreparedUpload {
  /** The body with `{ name }` in place of each file, for redaction; `{}` for a file without a name. */
  readonly names: Readonly<Record<string, unknown>>;
  /**
   * Reads the streams of the body into memory, one after the other, so that every attempt can send them. When this fails, all streams are
   * cancelled.
   *
   * @returns a function that makes the form data of one attempt.
   * @throws {InvalidRequest} when a stream fails, is empty, does not consist of bytes, or exceeds the limit (the rest is not read); the
   * reason of the signal, when it aborts.
   */
  read(signal: AbortSignal | undefined): Promise<() => FormData>;
}

/** An upload whose names, media types and bytes the caller can no longer change. Streams and `Blob`s are kept by reference. */
export interface TakenUpload {
  /** `names` of the prepared upload, after it was loaded. */
  names: PreparedUpload["names"] | undefined;
  /**
   * Loads the code that checks files, and checks the files.
   *
   * @throws {InvalidRequest} when the code cannot be loaded, or the body is malformed, has no file, or exceeds a limit. Then no stream is
   * read or cancelled.
   */
  load(): Promise<PreparedUpload>;
}

/** How to read the state of a resource from a response. */
export interface Lifecycle {
  readonly operation: Operation;
  /** The field that holds the status. */
  readonly field: string;
  /** The final statuses that the contract lists. */
  readonly final: readonly string[];
}

export function isIn(edition: Edition, { edition: needed = edition }: Operation): boolean {
  return edition === needed;
}

export type OperationTable = Readonly<Record<string, Operation>>;

/** @throws {TypeError} when there is no such operation. */
export function operationIn(table: OperationTable, operationId: string): Operation {
  const operation = Object.hasOwn(table, operationId) ? table[operationId] : undefined;
  if (operation === undefined) throw new TypeError(`There is no operation "${operationId}".`);
  return operation;
}
