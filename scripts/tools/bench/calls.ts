import { pathToFileURL } from "node:url";
import { found, UsageError } from "../../base/index.ts";
import { compareInTurns, formatRatio, type Ratio, table } from "./figures.ts";
import { bundleProgram } from "./programs.ts";
import { pathnameOf, type SampleCall } from "./samples.ts";

type Call = () => unknown;

export interface Client {
  readonly program: string;
  /** @param imported the module of the program. @returns a function that makes the call of the sample once. */
  readonly prepare: (imported: object, sample: SampleCall) => Call;
}

/** @throws {UsageError} if `owner` has no such function. */
export function functionOf(owner: unknown, name: string): (...values: unknown[]) => unknown {
  const member: unknown = Reflect.get(Object(owner), name);
  if (typeof member !== "function") throw new UsageError(`The program has no function ${name}.`);
  return member.bind(owner);
}

export const baseUrl = "http://127.0.0.1:9";
export const apiKey = "key-of-the-bench";
export const headers = { "x-api-key": apiKey, "content-type": "application/json" };
const options = { baseUrl, depositBaseUrl: baseUrl, apiKey };

/** All clients use the global `fetch`. Times are reported as multiples of the first client's time. */
const defaultClients: Record<string, Client> = {
  "openapi-fetch": {
    program: `export { default as createClient } from "openapi-fetch";`,
    prepare(imported, { operation: { method, path: template }, options: { path, body } }) {
      const client = functionOf(imported, "createClient")({ baseUrl, headers: { "x-api-key": apiKey } });
      const request = functionOf(client, "request");
      const init = { params: { path }, ...(body !== undefined && { body }) };
      return () => request(method, template, init);
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
    prepare(imported, { operation, options: callOptions }) {
      const client = functionOf(imported, "createClient")(options);
      const call = functionOf(imported, operation.operationId);
      return () => call(client, callOptions);
    },
  },
  "partner-wallet-api": {
    program: `export * from "partner-wallet-api";`,
    prepare(imported, { operation, options: callOptions }) {
      const wallet = functionOf(imported, "createPartnerClient")(options);
      const call = functionOf(wallet, operation.operationId);
      return () => call(callOptions);
    },
  },
};

/**
 * @param effort fraction of the full 300 rounds.
 * @param otherClients are compared besides `fetch` and openapi-fetch.
 */
export async function measureCalls(
  folder: string,
  samples: readonly SampleCall[],
  effort: number,
  otherClients: Readonly<Record<string, Client>> = {},
): Promise<string> {
  const clients = { ...defaultClients, ...otherClients };
  const modulesByClient: Record<string, object> = {};
  for (const [name, { program }] of Object.entries(clients)) {
    const { file } = await bundleProgram(folder, name.replace("/", "-"), program);
    modulesByClient[name] = await import(pathToFileURL(file).href);
  }
  const ratiosOfSamples: Record<string, Ratio>[] = [];
  for (const sample of samples)
    ratiosOfSamples.push(await compareClients(clients, modulesByClient, sample, Math.ceil(300 * effort)));
  const rows = Object.keys(clients).map((name) => [
    name,
    ...ratiosOfSamples.map((ratios) => formatRatio(found(ratios[name], `ratio of ${name}`))),
  ]);
  return `${table([["Client", ...samples.map(({ name }) => name)], ...rows])}

Processor time as a multiple of that of openapi-fetch in the same round, in which every client makes a few calls: the median, and
in brackets the middle half of the rounds.`;
}

async function compareClients(
  clients: Readonly<Record<string, Client>>,
  modulesByClient: Readonly<Record<string, object>>,
  sample: SampleCall,
  rounds: number,
): Promise<Record<string, Ratio>> {
  const realFetch = globalThis.fetch;
  const text = JSON.stringify(sample.response);
  const init = { status: sample.status, headers: { "content-type": "application/json" } };
  try {
    globalThis.fetch = async () => new Response(text, init);
    // Clients are created after `fetch` was replaced, because a client may store the global `fetch`.
    const calls = Object.entries(clients).map(([name, { prepare }]): [string, Call] => {
      return [name, prepare(modulesByClient[name] ?? {}, sample)];
    });
    for (const [name, call] of calls) {
      const { data, error } = Object(await call());
      checkResponse(name, sample, data ?? error);
    }
    const repeat = (call: Call) => async () => {
      for (let run = 0; run < 10; run += 1) await call();
    };
    // Warm-up: Node compiles the programs before the measurement.
    for (let round = 0; round < 200; round += 1) {
      for (const [, call] of calls) await repeat(call)();
    }
    return await compareInTurns(Object.fromEntries(calls.map(([name, call]) => [name, { run: repeat(call) }])), rounds);
  } finally {
    globalThis.fetch = realFetch;
  }
}

/** A client that fails must not appear fast. For an error, only the P-code is compared. */
function checkResponse(name: string, { operation, response }: SampleCall, returnedBody: unknown): void {
  const isSame = JSON.stringify(returnedBody) === JSON.stringify(response);
  const codeOf = (body: unknown): unknown => Object(body).errorCode;
  if (isSame || (codeOf(response) !== undefined && codeOf(returnedBody) === codeOf(response))) return;
  throw new UsageError(`${name} did not get the documented response of ${operation.operationId}.`);
}
