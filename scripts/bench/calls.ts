/** Time per call with every client: on a loopback server, and on a `fetch` that answers at once. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { projectRoot, UsageError } from "../contract/index.ts";
import { withServer } from "../verify/processes.ts";
import { before } from "./before.ts";
import { type ClientName, clientNames, loadClients, type MakeClients, type PrepareCall } from "./clients.ts";
import { type Comparison, compareInTurns, table, times, timesWithin } from "./figures.ts";
import { pathnameOf, type SampleCall } from "./samples.ts";

type Comparisons = Record<ClientName, Comparison>;

/**
 * Measures every client on every sample.
 *
 * @param folder the workshop.
 * @returns the tables in Markdown.
 * @throws {UsageError} when a client does not get the documented answer.
 */
export async function measureCalls(folder: string, samples: readonly SampleCall[]): Promise<string> {
  const makeClients = await loadClients(folder);
  const loopback: Comparisons[] = [];
  const stub: Comparisons[] = [];
  for (const sample of samples) loopback.push(await measureOnLoopback(makeClients, sample));
  for (const sample of samples) stub.push(await measureOnStub(makeClients, sample));
  return `On a loopback server, in a process of its own:

${comparisonTable(loopback, samples, before.loopback)}

On a \`fetch\` that answers at once, so that only the client's own work is left:

${comparisonTable(stub, samples, before.stub)}

Times as multiples of openapi-fetch in the same round, in which every client makes a few calls: the median, and in brackets the
middle half of the rounds. "CPU" compares the processor time of this process in the same way: other processes disturb it less.
"Before" is the client of ${before.commit}, measured in the same way on another day.`;
}

/** @param old the ratios of the client before, in the order of the columns. */
function comparisonTable(all: Comparisons[], samples: readonly SampleCall[], old: readonly number[]): string {
  const rows = clientNames.map((name) => [name, ...all.flatMap(({ [name]: one }) => cellsOf(one))]);
  const head = ["Client", ...samples.flatMap(({ name }) => [name, "CPU"])];
  return table([head, ...rows, ["partner-wallet-api, before", ...old.map(times)]]);
}

function cellsOf({ elapsed, cpu }: Comparison): string[] {
  return [timesWithin(elapsed), times(cpu.median)];
}

function measureOnLoopback(makeClients: MakeClients, sample: SampleCall): Promise<Comparisons> {
  const request = `${sample.operation.method.toUpperCase()} ${pathnameOf(sample)}`;
  const fixed: FixedAnswer = { request, status: sample.status, text: JSON.stringify(sample.answer) };
  const program = `import { serveAnswer } from ${JSON.stringify(import.meta.url)};
serveAnswer(${JSON.stringify(fixed)});`;
  const args = ["--import", "tsx", "--input-type=module", "--eval", program];
  return withServer(process.execPath, args, { cwd: projectRoot, port: /^(\d+)$/m }, (origin) =>
    compareClients(makeClients(origin), sample, { warmUp: 300, rounds: 600, runs: 2 }),
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

async function measureOnStub(makeClients: MakeClients, sample: SampleCall): Promise<Comparisons> {
  const realFetch = globalThis.fetch;
  const text = JSON.stringify(sample.answer);
  const init = { status: sample.status, headers: { "content-type": "application/json" } };
  try {
    globalThis.fetch = async () => new Response(text, init);
    return await compareClients(makeClients("http://127.0.0.1:9"), sample, { warmUp: 100, rounds: 300, runs: 10 });
  } finally {
    globalThis.fetch = realFetch;
  }
}

async function compareClients(
  clients: Record<ClientName, PrepareCall>,
  sample: SampleCall,
  options: { warmUp: number; rounds: number; runs: number },
): Promise<Comparisons> {
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
