/** The entry point `partner-wallet-api`: a client object with all operations of an edition. */
import type { PartnerClient, TestPartnerClient } from "../../../../generated/client/clients.ts";
import { contract } from "../../../../generated/client/contract.ts";
import * as table from "../../../../generated/client/operation-table.ts";
import { makeFacade } from "../setup/facade.ts";
import { makeClient } from "../setup/make-client.ts";
import type { ClientOptions, TestClientOptions } from "../state/client-options.ts";

export type * from "../../../../generated/client/clients.ts";
export type * from "../../../../generated/client/operations.ts";
export type * from "../../../../generated/client/types.ts";
export * from "./exports.ts";

/**
 * Creates a client of the edition `test`, which adds the proposed operations. Its functions return `{ data, error, response, status }` and
 * never reject.
 *
 * @throws {TypeError} when the base URL or the API key is missing, or an option is unknown or malformed.
 */
export function createPartnerClient(options: TestClientOptions): TestPartnerClient;
/**
 * Creates a client. Its functions return `{ data, error, response, status }` and never reject. `edition: "test"` adds the proposed
 * operations.
 *
 * @throws {TypeError} when the base URL or the API key is missing, or an option is unknown or malformed.
 */
export function createPartnerClient(options?: ClientOptions): PartnerClient;
export function createPartnerClient(options: ClientOptions = {}): PartnerClient {
  return makeFacade<PartnerClient>(makeClient(options, contract), table);
}
