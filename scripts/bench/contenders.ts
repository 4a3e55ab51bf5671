/** The clients that are compared: the same call made with each of them. */
import { pathToFileURL } from "node:url";
import { bundle } from "./bundle.ts";
import { made } from "./peers.ts";
import { pathnameOf, type Sample } from "./samples.ts";

/** Makes the call of a sample and returns what the service answered. */
export type Contender = (sample: Sample) => () => Promise<unknown>;

export const contenderNames = ["fetch", "openapi-fetch", "partner-wallet-api", "hey-api", "kubb"] as const;
export type ContenderName = (typeof contenderNames)[number];

const apiKey = "key-of-the-bench";

/** Loads the clients. Each is used as its own documentation shows, all with the global `fetch`. */
export async function loadContenders(
  folder: string,
): Promise<(baseUrl: string) => Promise<Record<ContenderName, Contender>>> {
  const load = async (name: string, program: string) =>
    (await import(pathToFileURL(await bundle(folder, name, program, {})).href)) as Record<string, AnyFunction>;
  const ours = await load("ours", `export * from "partner-wallet-api";`);
  const openapiFetch = await load("openapi-fetch", `export { default as createClient } from "openapi-fetch";`);
  const heyApi = await load(
    "hey-api",
    `export * from "./${made.heyApi}"; export { createClient, createConfig } from "./${made.heyApiClient}";`,
  );
  const kubb = await load("kubb", `export * from "./${made.kubb}"; export { setConfig } from "./kubb/.kubb/fetch.ts";`);

  return async (baseUrl) => {
    const wallet = ours.createPartnerClient?.({ baseUrl, depositBaseUrl: baseUrl, apiKey }) as Record<string, AnyCall>;
    const raw = openapiFetch.createClient?.({ baseUrl, headers: { "x-api-key": apiKey } }) as { request: AnyCall };
    const client = heyApi.createClient?.(heyApi.createConfig?.({ baseUrl, auth: apiKey }));
    kubb.setConfig?.({ baseURL: baseUrl, headers: { "x-api-key": apiKey, "content-type": "application/json" } });
    return {
      fetch: (sample) => {
        const url = `${baseUrl}${pathnameOf(sample)}`;
        const headers = { "x-api-key": apiKey, "content-type": "application/json" };
        const method = sample.operation.method.toUpperCase();
        const hasBody = sample.body !== undefined;
        return async () => {
          const body = hasBody ? { body: JSON.stringify(sample.body) } : {};
          return (await fetch(url, { method, headers, ...body })).json();
        };
      },
      "openapi-fetch": ({ operation: { method, path: template }, path, body }) => {
        const init = { params: { path }, ...(body === undefined ? {} : { body }) };
        return async () => dataOf(await raw.request(method, template, init));
      },
      "partner-wallet-api": ({ operation, path, body }) => {
        const call = wallet[operation.operationId] as AnyCall;
        const options = { path, ...(body === undefined ? {} : { body }) };
        return async () => dataOf(await call(options));
      },
      "hey-api": ({ operation, path, body }) => {
        const call = heyApi[operation.operationId] as AnyCall;
        const options = { client, path, ...(body === undefined ? {} : { body }) };
        return async () => dataOf(await call(options));
      },
      kubb: ({ operation, path, body }) => {
        const call = kubb[operation.operationId] as AnyCall;
        const values = [...Object.values(path), ...(body === undefined ? [] : [body])];
        return async () => dataOf(await call(...values));
      },
    };
  };
}

type AnyFunction = (...values: unknown[]) => unknown;
type AnyCall = (...values: unknown[]) => Promise<{ data?: unknown; error?: unknown }>;

/** The answer of the service, whichever way a client hands it out. */
function dataOf({ data, error }: { data?: unknown; error?: unknown }): unknown {
  return data ?? error;
}
