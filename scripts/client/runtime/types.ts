/** From the generated type of an operation to the types of its call. */
import type { Client } from "openapi-fetch";
import type { ErrorKind, PartnerApiError } from "./errors.js";

/** Stands for every value that the contract does not list. It is a string; it never equals a listed value. */
declare enum Unlisted {
  value = "(a value that is not listed)",
}
export type UnlistedValue = Unlisted;

/** A file to upload: a `File`, a `Blob`, or bytes or a stream with a name and a media type. */
export type FileUpload =
  | Blob
  | { readonly data: BlobPart | AsyncIterable<BlobPart>; readonly name: string; readonly type: string };

/** Options that every call takes. */
export interface CommonOptions {
  /** Headers to add to this call. */
  headers?: Record<string, string>;
  /** Aborts the call. */
  signal?: AbortSignal;
  /** Milliseconds until the call is given up, all its attempts included. */
  timeoutMs?: number;
  /** How often to repeat the call when that is safe and may help. */
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

/** What a call of the operation takes: `path`, `query` and `body` where it has them, and the common options. */
export type CallOptions<Op> = CommonOptions &
  Option<"path", ParametersIn<Op, "path">> &
  Option<"query", ParametersIn<Op, "query">> &
  ([RequestBodyOf<Op>] extends [never] ? unknown : { body: RequestBodyOf<Op> });

type Responses<Op> = Op extends { responses: infer All } ? All : never;
type BodyOf<Response> = Response extends { content: infer Content } ? Content[keyof Content] : undefined;
type SuccessStatus = 200 | 201 | 202 | 204;

/** The data of a success answer of the operation. */
export type CallData<Op> = BodyOf<Responses<Op>[keyof Responses<Op> & SuccessStatus]>;

type AnswerError<Status, Body> = Body extends { errorCode: infer Code extends string }
  ? PartnerApiError & {
      readonly kind: "code";
      readonly status: Status;
      readonly errorCode: Code;
      readonly errorMessage: string;
      readonly timestamp: string;
    }
  : PartnerApiError & { readonly kind: "no-code"; readonly status: Status; readonly errorCode: undefined };

type DocumentedError<Op> = {
  [Status in Exclude<keyof Responses<Op>, SuccessStatus>]: AnswerError<Status, BodyOf<Responses<Op>[Status]>>;
}[Exclude<keyof Responses<Op>, SuccessStatus>];

type OtherError =
  | (PartnerApiError & { readonly kind: "unknown-code"; readonly status: number; readonly errorCode: UnlistedValue })
  | (PartnerApiError & { readonly kind: "unexpected-answer"; readonly status: number; readonly errorCode: undefined })
  | (PartnerApiError & {
      readonly kind: Exclude<ErrorKind, "code" | "no-code" | "unknown-code" | "unexpected-answer">;
      readonly status: undefined;
      readonly errorCode: undefined;
    });

/** Every way in which a call of the operation can fail. `errorCode` narrows to exactly the codes of the operation. */
export type CallError<Op> = DocumentedError<Op> | OtherError;

/** The P-codes that the operation documents as failures. */
export type ErrorCodeOf<Op> = Extract<DocumentedError<Op>, { kind: "code" }>["errorCode"];

/** The outcome of a call: `data` or `error`, never both, never neither. `status` tells success answers apart. */
export type CallResult<Op> =
  | {
      [Status in keyof Responses<Op> & SuccessStatus]: {
        readonly data: BodyOf<Responses<Op>[Status]>;
        readonly error: undefined;
        readonly response: Response;
        readonly status: Status;
      };
    }[keyof Responses<Op> & SuccessStatus]
  | {
      readonly data: undefined;
      readonly error: CallError<Op>;
      /** The answer, where one came. */
      readonly response: Response | undefined;
      readonly status: number | undefined;
    };

/** The openapi-fetch client underneath. */
export type RawClient<Paths extends object> = Client<Paths>;

/** What a call would send, with nothing sensitive in it. */
export interface Explanation {
  operationId: string;
  method: string;
  url: string;
  /** The call as a curl command, with placeholders for the key and for sensitive values. */
  curl: string;
  /** The documented answers: for each status its P-codes, an empty list for an answer without a code. */
  answers: Readonly<Record<number, readonly string[]>>;
}
