/** The entry point `partner-wallet-api/raw`: an openapi-fetch client, for requests that the functions of the operations do not cover. */
import type { Client as FetchClient } from "openapi-fetch";
import * as table from "../../../../generated/client/operation-table.ts";
import type { paths } from "../../../../generated/client/types.ts";
import { makeRawClient } from "../setup/raw-client.ts";
import type { Client } from "../state/client.ts";

/** The openapi-fetch client, with all its options, its middleware and its errors. */
export type RawClient<Paths extends object = paths> = FetchClient<Paths>;

/**
 * Creates an openapi-fetch client with the addresses, the key, the headers, the `fetch` and the `fetchOptions` of a client, and the paths
 * of both editions. It sends each request to the base URL of its operation (to `baseUrl` if the client has no `depositBaseUrl`), and
 * follows no redirect. Its calls behave as in openapi-fetch: they can throw, and have no timeout, retries or redaction. Middleware of
 * `raw.use` applies only to these calls.
 *
 * @param client the result of `createClient` or `createPartnerClient`.
 * @throws {TypeError} when `client` is not a client.
 */
export function createRawClient(client: Client): RawClient {
  return makeRawClient<RawClient>(client, table);
}
