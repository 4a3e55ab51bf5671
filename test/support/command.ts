import { existsSync, readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { projectRoot } from "../../scripts/base/index.ts";
import { Program } from "../../scripts/tools/processes/index.ts";

export class Command extends Program {
  constructor(program: string, args: string[], cwd: string) {
    const { PATH, HOME } = process.env;
    const quietEnvironment = { NO_COLOR: "1", DO_NOT_TRACK: "1", SCARF_ANALYTICS: "false", REDOCLY_TELEMETRY: "off" };
    super(program, args, { cwd, env: { PATH, HOME, ...quietEnvironment } });
  }

  /** Empty on systems without `/proc`. */
  get processIds(): number[] {
    return processesInGroup(this.pid);
  }

  async waitForEnd(limitMs: number): Promise<void> {
    const endsAt = performance.now() + limitMs;
    while (performance.now() < endsAt && this.processIds.length > 0) await sleep(20);
  }
}

export function startScript(name: string, ...args: string[]): Command {
  return new Command(process.execPath, ["--import", "tsx", `scripts/cli/npm/${name}.ts`, ...args], projectRoot);
}

export async function runCommand(program: string, args: string[], cwd: string) {
  const command = new Command(program, args, cwd);
  return { code: await command.exitCode, output: command.output };
}

function processesInGroup(group: number): number[] {
  if (!existsSync("/proc/self/stat")) return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        // The state follows the last parenthesis: the program's name before it can contain parentheses.
        const stat = readFileSync(`/proc/${name}/stat`, "utf8");
        const [state, , groupId] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        return state !== "Z" && Number(groupId) === group;
      } catch {
        return false;
      }
    })
    .map(Number);
}
