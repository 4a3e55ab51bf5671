/** The entry point `partner-wallet-api/raw`: an openapi-fetch client, for requests that the functions of the operations do not cover. */
import createFetchClient, { type Client as FetchClient, type ClientOptions as FetchClientOptions } from "openapi-fetch";
import * as table from "../../../../generated/client/operation-table.ts";
import type { paths } from "../../../../generated/client/types.ts";
import { type Client, stateOf } from "../client.ts";
import type { Operation } from "../operation.ts";
import { noStoreOption } from "../transport.ts";

/** The openapi-fetch client, with all its options, its middleware and its errors. */
export type RawClient<Paths extends object = paths> = FetchClient<Paths>;

type UntypedRequest = (method: string, path: string, init: object) => Promise<unknown>;

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
  const { options } = stateOf(client);
  const { baseUrl, depositBaseUrl, fetch = (request: Request) => globalThis.fetch(request) } = options;
  const depositPaths = new Set(Object.values<Operation>(table).flatMap(({ deposit, path }) => (deposit ? [path] : [])));
  const settings: FetchClientOptions = {
    ...(options.fetchOptions as FetchClientOptions | undefined),
    baseUrl,
    fetch,
    headers: { ...options.headers, "x-api-key": options.apiKey },
    redirect: "manual",
    ...noStoreOption(),
  };
  const raw = createFetchClient<Record<string, never>>(settings);
  const request = raw.request as unknown as UntypedRequest;
  const requestAtBaseUrl: UntypedRequest = (method, path, init) => {
    const baseUrlOption = depositPaths.has(path) && depositBaseUrl !== undefined ? { baseUrl: depositBaseUrl } : {};
    return request(method, path, { ...baseUrlOption, ...init });
  };
  const methods = ["GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE"].map((method) => [
    method,
    (path: string, init: object = {}) => requestAtBaseUrl(method.toLowerCase(), path, init),
  ]);
  return { ...raw, ...Object.fromEntries(methods), request: requestAtBaseUrl } as RawClient;
}
