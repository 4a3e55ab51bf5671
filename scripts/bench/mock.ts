/** The mock beside the `prism mock` command of the same contract: answers per second, processor time, start, flatness. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { bundleFile, projectRoot, readContract, UsageError } from "../contract/index.ts";
import { readBundle } from "../plan/index.ts";
import { withTemporaryFolder } from "../verify/processes.ts";
import { type BudgetedReport, summarise } from "./figures.ts";
import { actingCalls, benchKey, createPayers, firstPath, type RequestSource, repeatedCalls } from "./mock-calls.ts";
import { writeLargeDocument, writeLargeMock } from "./mock-contracts.ts";
import { type LoadOptions, sendLoad } from "./mock-load.ts";
import { type BySize, type Rates, ratesOf, reportMock, type Spent, type Start } from "./mock-report.ts";
import { type MeasuredServer, type ServerProgram, startServer, withServers } from "./mock-server.ts";

/** How many times the operations of the contract there are where it is shown whether their number matters. */
const sizes = [1, 10, 40] as const;

interface Rounds {
  readonly rounds: number;
  /** How long a server is sent requests in a round, in milliseconds. */
  readonly roundTime: number;
  /** Before the first round, until the program is compiled by Node: a number of requests, unless they take too long. */
  readonly warmUp: LoadOptions;
}

const longRounds: Rounds = { rounds: 10, roundTime: 200, warmUp: { milliseconds: 2500, most: 10_000 } };
const shortRounds: Rounds = { rounds: 7, roundTime: 150, warmUp: { milliseconds: 800, most: 5000 } };

/**
 * Measures the mock, as it is published, and Prism in the same run. Servers that are compared take turns in short rounds;
 * the requests come from this process. Takes less than a minute.
 *
 * @param mockFolder absolute path of the folder `mock` of the package, which holds its program and the plans.
 * @throws {UsageError} when it is not there, or a server does not answer as it should.
 */
export async function measureMock(mockFolder: string): Promise<BudgetedReport> {
  const program = join(mockFolder, "bin.cjs");
  if (!existsSync(program)) throw new UsageError(`There is no ${program}. Run "npm run build" first.`);
  const document = readBundle("test");
  const contract = readContract(document);
  const start: Starter = (server) => startServer(server, firstPath(contract), { "x-api-key": benchKey });
  const prism = prismOf(bundleFile("test", "yaml"));
  const [stateless, stateful] = [mockOf(program, ["--stateless"]), mockOf(program)];

  const starts = await measureStarts(start, { stateful, prism });
  const rates = {
    stateless: await compareRates(start, [stateless, prism], () => repeatedCalls(contract)),
    stateful: await compareRates(start, [stateful, prism], () => actingCalls(contract)),
  };
  const bySize = await withTemporaryFolder("bench-mock-", async (folder) => {
    const programs = sizes.map((size) => (size === 1 ? program : writeLargeMock(folder, mockFolder, size)));
    const documents = sizes.map((size) => (size === 1 ? undefined : writeLargeDocument(folder, document, size)));
    const repeated = () => repeatedCalls(contract);
    return {
      stateless: await compareSizes(
        start,
        programs.map((file) => mockOf(file, ["--stateless"])),
        repeated,
      ),
      stateful: await compareSizes(
        start,
        programs.map((file) => mockOf(file)),
        () => actingCalls(contract),
      ),
      prism: await compareSizes(
        start,
        documents.map((file) => (file === undefined ? prism : prismOf(file))),
        repeated,
      ),
    };
  });
  return reportMock({ starts, rates, bySize, counts: sizes.map((size) => size * contract.operations.length) });
}

type Starter = (program: ServerProgram) => Promise<MeasuredServer>;
type Calls = () => RequestSource;

function mockOf(file: string, args: readonly string[] = []): ServerProgram {
  const argsFor = (port: number) => ["mock", "--edition", "test", "--port", `${port}`, "--deposit-port", "0", ...args];
  return { name: "The mock", file, hasState: !args.includes("--stateless"), argsFor };
}

function prismOf(document: string): ServerProgram {
  const file = join(projectRoot, "node_modules/.bin/prism");
  return { name: "prism mock", file, hasState: false, argsFor: (port) => ["mock", "--port", `${port}`, document] };
}

/** Milliseconds to the first answer. Those of the mock are many, since they are short. */
async function measureStarts(
  start: Starter,
  { stateful, prism }: Record<"stateful" | "prism", ServerProgram>,
): Promise<Start> {
  const times: Record<"mock" | "prism", number[]> = { mock: [], prism: [] };
  for (const round of [1, 2, 3, 4]) {
    for (const program of [stateful, ...(round < 4 ? [prism] : []), stateful]) {
      const { startedIn } = await withServers([start(program)], async ([server]) => server as MeasuredServer);
      times[program === prism ? "prism" : "mock"].push(startedIn);
    }
  }
  return { mock: summarise(times.mock), prism: summarise(times.prism) };
}

function compareRates(start: Starter, programs: readonly ServerProgram[], calls: Calls): Promise<Rates> {
  return withServers(programs.map(start), async (servers) => {
    const [ours = [], prism = []] = await inRounds(servers, calls, longRounds);
    return ratesOf(ours, prism);
  });
}

/** @param programs the first one has the contract as it is. */
function compareSizes(start: Starter, programs: readonly ServerProgram[], calls: Calls): Promise<BySize> {
  return withServers(programs.map(start), async (servers) => {
    const [first = [], ...others] = await inRounds(servers, calls, shortRounds);
    return {
      cpu: summarise(first.map(({ cpu }) => cpu)).median,
      times: others.map((one) => summarise(one.map(({ cpu }, round) => cpu / (first[round]?.cpu ?? Number.NaN)))),
    };
  });
}

/** Sends requests to each server in every round, in every second round in reverse order. */
async function inRounds(
  servers: readonly MeasuredServer[],
  calls: Calls,
  { rounds, roundTime, warmUp }: Rounds,
): Promise<Spent[][]> {
  const loaded = servers.map((server) => ({ server, next: calls(), spent: [] as Spent[] }));
  for (const { server, next } of loaded) {
    if (server.hasState) await createPayers(server);
    await sendLoad(server.port, next, warmUp);
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const { server, next, spent } of round % 2 === 0 ? loaded : [...loaded].reverse()) {
      const before = await server.cpu();
      const { answers, elapsed } = await sendLoad(server.port, next, { milliseconds: roundTime });
      spent.push({ elapsed: (elapsed * 1000) / answers, cpu: ((await server.cpu()) - before) / answers });
    }
  }
  return loaded.map(({ spent }) => spent);
}
