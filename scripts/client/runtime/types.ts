/** Derives the types of a call from the generated type of its operation. */
import type { Client } from "openapi-fetch";
import type { ErrorKind, PartnerApiError } from "./errors.ts";

/** Represents every value that the contract does not list: a string that never equals a listed value. */
declare enum Unlisted {
  value = "(a value that is not listed)",
}
export type UnlistedValue = Unlisted;

/** Represents every success status that the contract does not document: a number that never equals a documented one. */
declare enum UndocumentedStatus {
  status = -1,
}
export type UnlistedStatus = UndocumentedStatus;

/** A file to upload: a `File`, a `Blob`, or bytes or a stream with a file name and a media type. */
export type FileUpload =
  | Blob
  | { readonly data: BlobPart | AsyncIterable<BlobPart>; readonly name: string; readonly type: string };

/** Options of every call. */
export interface CommonOptions {
  /** Headers to send with this call. */
  headers?: Record<string, string>;
  /** Aborts the call. */
  signal?: AbortSignal;
  /** Timeout in milliseconds, including all attempts. */
  timeoutMs?: number;
  /** Maximum number of retries. Given here, it also applies to operations that are not safe. */
  retries?: number;
}

type ParametersIn<Op, Place extends string> = Op extends { parameters: infer Parameters }
  ? Place extends keyof Parameters
    ? NonNullable<Parameters[Place]>
    : never
  : never;

type Option<Name extends string, Value> = [Value] extends [never]
  ? unknown
  : Record<never, never> extends Value
    ? { [Key in Name]?: Value }
    : { [Key in Name]: Value };

type RequestBodyOf<Op> = Op extends { requestBody: { content: infer Content } } ? Content[keyof Content] : never;

/** The options of a call: the common ones, and `path`, `query` and `body` if the operation has them. */
export type CallOptions<Op> = CommonOptions &
  Option<"path", ParametersIn<Op, "path">> &
  Option<"query", ParametersIn<Op, "query">> &
  ([RequestBodyOf<Op>] extends [never] ? unknown : { body: RequestBodyOf<Op> });

type Responses<Op> = Op extends { responses: infer All } ? All : never;
type BodyOf<Response> = Response extends { content: infer Content } ? Content[keyof Content] : undefined;
type SuccessStatus = 200 | 201 | 202 | 204;

/** The data of a success response of the operation. */
export type CallData<Op> = BodyOf<Responses<Op>[keyof Responses<Op> & SuccessStatus]>;

/** A P-code that the contract documents for the operation and status. */
interface CodeError<Status extends number, Code extends string> extends PartnerApiError {
  readonly kind: "code";
  readonly documented: true;
  readonly status: Status;
  readonly errorCode: Code;
}

interface NoCodeError<Status extends number> extends PartnerApiError {
  readonly kind: "no-code";
  readonly documented: true;
  readonly status: Status;
  readonly errorCode: undefined;
}

// Not distributed over the codes, which costs the type checker less. A body with an open set of codes documents no code.
type ResponseError<Status, Answer> = Status extends SuccessStatus
  ? never
  : Status extends number
    ? Answer extends { content: { "application/json": { errorCode: infer Code extends string } } }
      ? string extends Code
        ? never
        : CodeError<Status, Code>
      : NoCodeError<Status>
    : never;

type DocumentedError<Op> = {
  [Status in keyof Responses<Op>]: ResponseError<Status, Responses<Op>[Status]>;
}[keyof Responses<Op>];

interface UnknownCodeError extends PartnerApiError {
  readonly kind: "unknown-code";
  readonly documented: false;
  readonly status: number;
  readonly errorCode: UnlistedValue;
}

interface UnexpectedAnswerError extends PartnerApiError {
  readonly kind: "unexpected-answer";
  readonly documented: false;
  readonly status: number;
  readonly errorCode: undefined;
}

interface NoAnswerError extends PartnerApiError {
  readonly kind: Exclude<ErrorKind, "code" | "no-code" | "unknown-code" | "unexpected-answer">;
  readonly documented: false;
  readonly status: undefined;
  readonly errorCode: undefined;
}

type OtherError = UnknownCodeError | UnexpectedAnswerError | NoAnswerError;

/**
 * The error of a failed call. `errorCode` narrows to the P-codes of the catalogue; those of the operation are the ones
 * with `documented: true`.
 *
 * @typeParam Undocumented the generated type of a P-code that the operation is not known to answer.
 */
export type CallError<Op, Undocumented> = DocumentedError<Op> | Undocumented | OtherError;

/** The P-codes of the failures that the contract documents for the operation. */
export type ErrorCodeOf<Op> = Extract<DocumentedError<Op>, { kind: "code" }>["errorCode"];

/**
 * The result of a call: either `data` or `error`. `status` distinguishes between several success responses. A success
 * with a status that the contract does not document is read as well: `response.status` has the number.
 *
 * @typeParam Undocumented the generated type of a P-code that the operation is not known to answer.
 */
export type CallResult<Op, Undocumented> =
  | {
      [Status in keyof Responses<Op> & SuccessStatus]: {
        readonly data: BodyOf<Responses<Op>[Status]>;
        readonly error: undefined;
        readonly response: Response;
        readonly status: Status | UnlistedStatus;
      };
    }[keyof Responses<Op> & SuccessStatus]
  | {
      readonly data: undefined;
      readonly error: CallError<Op, Undocumented>;
      /** The response, undefined when none was received. */
      readonly response: Response | undefined;
      readonly status: number | undefined;
    };

/** The openapi-fetch client underneath. */
export type RawClient<Paths extends object> = Client<Paths>;

/** Describes what a call would send, without sensitive values. */
export interface Explanation {
  operationId: string;
  method: string;
  url: string;
  /** The call as a curl command, with placeholders for the API key and for sensitive values. */
  curl: string;
  /** The documented responses: the P-codes of each status, none for a response without a P-code or whose P-codes nobody has shown. */
  answers: Readonly<Record<number, readonly string[]>>;
}

/** What every client has besides one function for each operation. */
export interface ClientTools<Operations, Paths extends object> {
  /**
   * Describes what a call would send, as a curl command without sensitive values, and which responses are documented.
   *
   * @throws {TypeError} when there is no such operation, or a path parameter cannot be sent.
   */
  explain<Name extends keyof Operations>(
    operationId: Name,
    options?: Omit<CallOptions<Operations[Name]>, keyof CommonOptions>,
  ): Explanation;

  /** The underlying openapi-fetch client, for requests that the functions do not cover. */
  readonly raw: RawClient<Paths>;
}
