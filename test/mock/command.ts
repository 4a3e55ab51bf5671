/** Runs a command in a process of its own, as a user does. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { projectRoot } from "../../scripts/contract/index.ts";

export interface Running {
  /** What was printed so far to stdout and stderr. */
  output: () => string;
  /** Waits until the output matches; rejects when the command ends before. */
  waitFor: (pattern: RegExp) => Promise<RegExpExecArray>;
  /** Sends a signal and waits for the end. */
  stop: (signal: NodeJS.Signals) => Promise<number | null>;
  /** Waits for the end. */
  ended: Promise<number | null>;
}

/** Starts `npm run mock` without npm. */
export function runMock(...args: string[]): Running {
  return run(process.execPath, ["--import", "tsx", "scripts/commands/mock.ts", ...args]);
}

/** Starts an executable in the folder of the repository, without colours and telemetry. */
export function run(command: string, args: string[]): Running {
  const { PATH, HOME } = process.env;
  const child = spawn(command, args, {
    cwd: projectRoot,
    env: { PATH, HOME, NO_COLOR: "1", FORCE_COLOR: "0", DO_NOT_TRACK: "1", SCARF_ANALYTICS: "false" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += chunk;
    });
  }
  const ended = endOf(child);
  return {
    output: () => output,
    waitFor: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(output);
          if (match !== null) resolve(match);
        };
        child.stdout.on("data", look);
        ended.then((code) => reject(new Error(`${command} ended with ${code}:\n${output}`)));
        look();
      }),
    stop: (signal) => {
      child.kill(signal);
      return ended;
    },
    ended,
  };
}

async function endOf(child: ChildProcess): Promise<number | null> {
  const [code] = await once(child, "close");
  return code as number | null;
}
