import createFetchClient, { type ClientOptions as FetchClientOptions } from "openapi-fetch";
import type { OperationTable } from "../base/operation.ts";
import { noStoreOption } from "../call/transport.ts";
import { type Client, stateOf } from "../state/client.ts";

type UntypedRequest = (method: string, path: string, init: object) => Promise<unknown>;

/** Each request goes to the base URL of its operation. */
export function makeRawClient<RawClient>(client: Client, table: OperationTable): RawClient {
  const { options } = stateOf(client);
  const { baseUrl, depositBaseUrl, fetch = (request: Request) => globalThis.fetch(request) } = options;
  const depositPaths = new Set(Object.values(table).flatMap(({ deposit, path }) => (deposit ? [path] : [])));
  const settings: FetchClientOptions = {
    ...noStoreOption(),
    ...(options.fetchOptions as FetchClientOptions | undefined),
    baseUrl,
    fetch,
    headers: { ...options.headers, "x-api-key": options.apiKey },
    redirect: "manual",
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
