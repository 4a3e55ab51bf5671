import type { Edition, Operation } from "../base/operation.ts";
import type { ReadResponse } from "../checks/check-response.ts";
import type { checkValues, RequestSchemas } from "../checks/check-values.ts";
import type { Violation } from "../checks/deviations.ts";
import type { ErrorTexts } from "../errors/error-texts.ts";
import type { PartnerApiError } from "../errors/errors.ts";
import type { CheckedOptions } from "./check-options.ts";
import type { ClientContract } from "./client-contract.ts";

/**
 * A client, as `createClient` returns it: the first argument of every operation's function. Functions of proposed operations require a
 * `Client<"test">`.
 */
export interface Client<Name extends Edition = Edition> {
  /** The edition of the contract: `latest` or `test`. */
  readonly edition: Name;
  /**
   * Calls an operation. Internal: programs use the functions of `partner-wallet-api/operations` and `partner-wallet-api/payments`.
   */
  readonly "~call": Call;
  /** The result has an error if the client would refuse the call. Internal, like `~call`. */
  readonly "~check": Check;
}

type Check = (operation: Operation, options?: object) => Promise<MiddlewareResult>;
type Call = (...call: [...Parameters<Check>, beforeSend?: BeforeSend]) => Promise<MiddlewareResult>;

/** The options of `fetch` that belong to one request. */
export interface OutgoingRequest {
  readonly headers: Record<string, string> | Headers;
  readonly body: string | FormData | ReadableStream | undefined;
  readonly signal: AbortSignal | undefined;
  /** Needed if the body is a stream. */
  readonly duplex?: "half";
}

/** Called right before a request is passed to `fetch`. Returns the request to send. If it throws, nothing is sent. */
export type BeforeSend = (request: OutgoingRequest) => OutgoingRequest;

/** A call, as passed to a middleware. */
export interface MiddlewareCall {
  readonly operationId: string;
  readonly method: string;
  /** Path template, without the values of path parameters. */
  readonly path: string;
  /** The arguments of the call: path, query, body and so on, with all their values. */
  readonly options: object;
}

/** The result of a call, as a middleware receives and returns it. */
export interface MiddlewareResult {
  readonly data: unknown;
  readonly error: PartnerApiError | undefined;
  readonly response: Response | undefined;
  readonly status: number | undefined;
}

export function resultWithoutResponse(error: PartnerApiError | undefined): MiddlewareResult {
  return { data: undefined, error, response: undefined, status: undefined };
}

/**
 * A function that wraps every call of a client.
 *
 * @param call the operation and its options, as the program or the middleware outside passed them.
 * @param next continues the call with the given options or, without an argument, with those of `call`. Resolves to the result and never
 * rejects.
 * @returns the result for the program: the result of `next`, or another one.
 */
export type Middleware = (
  call: MiddlewareCall,
  next: (options?: object) => Promise<MiddlewareResult>,
) => Promise<MiddlewareResult>;

export interface ClientState {
  readonly contract: ClientContract;
  texts?: ErrorTexts;
  /** Loaded for the first call of an operation that has a JSON body or amounts. */
  checks?: { readonly checkValues: typeof checkValues; readonly requestSchemas: RequestSchemas };
  /** Loaded for the first response of a client with `onDeviation`. */
  compare?: (response: ReadResponse) => readonly Violation[];
  readonly options: CheckedOptions;
  /** All middleware in one function, which never rejects. */
  middleware?: Middleware;
  /** The rest of `retryBudget`. Each success adds a tenth. */
  remainingRetries: number;
  /** How many more attempts can start now, until `maxConcurrent` are running. */
  freeSlots: number;
  /** Each function starts an attempt that waits for a slot. */
  readonly queue: Set<() => void>;
}

/** Made with `Symbol.for`, so that the ES and CommonJS copies of this module share the key. */
const stateKey = Symbol.for("partner-wallet-api.client");

/** The state is stored behind a function, so that printing the client does not print the API key. */
export function withState(state: ClientState, call: Call, check: Check): Client {
  const client = { edition: state.options.edition } as Client;
  const properties = { [stateKey]: { value: () => state }, "~call": { value: call }, "~check": { value: check } };
  return Object.defineProperties(client, properties);
}

export function stateOf(client: Client): ClientState {
  const getState = (client as { [stateKey]?: () => ClientState } | null | undefined)?.[stateKey];
  if (getState === undefined) throw new TypeError("client must be a client, as createClient returns it.");
  return getState();
}
