/** What the generated files tell the client about the contract. */

import type { AnswerCheck } from "./answers.ts";
import type { toJsonBody, toQuery } from "./serialize.ts";
import type { prepareUpload, UploadRules } from "./upload.ts";

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
  /** Set for a proposed operation: the only edition that has it. */
  readonly edition?: Edition;
  /** Whether the operation is sent to the address of the crypto deposit details. */
  readonly deposit?: true;
  /** Writes the query. This and the next two stand here so that only programs which need them carry their code. */
  readonly query?: typeof toQuery;
  /** Writes the JSON body. */
  readonly body?: typeof toJsonBody;
  /** How the operation uploads files; absent when its body is no multipart body. */
  readonly upload?: Upload;
  /** Names of the amounts in the query and at the top level of the body. */
  readonly amounts?: readonly string[];
  /** The media type of a success response. Default: `application/json`. */
  readonly accept?: string;
  /**
   * The documented responses: the known P-codes of each status with their entries in the catalogue; none for a response
   * without a P-code.
   */
  readonly answers: Readonly<Record<number, ErrorCatalogue>>;
  /** The statuses whose list of P-codes is not stated: any other code may come with them. */
  readonly open?: readonly number[];
  /** What each success without a P-code must hold: the required fields, and the identifier of what was created. */
  readonly holds?: Readonly<Record<number, readonly string[]>>;
  /** Whether a success is a list. */
  readonly list?: true;
  /** Whether a success carries nothing but `{ message }`. */
  readonly message?: true;
  /** Whether the operation is safe (RFC 9110, section 9.2.1). */
  readonly safe?: true;
}

/** The multipart body of an operation. */
export interface Upload extends UploadRules {
  readonly prepare: typeof prepareUpload;
}

/** Every operation by its operationId. */
export type OperationTable = Readonly<Record<string, Operation>>;

/** What every client is created from, besides its options. */
export interface ClientContract {
  /** Loads every P-code, for one that the contract does not document for the operation. */
  readonly catalogue: () => Promise<ErrorCatalogue>;
  /** Names of the properties and parameters whose values must not be logged. */
  readonly sensitiveNames: readonly string[];
  /** What the client calls itself in `user-agent`. */
  readonly userAgent: string;
  /** The folder of the reference documentation that has a page for each P-code, named after it. */
  readonly docs: string;
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
}

export type ErrorCatalogue = Readonly<Record<string, ErrorCodeEntry>>;
