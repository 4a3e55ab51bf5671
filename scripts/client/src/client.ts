import type { ClientContract, ErrorTexts } from "./client-contract.ts";
import type { ClientOptions } from "./client-options.ts";
import type { PartnerApiError } from "./errors.ts";
import type { Edition } from "./operation.ts";
import { type CheckedOptions, checkOptions, isLocal } from "./options.ts";

/**
 * A client, as `createClient` returns it: the first argument of every operation's function. Functions of proposed operations require a
 * `Client<"test">`.
 */
export interface Client<Name extends Edition = Edition> {
  /** The edition of the contract: `latest` or `test`. */
  readonly edition: Name;
}

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

export interface ClientState {
  readonly contract: ClientContract;
  texts?: ErrorTexts;
  readonly options: CheckedOptions;
  /** All middleware in one function, which never rejects. */
  around?: (call: MiddlewareCall, next: (options?: object) => Promise<MiddlewareResult>) => Promise<MiddlewareResult>;
  remainingRetries: number;
  freeSlots: number;
  /** Each function starts an attempt that waits for a slot. */
  readonly queue: Set<() => void>;
}

/** Made with `Symbol.for`, because the ES and CommonJS copies of this module share the key. */
const stateKey = Symbol.for("partner-wallet-api.client");

export function makeClient(options: ClientOptions, contract: ClientContract): Client {
  const checked = checkOptions(options);
  const { retryBudget: remainingRetries, maxConcurrent: freeSlots } = checked;
  const state: ClientState = { contract, options: checked, remainingRetries, freeSlots, queue: new Set() };
  if ("document" in globalThis && !isLocal(new URL(checked.baseUrl))) {
    console.warn(
      "partner-wallet-api: the API key is in a browser, where every visitor can read it. Call the service from your server.",
    );
  }
  // The state is stored behind a function, so that printing the client does not print the API key.
  return Object.defineProperty({ edition: checked.edition }, stateKey, { value: () => state });
}

export function stateOf(client: Client): ClientState {
  const read = (client as { [stateKey]?: () => ClientState } | null | undefined)?.[stateKey];
  if (read === undefined) throw new TypeError("The first argument must be a client, as createClient returns it.");
  return read();
}
