/** The mock beside the `prism mock` command of the same contract: processor time for a request. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { Agent, request as httpRequest } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { bundleFile, type Contract, projectRoot, UsageError } from "../contract/index.ts";
import { type BudgetedReport, summarise, table, timesWithin } from "./figures.ts";

/** A request, and what its answer has to be: a server that refuses must not look fast. */
interface MockCall {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly status: number;
}

const headers = { "x-api-key": "bench-key", "content-type": "application/json" };
const users = ["user-1042", "user-2077"] as const;

/**
 * Measures the mock, as `npm run build` has written it, and Prism in the same rounds.
 *
 * @param effort part of the usual number of requests.
 * @throws {UsageError} when the mock is not there, or a server does not answer as it should.
 */
export async function measureMock(contract: Contract, effort: number): Promise<BudgetedReport> {
  const program = join(projectRoot, "dist/mock/bin.cjs");
  if (!existsSync(program)) throw new UsageError(`There is no ${program}. Run "npm run build" first.`);
  const prism = (port: number) => [
    join(projectRoot, "node_modules/.bin/prism"),
    ...["mock", "--port", `${port}`, bundleFile("latest", "yaml")],
  ];
  const mock = (port: number) => [program, "mock", "--port", `${port}`, "--deposit-port", "0"];
  const modes = { stateless: (port: number) => [...mock(port), "--stateless"], stateful: mock };
  const calls = callsOf(contract);
  const rows: string[][] = [["Mode", "mock, CPU µs for a request", "prism mock", "ratio"]];
  const figures: Record<string, number> = {};
  for (const [mode, ours] of Object.entries(modes)) {
    const servers = await Promise.all([ours, prism].map((args) => startServer(args, calls[0] as MockCall)));
    try {
      const [server] = servers;
      for (const user of mode === "stateful" ? users : []) await createUser(server as Server, user);
      const [spent = [], ofPrism = []] = await inRounds(servers, calls, effort);
      const ratio = summarise(spent.map((cpu, round) => cpu / (ofPrism[round] ?? Number.NaN)));
      const medians = [spent, ofPrism].map((cpu) => summarise(cpu).median.toFixed(0));
      rows.push([mode, ...medians, timesWithin(ratio)]);
      figures[`mock, ${mode}, CPU for a request, ‰ of prism mock`] = Math.round(ratio.median * 1000);
    } finally {
      for (const { child } of servers) child.kill("SIGKILL");
    }
  }
  return { report: table(rows), figures };
}

/** Two reads, a transfer, and one that is refused since it lacks everything. */
function callsOf({ operations }: Contract): MockCall[] {
  const pathOf = (id: string) => {
    const found = operations.find(({ operationId }) => operationId === id);
    if (found === undefined) throw new UsageError(`The bench needs ${id}. Choose another operation in mock.ts.`);
    return found.path.replace("{externalUserId}", users[0]);
  };
  const [sourceExternalUserId, destinationExternalUserId] = users;
  const body = { sourceExternalUserId, destinationExternalUserId, amount: "0.01", currency: "eur" };
  const transfer = { method: "POST", path: pathOf("createTransfer") };
  return [
    { method: "GET", path: pathOf("getPartnerBalances"), status: 200 },
    { method: "GET", path: pathOf("getUserBalances"), status: 200 },
    { ...transfer, body, status: 201 },
    { ...transfer, body: {}, status: 400 },
  ];
}

async function createUser(server: Server, user: string): Promise<void> {
  const body = { extended: true, funds: { eur: "100000000.00" } };
  await send(server, { method: "POST", path: `/__mock/users/${user}`, body, status: 200 });
}

/** Sends requests to each server in every round, and returns the microseconds that one took, for each server and round. */
async function inRounds(servers: readonly Server[], calls: readonly MockCall[], effort: number): Promise<number[][]> {
  const spent = servers.map((): number[] => []);
  const sendAll = (server: Server, requests: number) =>
    Promise.all(Array.from({ length: 8 }, () => sendInTurns(server, calls, requests / 8)));
  // Until Node has compiled the programs.
  for (const server of servers) await sendAll(server, 4000);
  const requests = 2000 * effort;
  for (let round = 0; round < 8; round += 1) {
    for (const [index, server] of servers.entries()) {
      const before = await cpuOf(server.child);
      await sendAll(server, requests);
      spent[index]?.push(((await cpuOf(server.child)) - before) / requests);
    }
  }
  return spent;
}

async function sendInTurns(server: Server, calls: readonly MockCall[], times: number): Promise<void> {
  for (let count = 0; count < times; count += 1) await send(server, calls[count % calls.length] as MockCall);
}

interface Server {
  readonly child: ChildProcess;
  readonly port: number;
  readonly agent: Agent;
}

/** Starts a program of Node in a process of its own that prints its log to nowhere, and waits for its first answer. */
async function startServer(argsFor: (port: number) => readonly string[], first: MockCall): Promise<Server> {
  const port = await freePort();
  // Loaded before the program: tells the processor time of the process when it is asked, and ends it with this one.
  const probe = `process.on("message", () => { const { user, system } = process.cpuUsage(); process.send(user + system); });
process.once("disconnect", () => process.exit());`;
  const preloaded = `data:text/javascript,${encodeURIComponent(probe)}`;
  const child = spawn(process.execPath, ["--import", preloaded, ...argsFor(port)], {
    env: { ...process.env, DO_NOT_TRACK: "1", SCARF_ANALYTICS: "false" },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let printed = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    printed = `${printed}${chunk}`.slice(-2000);
  });
  const server = { child, port, agent: new Agent({ keepAlive: true, maxSockets: 8 }) };
  const startedAt = performance.now();
  while (performance.now() - startedAt < 60_000 && child.exitCode === null) {
    if (
      await send(server, first).then(
        () => true,
        () => false,
      )
    )
      return server;
    await wait(20);
  }
  child.kill("SIGKILL");
  throw new UsageError(`${child.spawnargs.join(" ")} does not answer.\n${printed}`);
}

/** @throws {UsageError} when the answer is not the expected one. */
function send({ port, agent }: Server, { method, path, body, status }: MockCall): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ port, host: "127.0.0.1", agent, method, path, headers }, (response) => {
      const problem = new UsageError(
        `${method} ${path} was answered with ${response.statusCode} instead of ${status}.`,
      );
      response.resume().on("end", () => (response.statusCode === status ? resolve() : reject(problem)));
    });
    request.on("error", reject).end(body === undefined ? undefined : JSON.stringify(body));
  });
}

async function cpuOf(child: ChildProcess): Promise<number> {
  child.send("cpu");
  const [microseconds] = await once(child, "message");
  return microseconds as number;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
