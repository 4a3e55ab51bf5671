/** Runs servers for the checks. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { stripVTControlCharacters } from "node:util";
import { UsageError } from "../contract/usage-error.ts";
import type { RunOptions } from "./run.ts";

const startLimitMs = 60_000;
const stopLimitMs = 5_000;

/**
 * Starts a server that takes a free port of 127.0.0.1, uses it, and stops it.
 *
 * @param port finds the port in what the server prints.
 * @param use is given the origin of the server.
 * @throws {UsageError} with all that it printed, when it does not come to listen.
 */
export async function withServer<Result>(
  program: string,
  args: string[],
  options: RunOptions & { port: RegExp },
  use: (origin: string) => Promise<Result>,
): Promise<Result> {
  const { port, ...spawnOptions } = options;
  const child = spawn(program, args, { ...spawnOptions, stdio: ["ignore", "pipe", "pipe"] });
  try {
    return await use(`http://127.0.0.1:${await findPort(child, port, `${program} ${args.join(" ")}`)}`);
  } finally {
    await stop(child);
  }
}

function findPort(child: ChildProcess, form: RegExp, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = "";
    const limit = setTimeout(() => fail("does not listen"), startLimitMs);
    const fail = (why: string) => {
      clearTimeout(limit);
      reject(new UsageError(`${command} ${why}.\n${printed}`));
    };
    const read = (chunk: Buffer) => {
      printed += stripVTControlCharacters(String(chunk));
      const [, port] = form.exec(printed) ?? [];
      if (port === undefined) return;
      clearTimeout(limit);
      resolve(port);
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("error", ({ message }) => fail(`cannot be started: ${message}`));
    child.once("exit", () => fail("ended before it listened"));
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill();
  const force = setTimeout(() => child.kill("SIGKILL"), stopLimitMs);
  await ended;
  clearTimeout(force);
}
