/** What the generated files tell the client about the contract. */

import type { Describe, textOf } from "./error-texts.ts";
import type { createRedactor, mask } from "./redaction.ts";
import type { ResponseCheck } from "./responses.ts";
import type { toJsonBody, toQuery } from "./serialize.ts";
import type { takeUpload, UploadRules } from "./upload.ts";

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
  /** The form of path parameters, by their name. */
  readonly forms?: Readonly<Record<string, RegExp>>;
  /** Names of the amounts in the query and at the top level of the body. */
  readonly amounts?: readonly string[];
  /** Members at the top level of the body whose absence has a meaning of its own: without a payer, the partner pays. */
  readonly explicit?: readonly string[];
  /** The media type of a success response. Default: `application/json`. */
  readonly accept?: string;
  /** The documented responses: the known P-codes of each status; none for a response without a P-code. */
  readonly responses: Readonly<Record<number, readonly string[]>>;
  /** The statuses whose list of P-codes is not stated: any other code may come with them. */
  readonly open?: readonly number[];
  /**
   * What each success without a P-code must hold, by its status: the required fields and the identifier of what was created, each
   * with its JSON types, separated by blanks.
   */
  readonly holds?: Readonly<Record<number, Readonly<Record<string, string>>>>;
  /** Whether a success is a list. */
  readonly list?: true;
  /** Whether a success carries nothing but `{ message }`. */
  readonly message?: true;
  /** Whether the operation is safe (RFC 9110, section 9.2.1). */
  readonly safe?: true;
}

/** The multipart body of an operation. */
export interface Upload extends UploadRules {
  readonly prepare: typeof takeUpload;
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

/** What every client is created from, besides its options. */
export interface ClientContract {
  /** Every P-code, by whether repeating the call can succeed: what a client decides by is here, and not among the texts. */
  readonly codes: Readonly<Record<Retry, readonly string[]>>;
  /** Loads what only the errors need. */
  readonly errorTexts: () => Promise<ErrorTexts>;
  /** What the client calls itself in `user-agent`. */
  readonly userAgent: string;
  /** Loads the schemas of the responses, for a client that reports deviations. */
  readonly responses: () => Promise<{ readonly checkResponse: ResponseCheck }>;
}

/**
 * Whether repeating a call can succeed after a P-code: `never`, `after-change` of the request or the user, `later`, or `unknown`;
 * `none` for a P-code that is not a failure.
 */
export type Retry = "none" | "never" | "after-change" | "later" | "unknown";

/** What is said of errors, and what keeps sensitive values out of it. */
export interface ErrorTexts {
  /** The texts of every P-code. */
  readonly catalogue: Readonly<Record<string, Advice>>;
  /** Names of the properties and parameters whose values must not be logged. */
  readonly sensitiveNames: readonly string[];
  readonly createRedactor: typeof createRedactor;
  readonly mask: typeof mask;
  readonly describe: Describe;
  readonly textOf: typeof textOf;
}

/** What the contract says of a P-code. */
export interface Advice {
  readonly meaning: string;
  /** Recommended action. */
  readonly resolution: string;
}
