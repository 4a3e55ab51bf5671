/** What a call costs with every client, on a `fetch` that answers at once: only the client's own work is left. */
import { pathToFileURL } from "node:url";
import { UsageError } from "../contract/index.ts";
import { compareInTurns, type Ratio, table, timesWithin } from "./figures.ts";
import { bundleProgram, generated } from "./programs.ts";
import { pathnameOf, type SampleCall } from "./samples.ts";

const clientNames = [
  "fetch",
  "openapi-fetch",
  "partner-wallet-api/operations",
  "partner-wallet-api",
  "hey-api",
  "kubb",
] as const;
type ClientName = (typeof clientNames)[number];

/** Prepares a sample. Calling the result makes the call and returns what the service answered. */
type PrepareCall = (sample: SampleCall) => () => Promise<unknown>;
type MakeClients = (baseUrl: string) => Record<ClientName, PrepareCall>;

/**
 * Measures every client on every sample.
 *
 * @param folder as of `generatePeers`.
 * @param effort part of the usual number of rounds.
 * @returns the tables in Markdown.
 * @throws {UsageError} when a client does not get the documented answer.
 */
export async function measureCalls(folder: string, samples: readonly SampleCall[], effort: number): Promise<string> {
  const makeClients = await loadClients(folder);
  const all: Record<ClientName, Ratio>[] = [];
  for (const sample of samples) all.push(await compareClients(makeClients, sample, Math.ceil(300 * effort)));
  const rows = clientNames.map((name) => [name, ...all.map(({ [name]: ratio }) => timesWithin(ratio))]);
  return `${table([["Client", ...samples.map(({ name }) => name)], ...rows])}

Processor time as a multiple of that of openapi-fetch in the same round, in which every client makes a few calls: the median, and
in brackets the middle half of the rounds.`;
}

/** Bundles and loads the clients. Each is used as its own documentation shows, all with the global `fetch`. */
async function loadClients(folder: string): Promise<MakeClients> {
  const load = async (name: string, program: string) => {
    const { file } = await bundleProgram(folder, name, program);
    return (await import(pathToFileURL(file).href)) as Record<string, AnyFunction>;
  };
  const facade = await load("facade", `export * from "partner-wallet-api";`);
  const functions = await load("functions", `export * from "partner-wallet-api/operations";`);
  const openapiFetch = await load("openapi-fetch", `export { default as createClient } from "openapi-fetch";`);
  const ofHeyApi = `export { createClient, createConfig } from "./${generated.heyApiClient}";`;
  const heyApi = await load("hey-api", `export * from "./${generated.heyApi}"; ${ofHeyApi}`);
  const ofKubb = `export { setConfig } from "./${generated.kubbFetch}";`;
  const kubb = await load("kubb", `export * from "./${generated.kubb}"; ${ofKubb}`);

  const apiKey = "key-of-the-bench";
  const headers = { "x-api-key": apiKey, "content-type": "application/json" };
  return (baseUrl) => {
    const options = { baseUrl, depositBaseUrl: baseUrl, apiKey };
    const wallet = facade.createPartnerClient?.(options) as Record<string, AnyCall>;
    const ofFunctions = functions.createClient?.(options);
    const raw = openapiFetch.createClient?.({ baseUrl, headers: { "x-api-key": apiKey } }) as { request: AnyCall };
    const client = heyApi.createClient?.(heyApi.createConfig?.({ baseUrl, auth: apiKey }));
    kubb.setConfig?.({ baseURL: baseUrl, headers });
    const callOf = (functions: Record<string, unknown>, { operation }: SampleCall) =>
      functions[operation.operationId] as AnyCall;
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
        const [call, given] = [callOf(functions, sample), givenTo(sample)];
        return async () => dataOf(await call(ofFunctions, given));
      },
      "partner-wallet-api": (sample) => {
        const [call, given] = [callOf(wallet, sample), givenTo(sample)];
        return async () => dataOf(await call(given));
      },
      "hey-api": (sample) => {
        const [call, given] = [callOf(heyApi, sample), { client, ...givenTo(sample) }];
        return async () => dataOf(await call(given));
      },
      kubb: (sample) => {
        const values = [...Object.values(sample.path), ...(sample.body === undefined ? [] : [sample.body])];
        const call = callOf(kubb, sample);
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

async function compareClients(makeClients: MakeClients, sample: SampleCall, rounds: number) {
  const realFetch = globalThis.fetch;
  const text = JSON.stringify(sample.answer);
  const init = { status: sample.status, headers: { "content-type": "application/json" } };
  try {
    globalThis.fetch = async () => new Response(text, init);
    const clients = makeClients("http://127.0.0.1:9");
    const calls = clientNames.map((name) => [name, clients[name](sample)] as const);
    for (const [name, call] of calls) checkAnswer(name, sample, await call());
    const programs = Object.fromEntries(calls) as Record<ClientName, () => Promise<unknown>>;
    return await compareInTurns(programs, "openapi-fetch", { rounds, runs: 10 });
  } finally {
    globalThis.fetch = realFetch;
  }
}

/** A client that does not get the answer must not look fast because of it. */
function checkAnswer(name: string, { operation, answer }: SampleCall, got: unknown): void {
  const isSame = JSON.stringify(got) === JSON.stringify(answer);
  const codeOf = (body: unknown) => (body as { errorCode?: string } | undefined)?.errorCode;
  if (isSame || (codeOf(answer) !== undefined && codeOf(got) === codeOf(answer))) return;
  throw new UsageError(`${name} did not get the documented answer of ${operation.operationId}.`);
}
