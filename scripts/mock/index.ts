/**
 * The mock of the service on the two addresses of the contract. Every answer of an operation is one that the contract
 * documents for it.
 *
 * What a success does is up to the source. Without an `act` it is the first documented example of the operation, or the one
 * that `Prefer` names: its identifiers, amounts and dates are those of the example, whatever the request contained.
 */
import { UsageError } from "../contract/usage-error.ts";
import { type Address, makeAnswerer, type Source } from "./answer/answer.ts";
import { ListenError, listenOnBoth } from "./server/listen.ts";
import { makeServer, type RequestEntry } from "./server/server.ts";

export type { AcceptedCall, Act, Acted } from "./answer/act.ts";
export type { Source } from "./answer/answer.ts";
export type { RequestEntry } from "./server/server.ts";
export { exampleCurl, formatEntry } from "./server/terminal.ts";

interface StartOptions {
  /** The plan, and what judges requests by it. */
  source: Source | Promise<Source>;
  /** Port of the main address; 0 takes a free one. */
  port: number;
  /** Port of the deposit address; 0 takes a free one. */
  depositPort: number;
  /** Host to listen on, 127.0.0.1 by default. */
  host?: string;
  /** Called for every request that was answered. */
  onRequest?: (entry: RequestEntry) => void;
}

export interface Mock {
  url: string;
  depositUrl: string;
  /**
   * Replaces the contract. Ports and connections stay open; a request whose body was read before is still answered by
   * the old contract. Calls take effect in the order in which they were made.
   *
   * @throws what the promise of the source rejects with; the mock then keeps its contract.
   */
  use(source: Source | Promise<Source>): Promise<void>;
  /** Stops listening on both addresses and closes their connections, idle ones included. */
  close(): Promise<void>;
}

/**
 * Starts the mock.
 *
 * @throws {UsageError} when an address cannot be listened on; the message names the port and the option to change.
 */
export async function startMock(options: StartOptions): Promise<Mock> {
  const { source, port, depositPort, host = "127.0.0.1", onRequest = () => {} } = options;
  const urls: Record<Address, string> = { base_url: "", deposit_base_url: "" };
  const answererOf = (loaded: Source) => makeAnswerer({ ...loaded, urlOf: (address) => urls[address] });
  let answer = answererOf(await source);
  const main = makeServer((request) => answer("base_url", request), onRequest);
  const deposit = makeServer((request) => answer("deposit_base_url", request), onRequest);
  const { url, depositUrl, close } = await listenOnBoth(main, deposit, { port, depositPort, host }).catch((error) => {
    throw error instanceof ListenError ? new UsageError(error.message) : error;
  });
  urls.base_url = url;
  urls.deposit_base_url = depositUrl;
  let lastUse: Promise<void> = Promise.resolve();
  return {
    url,
    depositUrl,
    use: (next) => {
      // Noticed when it is its turn.
      Promise.resolve(next).catch(() => {});
      const use = lastUse.then(async () => {
        answer = answererOf(await next);
      });
      lastUse = use.catch(() => {});
      return use;
    },
    close,
  };
}
