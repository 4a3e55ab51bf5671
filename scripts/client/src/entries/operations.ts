/** The entry point `partner-wallet-api/operations`: a function for each operation, and the client that is its first argument. */
import { contract } from "../../../../generated/client/contract.ts";
import * as table from "../../../../generated/client/operation-table.ts";
import type { LatestOperationName, OperationOptions } from "../../../../generated/client/operations.ts";
import type { Explanation } from "../setup/explain.ts";
import { explain as explainCall } from "../setup/facade.ts";
import { makeClient } from "../setup/make-client.ts";
import type { CommonOptions } from "../state/call-types.ts";
import type { Client } from "../state/client.ts";
import type { ClientOptions, TestClientOptions } from "../state/client-options.ts";

export * from "../../../../generated/client/operations.ts";
export * from "./exports.ts";

/**
 * Creates a client of the edition `test`: the first argument of every function of an operation.
 *
 * @throws {TypeError} when the base URL or the API key is missing, or an option is unknown or malformed.
 */
export function createClient(options: TestClientOptions): Client<"test">;
/**
 * Creates a client: the first argument of every function of an operation. The proposed operations need `edition: "test"`.
 *
 * @throws {TypeError} when the base URL or the API key is missing, or an option is unknown or malformed.
 */
export function createClient(options?: ClientOptions): Client;
export function createClient(options: ClientOptions = {}): Client {
  return makeClient(options, contract);
}

/**
 * Describes a call without making it: the request as a curl command without sensitive values, and the documented responses. Importing this
 * function adds the table of all operations to a bundle; its other code is loaded when it is first used.
 *
 * @param options the `path`, `query` and `body` of the call.
 * @returns a promise of the description. It rejects with a TypeError when there is no such operation, or the client would refuse the call.
 */
export function explain<Name extends keyof OperationOptions>(
  client: Name extends LatestOperationName ? Client : Client<"test">,
  operationId: Name,
  options?: Omit<OperationOptions[Name], keyof CommonOptions>,
): Promise<Explanation> {
  return explainCall(client, table, operationId, options);
}
