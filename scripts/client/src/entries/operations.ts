/** The hand-written part of the entry point `partner-wallet-api/operations`: creates the client that its functions take. */
import { contract } from "../../../../generated/client/contract.ts";
import { type Client, makeClient } from "../client.ts";
import type { ClientOptions, TestClientOptions } from "../client-options.ts";

/**
 * Creates a client of the edition `test`: the first argument of every function of an operation.
 *
 * @throws {TypeError} when a base URL or the API key is missing or malformed, or another option is malformed.
 */
export function createClient(options: TestClientOptions): Client<"test">;
/**
 * Creates a client: the first argument of every function of an operation. The proposed operations need `edition: "test"`.
 *
 * @throws {TypeError} when a base URL or the API key is missing or malformed, or another option is malformed.
 */
export function createClient(options?: ClientOptions): Client;
export function createClient(options: ClientOptions = {}): Client {
  return makeClient(options, contract);
}
