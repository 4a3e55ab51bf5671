/** The object of the operations, and the openapi-fetch client underneath. */

import createFetchClient, { type Client as FetchClient, type ClientOptions as FetchClientOptions } from "openapi-fetch";
import { call } from "./call.ts";
import { type Client, stateOf } from "./client.ts";
import { explainCall } from "./explain.ts";
import type { OperationTable } from "./operation.ts";

/**
 * Adds one function for each operation of its edition, `explain` and `raw` to a client.
 *
 * @typeParam Facade the generated interface.
 * @param table every operation.
 */
export function makeFacade<Facade>(client: Client, table: OperationTable): Facade {
  const { edition } = stateOf(client).options;
  const functions = Object.values(table)
    .filter((operation) => operation.edition === undefined || operation.edition === edition)
    .map((operation) => [operation.id, (options?: object) => call(client, operation, options)]);
  const explain = (operationId: string, options?: object) => explainCall(client, table, operationId, options);
  return Object.assign(client, Object.fromEntries(functions), { explain, raw: makeRawClient(client, table) }) as Facade;
}

/** The openapi-fetch client, with all its options, its middleware and its errors. */
export type RawClient<Paths extends object> = FetchClient<Paths>;

type UntypedRequest = (method: string, path: string, init: object) => Promise<unknown>;

/**
 * Creates an openapi-fetch client with the addresses, the key, the headers and the `fetch` of a client. It sends each path
 * to its own base address, and follows no redirect. Its calls are those of openapi-fetch: no timeout, no retries, no
 * redaction; what is thrown there is thrown here. Middleware (`raw.use`) applies to them only.
 *
 * @param table every operation.
 */
export function makeRawClient<Paths extends object>(client: Client, table: OperationTable): RawClient<Paths> {
  const { options } = stateOf(client);
  const { baseUrl, depositBaseUrl, fetch = (request: Request) => globalThis.fetch(request) } = options;
  const depositPaths = new Set(Object.values(table).flatMap(({ deposit, path }) => (deposit ? [path] : [])));
  const settings: FetchClientOptions = {
    ...(options.fetchOptions as FetchClientOptions | undefined),
    baseUrl,
    fetch,
    headers: { ...options.headers, "x-api-key": options.apiKey },
    redirect: "manual",
  };
  const raw = createFetchClient<Record<string, never>>(settings);
  const request = raw.request as unknown as UntypedRequest;
  const requestAtItsAddress: UntypedRequest = (method, path, init) => {
    const address = depositPaths.has(path) && depositBaseUrl !== undefined ? { baseUrl: depositBaseUrl } : {};
    return request(method, path, { ...address, ...init });
  };
  const methods = ["GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE"].map((method) => [
    method,
    (path: string, init: object = {}) => requestAtItsAddress(method.toLowerCase(), path, init),
  ]);
  return { ...raw, ...Object.fromEntries(methods), request: requestAtItsAddress } as RawClient<Paths>;
}
