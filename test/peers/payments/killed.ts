import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";

const killCount = Number(process.env.PAYMENTS_KILLS ?? 24);

/** A program that prints `begun`, works, and prints `done` at its end. */
export class Worker {
  readonly #args: readonly string[];
  /** The output of all processes of the program so far. */
  printedText = "";

  constructor(...args: string[]) {
    this.#args = args;
  }

  /** Repeatedly starts concurrent processes and kills each at a random time. Returns the number of kills. */
  async killRepeatedly({ processCount, withinMs }: { processCount: number; withinMs: number }): Promise<number> {
    let killedCount = 0;
    const killProcesses = async () => {
      while (killedCount < killCount) {
        const child = this.#start();
        await waitForOutput(child, "begun");
        await wait(Math.random() * withinMs);
        if (child.kill("SIGKILL")) killedCount += 1;
        await waitForExit(child);
      }
    };
    await Promise.all(Array.from({ length: processCount }, killProcesses));
    return killedCount;
  }

  async finish(): Promise<void> {
    const child = this.#start();
    await waitForOutput(child, "done");
    await waitForExit(child);
  }

  #start(): ChildProcess {
    const child = spawn(process.execPath, this.#args, { stdio: ["ignore", "pipe", "inherit"] });
    child.stdout.on("data", (text: Buffer) => {
      this.printedText += text;
    });
    return child;
  }
}

function waitForOutput(child: ChildProcess, word: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.stdout?.on("data", (text: Buffer) => text.includes(word) && resolve());
    child.once("exit", (code) => reject(new Error(`The worker ended with ${code} before it printed ${word}.`)));
  });
}

async function waitForExit(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}
