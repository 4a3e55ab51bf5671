/** Time per call with every client: on a loopback server, and on a `fetch` that answers at once. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { pathToFileURL } from "node:url";
import { type Answer, type Contract, type Operation, projectRoot, UsageError } from "../contract/index.ts";
import { withServer } from "../verify/processes.ts";
import { compareInTurns, type Ratio, table, timesWithin } from "./figures.ts";
import { bundleProgram, generated } from "./workshop.ts";

/** A call, and the answer that it gets. */
interface SampleCall {
  name: string;
  operation: Operation;
  path: Record<string, string>;
  body: unknown;
  /** HTTP status. */
  status: number;
  answer: unknown;
}

/**
 * Takes three calls from the examples of the contract: a read, a write with a body, and a refusal.
 *
 * @throws {UsageError} when the contract does not have them.
 */
export function makeSamples(contract: Contract): [SampleCall, SampleCall, SampleCall] {
  return [
    sampleOf(contract, "listUserCards", "success"),
    sampleOf(contract, "createUserAccount", "success"),
    sampleOf(contract, "listUserCards", "refusal"),
  ];
}

function sampleOf(contract: Contract, operationId: string, outcome: "success" | "refusal"): SampleCall {
  const operation = contract.operations.find((candidate) => candidate.operationId === operationId);
  const answer = operation?.answers.find((candidate) => isSuccess(candidate) === (outcome === "success"));
  if (operation === undefined || answer === undefined) {
    throw new UsageError(
      `The bench needs ${operationId} with a documented ${outcome}. Choose another operation in calls.ts.`,
    );
  }
  return {
    name: `${operation.method.toUpperCase()}, ${answer.status}`,
    operation,
    path: pathParametersOf(operation),
    body: operation.requestBody?.bodies[0]?.examples[0]?.value,
    status: answer.status,
    answer: answer.bodies[0]?.examples[0]?.value,
  };
}

function isSuccess({ status }: Answer): boolean {
  return status >= 200 && status < 300;
}

/** The path parameters of an operation with their examples, in the order of the contract. */
export function pathParametersOf(operation: Operation): Record<string, string> {
  return Object.fromEntries(
    operation.parameters.flatMap(({ name, in: location, example }) =>
      location === "path" ? [[name, String(example)]] : [],
    ),
  );
}

/** The path that a sample is sent to. */
export function pathnameOf({ operation, path }: SampleCall): string {
  return operation.path.replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ""));
}

/**
 * Measures every client on every sample.
 *
 * @param folder the workshop.
 * @returns the tables in Markdown.
 * @throws {UsageError} when a client does not get the documented answer.
 */
export async function measureCalls(folder: string, samples: readonly SampleCall[]): Promise<string> {
  const makeClients = await loadClients(folder);
  const loopback: Ratios[] = [];
  const stub: Ratios[] = [];
  for (const sample of samples) loopback.push(await measureOnLoopback(makeClients, sample));
  for (const sample of samples) stub.push(await measureOnStub(makeClients, sample));
  return `On a loopback server, in a process of its own:

${ratioTable(loopback, samples)}

On a \`fetch\` that answers at once, so that only the client's own work is left:

${ratioTable(stub, samples)}

Times as multiples of openapi-fetch in the same round: the median, and in brackets the middle half of the rounds.`;
}

const clientNames = ["fetch", "openapi-fetch", "partner-wallet-api", "hey-api", "kubb"] as const;
type ClientName = (typeof clientNames)[number];
type Ratios = Record<ClientName, Ratio>;

/** Prepares a sample. Calling the result makes the call and returns what the service answered. */
type PrepareCall = (sample: SampleCall) => () => Promise<unknown>;
type MakeClients = (baseUrl: string) => Record<ClientName, PrepareCall>;

function ratioTable(ratios: Ratios[], samples: readonly SampleCall[]): string {
  const rows = clientNames.map((name) => [name, ...ratios.map((ratio) => timesWithin(ratio[name]))]);
  return table([["Client", ...samples.map(({ name }) => name)], ...rows]);
}

