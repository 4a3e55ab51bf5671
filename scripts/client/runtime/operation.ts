/** What the generated tables tell the client about the contract. */

import type { AnswerCheck } from "./answers.ts";

/** Limits of the files in a multipart part. */
export interface FileLimits {
  readonly maxFiles?: number;
  /** Maximum size of each file. */
  readonly maxBytes?: number;
}

/** An operation. The table of a generated client has one entry for each operationId. */
export interface Operation {
  readonly method: "GET" | "PUT" | "POST" | "DELETE" | "PATCH";
  /** Path template, for example `/v1/user/{externalUserId}`. */
  readonly path: string;
  /** The base address that the operation is sent to. */
  readonly address: "main" | "deposit";
  /** The media type of the request body; absent when there is no body. */
  readonly body?: "json" | "multipart";
  /** Names of the multipart parts, in the order of the contract. */
  readonly parts?: readonly string[];
  /** Limits of the files, by the name of the part. */
  readonly limits?: Readonly<Record<string, FileLimits>>;
  /** The media type of a success response. */
  readonly accept: string;
  /** The documented responses: the P-codes of each status, none for a response without a P-code or whose P-codes nobody has shown. */
  readonly answers: Readonly<Record<number, readonly string[]>>;
  /** The statuses whose P-codes nobody has shown: any code may come with them. */
  readonly anyCode?: readonly number[];
  /** Whether a success carries nothing but `{ message }`. */
  readonly message?: true;
  /** Whether the operation is safe (RFC 9110, section 9.2.1). */
  readonly safe: boolean;
}

export type OperationTable = Readonly<Record<string, Operation>>;

/** What a client is created from, besides its options. */
export interface ClientContract {
  readonly operations: OperationTable;
  readonly catalogue: ErrorCatalogue;
  /** Names of the properties and parameters whose values must not be logged. */
  readonly sensitiveNames: readonly string[];
  /** Loads the schemas of the responses, for a client that reports deviations. */
  readonly answers: () => Promise<{ readonly checkAnswer: AnswerCheck }>;
}

/** A P-code in the catalogue of the contract. */
export interface ErrorCodeEntry {
  readonly meaning: string;
  /**
   * Whether repeating the call can succeed: `never`, `after-change` of the request or the user, `later`, or `unknown`;
   * `none` for a P-code that is not a failure.
   */
  readonly retry: "none" | "never" | "after-change" | "later" | "unknown";
  /** Recommended action. */
  readonly resolution: string;
  /** Location in the reference documentation, relative to the URL of the documentation. */
  readonly docs: string;
}

export type ErrorCatalogue = Readonly<Record<string, ErrorCodeEntry>>;
