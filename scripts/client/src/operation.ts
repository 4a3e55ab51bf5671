/** The types of the generated operation table. */

/** The editions of the contract; the first is the default. */
export const editions = ["latest", "test"] as const;

/** `latest`, or `test`, which has the proposed operations as well. */
export type Edition = (typeof editions)[number];

/** An operation. The generated table has one constant for each operationId, so that bundlers can leave out the others. */
export interface Operation {
  /** The operationId. */
  readonly id: string;
  readonly method: "GET" | "PUT" | "POST" | "DELETE" | "PATCH";
  /** Path template, for example `/v1/user/{externalUserId}`. */
  readonly path: string;
  /** Set for a proposed operation, which only this edition has. */
  readonly edition?: Edition;
  /** Whether the operation is sent to the address of the crypto deposit details. */
  readonly deposit?: true;
  /** Serializes the query (`toQuery`). This and the next two functions are referenced here so that bundlers drop them when unused. */
  readonly query?: (query: Record<string, unknown>, amounts: readonly string[]) => string;
  /** Serializes the JSON body (`toJsonBody`). */
  readonly body?: (body: unknown, amounts: readonly string[], explicit?: readonly string[]) => string;
  /** How the operation uploads files; absent when its body is no multipart body. */
  readonly upload?: Upload;
  /** The patterns of path parameters, by name. */
  readonly forms?: Readonly<Record<string, RegExp>>;
  /** Names of the amounts in the query and at the top level of the body. */
  readonly amounts?: readonly string[];
  /** Top-level members of the body whose absence changes the meaning: without a payer, the partner pays. */
  readonly explicit?: readonly string[];
  /** The media type of a success response. Default: `application/json`. */
  readonly accept?: string;
  /** The documented responses: the known P-codes of each status; none for a response without a P-code. */
  readonly responses: Readonly<Record<number, readonly string[]>>;
  /** Statuses whose list of P-codes is incomplete: other codes may occur. */
  readonly open?: readonly number[];
  /**
   * The fields that each success without a P-code must have, by status: required fields and the identifier of the created resource, each
   * followed by its JSON types unless it is a string, separated by spaces: `"rate number"`.
   */
  readonly holds?: Readonly<Record<number, readonly string[]>>;
  /** Whether a success response is a list. */
  readonly list?: true;
  /** Whether a success response is only `{ message }`. */
  readonly message?: true;
  /** Whether the operation is safe (RFC 9110, section 9.2.1). */
  readonly safe?: true;
}

/** The multipart body of an operation. */
export interface Upload extends UploadRules {
  /** Takes the files (`readUpload`). */
  readonly prepare: (body: unknown, rules: UploadRules) => TakenUpload;
}

/** Limits of the files in a multipart part. */
interface FileLimits {
  readonly maxFiles?: number;
  /** Maximum size of each file. */
  readonly maxBytes?: number;
}

/** What the contract says about the multipart body of an operation. */
export interface UploadRules {
  /** Names of the parts, in sending order. Every part takes files. */
  readonly parts: readonly string[];
  /** Limits of the files, by the name of the part. */
  readonly limits?: Readonly<Record<string, FileLimits>>;
}

/** A multipart body that is not affected by later changes of the caller's objects. */
export interface PreparedUpload {
  /** The body with `{ name }` instead of each file, for redaction. `{}` stands for a file without a name. */
  readonly names: Readonly<Record<string, unknown>>;
  /**
   * Reads the streams of the body into memory, one after the other, so that every attempt can send them. When this fails,
   * all streams are cancelled.
   *
   * @param signal aborts reading.
   * @returns a function that makes the form data of one attempt.
   * @throws {InvalidRequest} when a stream fails, is empty, does not consist of bytes, or exceeds the limit; nothing is
   * read after the chunk that exceeds it. The reason of the signal, when it aborts.
   */
  read(signal: AbortSignal | undefined): Promise<() => FormData>;
}

/** An upload whose names, media types and bytes the caller can no longer change. Streams and `Blob`s are kept by reference. */
export interface TakenUpload {
  /** `names` of the prepared upload, once it is loaded. */
  names: PreparedUpload["names"] | undefined;
  /**
   * Loads the code that checks files, and checks them.
   *
   * @throws {InvalidRequest} when it cannot be loaded, or the body is malformed, has no file, or exceeds a limit. No stream is read
   * or cancelled then.
   */
  load(): Promise<PreparedUpload>;
}

/** How to read the state of a resource from an operation's response. */
export interface Lifecycle {
  readonly operation: Operation;
  /** The field of the response that holds the status. */
  readonly field: string;
  /** The final values that the contract lists. */
  readonly final: readonly string[];
}

/** Whether an edition has an operation. */
export function isIn(edition: Edition, { edition: needed = edition }: Operation): boolean {
  return edition === needed;
}

/** Every operation by its operationId. */
export type OperationTable = Readonly<Record<string, Operation>>;

/**
 * The operation with this operationId.
 *
 * @throws {TypeError} when there is none.
 */
export function operationIn(table: OperationTable, operationId: string): Operation {
  const operation = Object.hasOwn(table, operationId) ? table[operationId] : undefined;
  if (operation === undefined) throw new TypeError(`There is no operation "${operationId}".`);
  return operation;
}
