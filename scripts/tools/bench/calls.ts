import { pathToFileURL } from "node:url";
import { UsageError } from "../../contract/model/index.ts";
import { compareInTurns, formatRatio, type Ratio, table } from "./figures.ts";
import { bundleProgram } from "./programs.ts";
import { pathnameOf, type SampleCall } from "./samples.ts";

type Call = () => Promise<{ data?: unknown; error?: unknown }>;
type Functions = Record<string, (...values: unknown[]) => unknown>;

export interface Client {
  readonly program: string;
  readonly prepare: (imported: Functions, sample: SampleCall) => () => unknown;
}

export const baseUrl = "http://127.0.0.1:9";
export const apiKey = "key-of-the-bench";
export const headers = { "x-api-key": apiKey, "content-type": "application/json" };
const options = { baseUrl, depositBaseUrl: baseUrl, apiKey };

/** All clients use the global `fetch`. Times are reported as multiples of the first client's time. */
const defaultClients: Record<string, Client> = {
  "openapi-fetch": {
    program: `export { default as createClient } from "openapi-fetch";`,
    prepare({ createClient }, { operation: { method, path: template }, options: { path, body } }) {
      const client = createClient?.({ baseUrl, headers: { "x-api-key": apiKey } }) as Functions;
      const init = { params: { path }, ...(body !== undefined && { body }) };
      return () => client.request?.(method, template, init);
    },
  },
  fetch: {
    program: "",
    prepare(_imported, { operation, options: { path, body } }) {
      const url = `${baseUrl}${pathnameOf(operation, path)}`;
      const method = operation.method.toUpperCase();
      return async () => {
        // Serializes the body for every call, as the clients do.
        const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
        return { data: await (await fetch(url, init)).json() };
      };
    },
  },
  "partner-wallet-api/operations": {
    program: `export * from "partner-wallet-api/operations";`,
    prepare({ createClient, ...functions }, { operation, options: callOptions }) {
      const [client, callFunction] = [createClient?.(options), functions[operation.operationId]];
      return () => callFunction?.(client, callOptions);
    },
  },
  "partner-wallet-api": {
    program: `export * from "partner-wallet-api";`,
    prepare({ createPartnerClient }, { operation, options: callOptions }) {
      const wallet = createPartnerClient?.(options) as Functions;
      const call = wallet[operation.operationId];
      return () => call?.(callOptions);
    },
  },
};

/**
 * @param effort fraction of the full 300 rounds.
 * @param otherClients clients to compare with, besides `fetch` and openapi-fetch.
 */
export async function measureCalls(
  folder: string,
  samples: readonly SampleCall[],
  effort: number,
  otherClients: Readonly<Record<string, Client>> = {},
): Promise<string> {
  const clients = { ...defaultClients, ...otherClients };
  const rows = Object.keys(clients).map((name) => [name]);
  const modulesByClient: Record<string, Functions> = {};
  for (const [name, { program }] of Object.entries(clients)) {
    const { file } = await bundleProgram(folder, name.replace("/", "-"), program);
    modulesByClient[name] = (await import(pathToFileURL(file).href)) as Functions;
  }
  for (const sample of samples) {
    const ratios = await compareClients(clients, modulesByClient, sample, Math.ceil(300 * effort));
    for (const row of rows) row.push(formatRatio(ratios[row[0] as string] as Ratio));
  }
  return `${table([["Client", ...samples.map(({ name }) => name)], ...rows])}

Processor time as a multiple of that of openapi-fetch in the same round, in which every client makes a few calls: the median, and
in brackets the middle half of the rounds.`;
}

async function compareClients(
  clients: Readonly<Record<string, Client>>,
  modulesByClient: Record<string, Functions>,
  sample: SampleCall,
  rounds: number,
): Promise<Record<string, Ratio>> {
  const realFetch = globalThis.fetch;
  const text = JSON.stringify(sample.response);
  const init = { status: sample.status, headers: { "content-type": "application/json" } };
  try {
    globalThis.fetch = async () => new Response(text, init);
    // Clients are created after `fetch` was replaced, because a client may store the global `fetch`.
    const calls = Object.entries(clients).map(([name, { prepare }]) => {
      return [name, prepare(modulesByClient[name] ?? {}, sample) as Call] as const;
    });
    for (const [name, call] of calls) {
      const { data, error } = await call();
      checkResponse(name, sample, data ?? error);
    }
    const repeat = (call: Call) => async () => {
      for (let run = 0; run < 10; run += 1) await call();
    };
    // Warm-up, so that Node compiles the programs before the measurement, as for the servers in mock.ts.
    for (let round = 0; round < 200; round += 1) {
      for (const [, call] of calls) await repeat(call)();
    }
    return await compareInTurns(Object.fromEntries(calls.map(([name, call]) => [name, { run: repeat(call) }])), rounds);
  } finally {
    globalThis.fetch = realFetch;
  }
}

/** Throws if a client did not return the documented response (for an error, its P-code), because a client that fails must not appear fast. */
function checkResponse(name: string, { operation, response }: SampleCall, returnedBody: unknown): void {
  const isSame = JSON.stringify(returnedBody) === JSON.stringify(response);
  const codeOf = (body: unknown) => (body as { errorCode?: string } | undefined)?.errorCode;
  if (isSame || (codeOf(response) !== undefined && codeOf(returnedBody) === codeOf(response))) return;
  throw new UsageError(`${name} did not get the documented response of ${operation.operationId}.`);
}
