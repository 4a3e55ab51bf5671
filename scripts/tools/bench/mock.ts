import { existsSync } from "node:fs";
import { join } from "node:path";
import { bundleFile, projectRoot, UsageError } from "../../base/index.ts";
import type { Contract } from "../../contract/model/index.ts";
import { controlPath } from "../../mock/request/index.ts";
import { distFolder, programPath } from "../packaging/index.ts";
import { type Program, start } from "../processes/index.ts";
import { compareInTurns, formatRatio, type Ratio, table } from "./figures.ts";
import { operationOf, pathnameOf } from "./samples.ts";

/** `status` is checked, because a server that refuses requests must not appear fast. */
interface MockCall {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly status: number;
}

interface Server {
  readonly program: Program;
  readonly origin: string;
}

const mockCommand: readonly string[] = [
  join(distFolder, programPath),
  "mock",
  "--port",
  "0",
  "--deposit-port",
  "0",
  "--quiet",
];

const prismCommand: readonly string[] = [
  join(projectRoot, "node_modules/.bin/prism"),
  "mock",
  "--port",
  "0",
  bundleFile("latest", "yaml"),
];

const users = ["user-1042", "user-2077"] as const;

/** @param effort fraction of the full number of requests. */
export async function measureMock(contract: Contract, effort: number): Promise<string> {
  if (!existsSync(mockCommand[0] ?? "")) throw new UsageError('The mock is not built. Run "npm run build" first.');
  const servers = {
    prism: await startServer(prismCommand),
    stateless: await startServer([...mockCommand, "--stateless"]),
    stateful: await startServer([...mockCommand, "--empty"]),
  };
  try {
    const ratios = await compareServers(servers, contract, 2000 * effort);
    const rows = Object.entries(ratios).map(([name, ratio]) => [name, formatRatio(ratio)]);
    return table([["Server", "CPU for a request"], ...rows]);
  } finally {
    await Promise.all(Object.values(servers).map(({ program }) => program.kill()));
  }
}

async function compareServers(
  { prism, stateless, stateful }: Readonly<Record<"prism" | "stateless" | "stateful", Server>>,
  contract: Contract,
  requestCount: number,
): Promise<Record<string, Ratio>> {
  for (const user of users) {
    const body = { extended: true, funds: { eur: "100000000.00" } };
    await send(stateful, { method: "POST", path: `${controlPath}/users/${user}`, body, status: 200 });
  }
  const knownCalls = callsOf(contract);
  const unknownCalls = knownCalls.slice(0, 1).map((call) => ({ ...call, path: `${call.path}s`, status: 404 }));
  const programFor = (server: Server, count = requestCount, calls = knownCalls) => ({
    readCpuTime: () => cpuTimeOf(server),
    run: () => Promise.all(Array.from({ length: 8 }, () => sendInTurns(server, calls, count / 8))),
  });
  // Warm-up, so that Node compiles the programs. Prism is slower, so it gets fewer requests.
  await programFor(prism, 2000).run();
  for (const server of [stateless, stateful]) await programFor(server, 8000).run();
  const knownPaths = {
    "prism mock": programFor(prism),
    "mock, stateless": programFor(stateless),
    "mock, stateful": programFor(stateful),
  };
  const unknownPath = {
    prism: programFor(prism, requestCount, unknownCalls),
    mock: programFor(stateful, requestCount, unknownCalls),
  };
  const ratios = await compareInTurns(knownPaths, 8);
  return { ...ratios, "mock, unknown path": (await compareInTurns(unknownPath, 8)).mock };
}

function callsOf(contract: Contract): MockCall[] {
  const [sourceExternalUserId, destinationExternalUserId] = users;
  const pathOf = (id: string) => pathnameOf(operationOf(contract, id), { externalUserId: sourceExternalUserId });
  const body = { sourceExternalUserId, destinationExternalUserId, amount: "0.01", currency: "eur" };
  const transfer = { method: "POST", path: pathOf("createTransfer") };
  return [
    { method: "GET", path: pathOf("getPartnerBalances"), status: 200 },
    { method: "GET", path: pathOf("getUserBalances"), status: 200 },
    { ...transfer, body, status: 201 },
    { ...transfer, body: {}, status: 400 },
  ];
}

async function sendInTurns(server: Server, calls: readonly MockCall[], callCount: number): Promise<void> {
  for (let index = 0; index < callCount; index += 1) await send(server, calls[index % calls.length] as MockCall);
}

async function startServer(args: readonly string[]): Promise<Server> {
  // This code is preloaded into the program, and prints the processor time of the process on a signal.
  const probe = `process.on("SIGUSR2", () => {
    const { user, system } = process.cpuUsage();
    console.error("microseconds " + (user + system) + ".");
  });`;
  const preloadedModule = `data:text/javascript,${encodeURIComponent(probe)}`;
  const env = { DO_NOT_TRACK: "1", SCARF_ANALYTICS: "false" };
  const program = start(process.execPath, ["--import", preloadedModule, ...args], { cwd: projectRoot, env });
  const [origin] = await program.waitFor(/http:\/\/127\.0\.0\.1:\d+/, { limitMs: 60_000 });
  return { program, origin };
}

async function cpuTimeOf({ program }: Server): Promise<number> {
  const outputStart = program.outputLength;
  program.signal("SIGUSR2");
  return Number((await program.waitFor(/microseconds (\d+)\./, { offset: outputStart }))[1]);
}

async function send({ origin }: Server, { method, path, body, status }: MockCall): Promise<void> {
  const headers = { "x-api-key": "bench-key", "content-type": "application/json" };
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const response = await fetch(`${origin}${path}`, init);
  await response.arrayBuffer();
  if (response.status !== status)
    throw new UsageError(`${method} ${path} was answered with ${response.status} instead of ${status}.`);
}
