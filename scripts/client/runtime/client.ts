/** The client: the checked options of the partner together with the contract. */

import type { ClientOptions } from "./client-options.ts";
import type { Edition } from "./edition.ts";
import type { ClientContract } from "./operation.ts";
import { type CheckedOptions, checkOptions } from "./options.ts";

/**
 * A client, as `createClient` returns it. The functions of the operations take it as their first argument, those of the
 * proposed operations only a `Client<"test">`.
 */
export interface Client<Name extends Edition = Edition> {
  /** The edition of the contract: `latest` or `test`. */
  readonly edition: Name;
}

/** What a client knows. */
export interface ClientState {
  readonly contract: ClientContract;
  readonly options: CheckedOptions;
}

/** The same in every copy of this module: ES modules and CommonJS each have one. */
const stateKey = Symbol.for("partner-wallet-api.client");

/**
 * Creates a client.
 *
 * @throws {TypeError} when a required option is missing, or an option is malformed.
 */
export function makeClient(options: ClientOptions, contract: ClientContract): Client {
  const state: ClientState = { contract, options: checkOptions(options) };
  warnOfKeyInBrowser(state.options);
  // In a function, so that nothing that prints the client prints the API key.
  return Object.defineProperty({ edition: state.options.edition }, stateKey, { value: () => state });
}

/**
 * Returns what a client knows.
 *
 * @throws {TypeError} when the value is no client.
 */
export function stateOf(client: Client): ClientState {
  const read = (client as { [stateKey]?: () => ClientState } | null | undefined)?.[stateKey];
  if (read === undefined) throw new TypeError("The first argument must be a client, as createClient returns it.");
  return read();
}

/** Whoever uses the page can read the key, and with it move the money of all users. */
function warnOfKeyInBrowser({ baseUrl }: CheckedOptions): void {
  if (!("document" in globalThis) || /^https?:\/\/(localhost|127\.|\[::1\])/.test(baseUrl)) return;
  console.warn(
    "partner-wallet-api: the API key of the partner is in a browser, where every visitor can read it. Call the service from your server.",
  );
}
