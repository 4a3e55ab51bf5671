/** The servers that the bench compares, each in a process of its own that prints its log to /dev/null. */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { devNull } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { UsageError } from "../contract/index.ts";

/** A program of Node that serves HTTP on the port that it is given. */
export interface ServerProgram {
  readonly name: string;
  /** Absolute path of the program. */
  readonly file: string;
  /** Whether it is a mock that keeps what is created. */
  readonly hasState: boolean;
  readonly argsFor: (port: number) => readonly string[];
}

export interface MeasuredServer {
  readonly name: string;
  readonly hasState: boolean;
  readonly port: number;
  /** Milliseconds from the start of the process to its first answer. */
  readonly startedIn: number;
  /** Processor time of the process so far, in microseconds. */
  cpu(): Promise<number>;
  /** Why it has ended and what it printed to standard error; undefined while it runs. */
  problem(): string | undefined;
  stop(): Promise<void>;
}

/** Loaded into the process before the program: tells its processor time when it is asked, and ends it with this process. */
const companion = join(import.meta.dirname, "mock-companion.cjs");

/** How often it is tried whether the program answers, in milliseconds. */
const interval = 5;

/**
 * Starts a program, and waits for its first answer.
 *
 * @param path what is asked for: the answer must be a success.
 * @throws {UsageError} with what it printed to standard error, when it ends or does not answer within a minute.
 */
export async function startServer(
  { name, file, hasState, argsFor }: ServerProgram,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<MeasuredServer> {
  const port = await freePort();
  const log = openSync(devNull, "w");
  const startedAt = performance.now();
  const child = spawn(process.execPath, ["--require", companion, file, ...argsFor(port)], {
    env: { ...process.env, DO_NOT_TRACK: "1", SCARF_ANALYTICS: "false" },
    stdio: ["ignore", log, "pipe", "ipc"],
  });
  closeSync(log);
  let printed = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    printed = `${printed}${chunk}`.slice(-2000);
  });
  const problem = () => {
    const reason = child.exitCode ?? child.signalCode;
    return reason === null ? undefined : `${name} has ended (${reason}).\n${printed}`;
  };
  while (!(await isAnswered(`http://127.0.0.1:${port}${path}`, headers))) {
    const isLate = performance.now() - startedAt > 60_000;
    if (!isLate && problem() === undefined) {
      await wait(interval);
      continue;
    }
    child.kill("SIGKILL");
    throw new UsageError(problem() ?? `${name} did not answer within a minute.\n${printed}`);
  }
  const startedIn = performance.now() - startedAt;
  return { name, hasState, port, startedIn, cpu: () => cpuOf(child), problem, stop: () => stop(child) };
}

/**
 * Uses servers that were started, and ends them whatever comes of it.
 *
 * @throws {UsageError} when one has ended meanwhile; otherwise what `use` throws.
 */
export async function withServers<Value>(
  starts: readonly Promise<MeasuredServer>[],
  use: (servers: readonly MeasuredServer[]) => Promise<Value>,
): Promise<Value> {
  const running: MeasuredServer[] = [];
  try {
    for (const start of await Promise.allSettled(starts)) if (start.status === "fulfilled") running.push(start.value);
    return await use(await Promise.all(starts));
  } catch (error) {
    // The end of a process is known a moment after its connections are gone.
    await wait(100);
    const [problem] = running.flatMap((server) => server.problem() ?? []);
    throw problem === undefined ? error : new UsageError(problem);
  } finally {
    await Promise.all(running.map((server) => server.stop()));
  }
}

async function isAnswered(url: string, headers: Readonly<Record<string, string>>): Promise<boolean> {
  try {
    const response = await fetch(url, { headers: { ...headers, connection: "close" } });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

function cpuOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new UsageError("A server ended while it was measured."));
    child.once("exit", onExit);
    child.once("message", (microseconds) => {
      child.off("exit", onExit);
      resolve(microseconds as number);
    });
    child.send("cpu", (error) => error && reject(error));
  });
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once("exit", () => resolve());
    child.kill("SIGKILL");
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
