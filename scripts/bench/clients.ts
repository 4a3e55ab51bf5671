/** The clients whose calls are compared. Each is used as its own documentation shows, all with the global `fetch`. */
import { pathToFileURL } from "node:url";
import { pathnameOf, type SampleCall } from "./samples.ts";
import { bundleProgram, generated } from "./workshop.ts";

export const clientNames = [
  "fetch",
  "openapi-fetch",
  "partner-wallet-api/operations",
  "partner-wallet-api",
  "hey-api",
  "kubb",
] as const;
export type ClientName = (typeof clientNames)[number];

/** Prepares a sample. Calling the result makes the call and returns what the service answered. */
export type PrepareCall = (sample: SampleCall) => () => Promise<unknown>;

/** Creates every client for a base URL. */
export type MakeClients = (baseUrl: string) => Record<ClientName, PrepareCall>;

/**
 * Bundles and loads the clients.
 *
 * @param folder the workshop.
 */
export async function loadClients(folder: string): Promise<MakeClients> {
  const load = async (name: string, program: string) =>
    (await import(pathToFileURL(await bundleProgram(folder, name, program)).href)) as Record<string, AnyFunction>;
  const { heyApi: heyApiFile, heyApiClient, kubb: kubbFile, kubbFetch } = generated;
  const facade = await load("facade", `export * from "partner-wallet-api";`);
  const functions = await load("functions", `export * from "partner-wallet-api/operations";`);
  const openapiFetch = await load("openapi-fetch", `export { default as createClient } from "openapi-fetch";`);
  const heyApi = await load(
    "hey-api",
    `export * from "./${heyApiFile}"; export { createClient, createConfig } from "./${heyApiClient}";`,
  );
  const kubb = await load("kubb", `export * from "./${kubbFile}"; export { setConfig } from "./${kubbFetch}";`);

  const apiKey = "key-of-the-bench";
  const headers = { "x-api-key": apiKey, "content-type": "application/json" };
  return (baseUrl) => {
    const options = { baseUrl, depositBaseUrl: baseUrl, apiKey };
    const wallet = facade.createPartnerClient?.(options) as Record<string, AnyCall>;
    const ofFunctions = functions.createClient?.(options);
    const raw = openapiFetch.createClient?.({ baseUrl, headers: { "x-api-key": apiKey } }) as { request: AnyCall };
    const client = heyApi.createClient?.(heyApi.createConfig?.({ baseUrl, auth: apiKey }));
    kubb.setConfig?.({ baseURL: baseUrl, headers });
    return {
      fetch: (sample) => {
        const url = `${baseUrl}${pathnameOf(sample)}`;
        const method = sample.operation.method.toUpperCase();
        // The text is made anew for every call, as the clients do.
        const bodyOf = () => (sample.body === undefined ? {} : { body: JSON.stringify(sample.body) });
        return async () => (await fetch(url, { method, headers, ...bodyOf() })).json();
      },
      "openapi-fetch": ({ operation: { method, path: template }, path, body }) => {
        const init = { params: { path }, ...(body === undefined ? {} : { body }) };
        return async () => dataOf(await raw.request(method, template, init));
      },
      "partner-wallet-api/operations": (sample) => {
        const call = functions[sample.operation.operationId] as AnyCall;
        const given = givenTo(sample);
        return async () => dataOf(await call(ofFunctions, given));
      },
      "partner-wallet-api": (sample) => {
        const call = wallet[sample.operation.operationId] as AnyCall;
        const given = givenTo(sample);
        return async () => dataOf(await call(given));
      },
      "hey-api": (sample) => {
        const call = heyApi[sample.operation.operationId] as AnyCall;
        const given = { client, ...givenTo(sample) };
        return async () => dataOf(await call(given));
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

/** The options of a call: `path` and `body`, without what the operation does not have. */
function givenTo({ path, body }: SampleCall): object {
  return { ...(Object.keys(path).length > 0 && { path }), ...(body !== undefined && { body }) };
}

/** The body of the answer, which clients return as `data` or as `error`. */
function dataOf({ data, error }: { data?: unknown; error?: unknown }): unknown {
  return data ?? error;
}
