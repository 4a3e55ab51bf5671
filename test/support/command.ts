/** Runs a command in a process of its own, as a person does. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

export class Command {
  readonly #name: string;
  readonly #child: ChildProcess;
  #output = "";
  /** Resolves to the exit code when the process has ended; null after a signal. */
  readonly ended: Promise<number | null>;

  /** @param cwd the folder to start it in. Colours and telemetry are off. */
  constructor(program: string, args: string[], cwd: string) {
    const { PATH, HOME } = process.env;
    this.#name = [program, ...args].join(" ");
    this.#child = spawn(program, args, {
      cwd,
      env: { PATH, HOME, NO_COLOR: "1", DO_NOT_TRACK: "1", SCARF_ANALYTICS: "false", REDOCLY_TELEMETRY: "off" },
      stdio: ["ignore", "pipe", "pipe"],
      // A process group of its own, as in a terminal.
      detached: true,
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.#output += text;
      });
    }
    this.ended = once(this.#child, "close").then(([code]) => code as number | null);
  }

  /** What was printed so far to stdout and stderr. */
  get output(): string {
    return this.#output;
  }

  /** How much was printed so far: for {@link waitFor}. */
  get position(): number {
    return this.#output.length;
  }

  /**
   * Waits until what is printed from a position on matches.
   *
   * @throws {Error} with the output, when the command ends before, or prints no such text within the limit.
   */
  async waitFor(pattern: RegExp, { from = 0, limitMs = 20_000 } = {}): Promise<RegExpExecArray> {
    const endsAt = performance.now() + limitMs;
    for (;;) {
      const match = pattern.exec(this.#output.slice(from));
      if (match !== null) return match;
      if (this.#child.exitCode !== null) throw new Error(`${this.#name} has ended:\n${this.#output}`);
      if (performance.now() > endsAt) throw new Error(`${this.#name} printed no ${pattern}:\n${this.#output}`);
      await sleep(10);
    }
  }

  /** The exit code; "still running" when it has not ended within the limit. */
  endedWithin(limitMs: number): Promise<number | null | "still running"> {
    return Promise.race([this.ended, sleep(limitMs, "still running" as const, { ref: false })]);
  }

  /** Sends a signal to this process alone. */
  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Sends a signal to this process and all that it has started, as Ctrl+C in a terminal does. */
  signalGroup(signal: NodeJS.Signals): void {
    try {
      process.kill(-(this.#child.pid as number), signal);
    } catch {
      // All of them have ended.
    }
  }

  /** What is left of this process and all that it has started, by their ids; empty where there is no `/proc`. */
  get processes(): number[] {
    return processGroup(this.#child.pid as number);
  }

  /** Waits until nothing is left of this process and all that it has started, or the limit is over. */
  async waitForEnd(limitMs: number): Promise<void> {
    const endsAt = performance.now() + limitMs;
    while (performance.now() < endsAt && this.processes.length > 0) await sleep(20);
  }

  /** Ends the process and all that it has started, at once. */
  async kill(): Promise<void> {
    this.signalGroup("SIGKILL");
    await this.ended;
  }
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
