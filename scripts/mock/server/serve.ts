/** Puts a mock on the two addresses of the contract. */
import type { Address, MockRequest } from "../answer/answer.ts";
import { type Addresses, type Listening, listenOnBoth } from "./listen.ts";
import { makeServer, type RequestEntry, type ServedReply, type ServerOptions } from "./server.ts";

/** What answers the requests to an address. */
export type Handle = (address: Address, request: MockRequest) => ServedReply | Promise<ServedReply>;

export interface ServeOptions extends Addresses, ServerOptions {
  /** Called for every request that was answered. */
  readonly onRequest?: ((entry: RequestEntry) => unknown) | undefined;
}

/**
 * Listens on both addresses, or on none.
 *
 * @throws {ListenError} that names the port or the host, and the option to change.
 */
export async function serve(handle: Handle, options: ServeOptions): Promise<Listening> {
  const { onRequest = () => {} } = options;
  const serverOf = (address: Address) => makeServer((request) => handle(address, request), onRequest, options);
  return listenOnBoth(serverOf("base_url"), serverOf("deposit_base_url"), options);
}
