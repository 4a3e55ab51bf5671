/** The generated operation table has these types. */

/** The editions of the contract; the first is the default. */
export const editions = ["latest", "test"] as const;

/** `latest`, or `test`, which has the proposed operations as well. */
export type Edition = (typeof editions)[number];

/** A row of the generated table. Each row is a constant, so that bundlers leave out unused operations. */
export interface Operation {
  readonly id: string;
  readonly method: "GET" | "PUT" | "POST" | "DELETE" | "PATCH";
  readonly path: string;
  /** The edition that has the operation; undefined for all editions. */
  readonly edition?: Edition;
  /** The call goes to `depositBaseUrl`. */
  readonly deposit?: true;
  readonly query?: true;
  readonly json?: true;
  readonly upload?: UploadRules;
  /** By name of the path parameter. */
  readonly patterns?: Readonly<Record<string, RegExp>>;
  /** Names of the amounts in the query and at the top level of the body. */
  readonly amounts?: readonly string[];
  /** Top-level members of the body that change the meaning of the call if they are missing: without a payer, the partner pays. */
  readonly explicit?: readonly string[];
  /** The media type of a success response. Default: `application/json`. */
  readonly accept?: string;
  /** The documented responses: for each status its P-codes, or an empty list for a response without a P-code. */
  readonly responses: Readonly<Record<number, readonly string[]>>;
  /** Statuses whose list of P-codes is incomplete. */
  readonly open?: readonly number[];
  /**
   * The fields that each success without a P-code must have, by status: required fields and the identifier of the created resource. If the
   * operation is not safe, a field that is not a string is followed by its types, separated by spaces: `"rate number"`.
   */
  readonly required?: Readonly<Record<number, readonly string[]>>;
  /** Whether the body of a success is a JSON array. */
  readonly list?: true;
  /** Whether every success has only a `message`. */
  readonly message?: true;
  /** Whether a call changes nothing (RFC 9110, section 9.2.1), and can therefore be retried. */
  readonly safe?: true;
}

/** By operationId. */
export type OperationTable = Readonly<Record<string, Operation>>;

interface FileLimits {
  readonly maxFiles?: number;
  /** The limit holds for each file. */
  readonly maxBytes?: number;
}

export interface UploadRules {
  /** Names of the parts, in sending order. */
  readonly parts: readonly string[];
  readonly limits?: Readonly<Record<string, FileLimits>>;
}

/** The type of a member that must be left out. No value has this type; unlike `never`, it also rejects `string | undefined`. */
export type Absent = string & { readonly "~absent": never };

export function isInEdition(edition: Edition, { edition: requiredEdition = edition }: Operation): boolean {
  return edition === requiredEdition;
}

export function findOperation(table: OperationTable, operationId: string): Operation {
  const operation = Object.hasOwn(table, operationId) ? table[operationId] : undefined;
  if (operation === undefined) throw new TypeError(`There is no operation "${operationId}".`);
  return operation;
}
