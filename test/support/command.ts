/** Runs a command in a process of its own, as a person does. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { projectRoot } from "../../scripts/contract/model/index.ts";
import { Program } from "../../scripts/tools/verify/processes.ts";

export class Command extends Program {
  /** @param cwd the folder to start it in. Colours and telemetry are off, and nothing is known of the test runner. */
  constructor(program: string, args: string[], cwd: string) {
    const { PATH, HOME } = process.env;
    const quiet = { NO_COLOR: "1", DO_NOT_TRACK: "1", SCARF_ANALYTICS: "false", REDOCLY_TELEMETRY: "off" };
    super(program, args, { cwd, env: { PATH, HOME, ...quiet } });
  }

  /** What is left of this process and all that it has started, by their ids; empty where there is no `/proc`. */
  get processes(): number[] {
    return processGroup(this.pid);
  }

  /** Waits until nothing is left of this process and all that it has started, or the limit is over. */
  async waitForEnd(limitMs: number): Promise<void> {
    const endsAt = performance.now() + limitMs;
    while (performance.now() < endsAt && this.processes.length > 0) await sleep(20);
  }
}

/** Starts a command of package.json without npm, by its file in `scripts/cli/npm`. */
export function script(name: string, ...args: string[]): Command {
  return new Command(process.execPath, ["--import", "tsx", `scripts/cli/npm/${name}.ts`, ...args], projectRoot);
}

/** Runs a command to its end. */
export async function runCommand(program: string, args: string[], cwd: string) {
  const command = new Command(program, args, cwd);
  return { code: await command.ended, output: command.output };
}

/** The processes of a group, those left out that have ended and wait for their parent. */
function processGroup(group: number): number[] {
  if (!existsSync("/proc/self/stat")) return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        // The name of the program stands in parentheses and can hold anything.
        const stat = readFileSync(`/proc/${name}/stat`, "utf8");
        const [state, , itsGroup] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        return state !== "Z" && Number(itsGroup) === group;
      } catch {
        return false;
      }
    })
    .map(Number);
}
