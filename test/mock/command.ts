/** Runs a command of this repository as a person would. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { projectRoot } from "../../scripts/contract/project.ts";

export interface Running {
  /** What was printed so far, to both streams. */
  output: () => string;
  /** Waits until the output matches; fails when the command ends first. */
  waitFor: (pattern: RegExp) => Promise<RegExpExecArray>;
  /** Sends a signal and waits for the end. */
  stop: (signal: NodeJS.Signals) => Promise<number | null>;
  /** Waits for the end. */
  ended: Promise<number | null>;
}

/** Starts a command of `node_modules/.bin`; colours and telemetry are off. */
export function run(command: string, args: string[]): Running {
  const { PATH, HOME } = process.env;
  const child = spawn(`${projectRoot}/node_modules/.bin/${command}`, args, {
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