function measureOnLoopback(makeClients: MakeClients, sample: SampleCall): Promise<Ratios> {
  const request = `${sample.operation.method.toUpperCase()} ${pathnameOf(sample)}`;
  const fixed: FixedAnswer = { request, status: sample.status, text: JSON.stringify(sample.answer) };
  const program = `import { serveAnswer } from ${JSON.stringify(import.meta.url)};
serveAnswer(${JSON.stringify(fixed)});`;
  const args = ["--import", "tsx", "--input-type=module", "--eval", program];
  return withServer(process.execPath, args, { cwd: projectRoot, port: /^(\d+)$/m }, (origin) =>
    compareClients(makeClients(origin), sample, { rounds: 150, runs: 10 }),
  );
}

interface FixedAnswer {
  /** Method and path of the request that is answered, for example `GET /v1/users`. */
  request: string;
  /** HTTP status. */
  status: number;
  /** JSON text of the body. */
  text: string;
}

/** Serves one answer on a free port of 127.0.0.1, and prints the port. Any other request is answered with 404. */
export function serveAnswer({ request: expected, status, text }: FixedAnswer): void {
  const server = createServer((request, response) => {
    request.resume().once("end", () => {
      const isExpected = `${request.method} ${request.url}` === expected;
      const body = isExpected ? text : "{}";
      response.writeHead(isExpected ? status : 404, {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
      });
      response.end(body);
    });
  });
  server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
}

async function measureOnStub(makeClients: MakeClients, sample: SampleCall): Promise<Ratios> {
  const realFetch = globalThis.fetch;
  const text = JSON.stringify(sample.answer);
  const init = { status: sample.status, headers: { "content-type": "application/json" } };
  try {
    globalThis.fetch = async () => new Response(text, init);
    return await compareClients(makeClients("http://127.0.0.1:9"), sample, { rounds: 120, runs: 50 });
  } finally {
    globalThis.fetch = realFetch;
  }
}

async function compareClients(
  clients: Record<ClientName, PrepareCall>,
  sample: SampleCall,
  options: { rounds: number; runs: number },
): Promise<Ratios> {
  const calls = clientNames.map((name) => [name, clients[name](sample)] as const);
  for (const [name, call] of calls) checkAnswer(name, sample, await call());
  return compareInTurns(
    Object.fromEntries(calls) as Record<ClientName, () => Promise<unknown>>,
    "openapi-fetch",
    options,
  );
}

/** A client that does not get the answer must not look fast because of it. */
function checkAnswer(name: string, { operation, answer }: SampleCall, got: unknown): void {
  const isSame = JSON.stringify(got) === JSON.stringify(answer);
  const codeOf = (body: unknown) => (body as { errorCode?: string } | undefined)?.errorCode;
  if (isSame || (codeOf(answer) !== undefined && codeOf(got) === codeOf(answer))) return;
  throw new UsageError(`${name} did not get the documented answer of ${operation.operationId}.`);
}

/** Loads the clients. Each is used as its own documentation shows, all with the global `fetch`. */
async function loadClients(folder: string): Promise<MakeClients> {
  const load = async (name: string, program: string) =>
    (await import(pathToFileURL(await bundleProgram(folder, name, program)).href)) as Record<string, AnyFunction>;
  const { heyApi: heyApiFile, heyApiClient, kubb: kubbFile, kubbFetch } = generated;
  const ours = await load("ours", `export * from "partner-wallet-api";`);
  const openapiFetch = await load("openapi-fetch", `export { default as createClient } from "openapi-fetch";`);
  const heyApi = await load(
    "hey-api",
    `export * from "./${heyApiFile}"; export { createClient, createConfig } from "./${heyApiClient}";`,
  );
  const kubb = await load("kubb", `export * from "./${kubbFile}"; export { setConfig } from "./${kubbFetch}";`);

  const apiKey = "key-of-the-bench";
  const headers = { "x-api-key": apiKey, "content-type": "application/json" };
  return (baseUrl) => {
    const wallet = ours.createPartnerClient?.({ baseUrl, depositBaseUrl: baseUrl, apiKey }) as Record<string, AnyCall>;
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

/** The body of the answer, which clients return as `data` or as `error`. */
function dataOf({ data, error }: { data?: unknown; error?: unknown }): unknown {
  return data ?? error;
}
