/** A rule of the contract that does not hold, and its position in the body. */
export interface Violation {
  /**
   * JSON pointer (RFC 6901) into the body; empty for the whole body. `*` stands for a name that the contract does not
   * list and that may be data, such as the key of a map.
   */
  readonly pointer: string;
  /**
   * The rule that does not hold: a keyword of JSON Schema (`type`, `required`, `enum`, `const`, `pattern`, `format`, `minimum` …), or one
   * of these:
   *
   * - `unlisted-field`, `unlisted-value`: a field, or a value of an `x-open-enum`, that the contract does not list;
   * - `unlisted-member`: a member of the body of a call that the contract does not list; the call is sent with it;
   * - `status`: a status that the contract does not document for the operation;
   * - `media-type`, `body`: a response of another media type, or without a readable body;
   * - `error-code`: a P-code that the contract does not document for the operation and status, if its list of codes is complete; or a
   *   success without the P-code that the contract documents for it;
   * - `path`: a webhook call on a path that no webhook has;
   * - `encoding`: a body that is not valid UTF-8: invalid bytes become U+FFFD in the data, and a repeated delivery of a webhook is not
   *   recognised.
   */
  readonly rule: string;
  /** Id of the open question that covers this position, if there is one. */
  readonly question?: string;
}

/** A violation, and the response, the webhook call or the body of a call that has it. */
export interface Deviation extends Violation {
  /** The operation that was called; absent for a webhook. */
  readonly operationId?: string;
  /** The webhook; absent for a call of the client, and for a webhook call on an unknown path. */
  readonly webhook?: string;
  /** HTTP status of the response; absent for a webhook and for the body of a call. */
  readonly status?: number;
}

/** Called with each deviation. Errors of this function are ignored. */
export type OnDeviation = (deviation: Deviation) => unknown;
