/** Limits of the files in a multipart part. */
export interface FileLimits {
  readonly maxFiles?: number;
  /** Size of one file. */
  readonly maxBytes?: number;
}

/** What the runtime knows of an operation. The table of a generated client holds one entry per operationId. */
export interface Operation {
  readonly method: "GET" | "PUT" | "POST" | "DELETE" | "PATCH";
  /** Path template, for example `/v1/user/{externalUserId}`. */
  readonly path: string;
  /** Which of the two addresses the operation is reached under. */
  readonly address: "main" | "deposit";
  /** The form of the request body; absent when there is none. */
  readonly body?: "json" | "multipart";
  /** Names of the multipart parts, in the order of the contract. */
  readonly parts?: readonly string[];
  /** What is stated of the number and the size of the files in a part. */
  readonly limits?: Readonly<Record<string, FileLimits>>;
  /** The media type of a success answer. */
  readonly accept: string;
  /** Documented answers: for each status the P-codes it can carry, an empty list for an answer without a code. */
  readonly answers: Readonly<Record<number, readonly string[]>>;
  /** Whether repeating the call changes nothing. */
  readonly safe: boolean;
}

export type OperationTable = Readonly<Record<string, Operation>>;

/** Everything that a client is made from, besides its options. */
export interface ClientContract {
  readonly operations: OperationTable;
  readonly catalogue: ErrorCatalogue;
  /** Names of the properties and parameters that must never reach a log. */
  readonly sensitiveNames: readonly string[];
}

/** What the catalogue of the contract says of a P-code. */
export interface ErrorCodeEntry {
  readonly meaning: string;
  /** Whether a repetition helps: `never`, `after-change` of the request or the user, `later`, or `unknown`. */
  readonly retry: "none" | "never" | "after-change" | "later" | "unknown";
  /** What to do about it. */
  readonly resolution: string;
  /** Where the reference docs tell of it, relative to the address that they are published under. */
  readonly docs: string;
}

export type ErrorCatalogue = Readonly<Record<string, ErrorCodeEntry>>;
