/** The hand-written part of the entry point `partner-wallet-api`: creates the client object. */
import { contract } from "../../../../generated/client/contract.ts";
import type { PartnerClient, TestPartnerClient } from "../../../../generated/client/index.ts";
import { makeClient } from "../client.ts";
import type { ClientOptions, TestClientOptions } from "../client-options.ts";
import { makeFacade } from "../facade.ts";

/**
 * Creates a client of the edition `test`, which adds the proposed operations. Its functions return `{ data, error, response }` and never
 * reject.
 *
 * @throws {TypeError} when a base URL or the API key is missing or malformed, or another option is malformed.
 */
export function createPartnerClient(options: TestClientOptions): TestPartnerClient;
/**
 * Creates a client. Its functions return `{ data, error, response }` and never reject. `edition: "test"` adds the proposed operations.
 *
 * @throws {TypeError} when a base URL or the API key is missing or malformed, or another option is malformed.
 */
export function createPartnerClient(options?: ClientOptions): PartnerClient;
export function createPartnerClient(options: ClientOptions = {}): PartnerClient {
  return makeFacade<PartnerClient>(makeClient(options, contract));
}
