import { hash } from "node:crypto";
import { setMaxListeners } from "node:events";
import { connect, createServer } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { startMock } from "../mock/host/index.ts";
import type { Plan } from "../mock/plan/index.ts";
import { attempt } from "../mock/webhooks/index.ts";
import { callerOf } from "./caller.ts";
import { programEnv } from "./environment.ts";
import { leaksOf } from "./judge.ts";
import type { ProveOptions } from "./options.ts";
import { Output, type Secret } from "./output.ts";
import { type ProcessOptions, ProgramProcess, ProveError } from "./processes.ts";
import { proofOf, reportOf } from "./proof.ts";
import { type Receiver, type ReceiverCondition, receiverConditions } from "./receiver-conditions.ts";
import {
  type EventSequence,
  makeEventSequence,
  type ReceivedEvent,
  receiverIban,
  type Sums,
} from "./receiver-events.ts";
import type { Problem, ProofReport } from "./report.ts";
import { limitTo } from "./schedule.ts";
import { readOnly } from "./select.ts";
import { RunFolder } from "./state.ts";
import { judgeSums, readSums } from "./sums.ts";
import { readWorlds } from "./worlds.ts";

const startLimitMs = 30_000;
/** Time in which the receiver processes acknowledged events before its ledger is read. */
const firstReadDelayMs = 100;
const secondReadDelayMs = 1500;
const retryDelaysMs = [100, 300, 900, 2700];
const responseLimitMs = 10_000;
const maxRefusedWithRetries = 2;
const acknowledgedStatus = 200;
const ledgerLimitMs = 30_000;
const maxLedger = 64 * 1024;

interface ReceiverProofContext {
  readonly options: ProveOptions;
  readonly env: NodeJS.ProcessEnv;
  readonly token: string;
  readonly key: string;
}

export async function proveReceiver(plan: Plan, options: ProveOptions): Promise<ProofReport> {
  const startedAt = performance.now();
  const { seed, signal, edition } = options;
  const conditions = readOnly(options.only, receiverConditions).map(({ condition }) => condition);
  const { always, sets } = readWorlds(plan, options.answers ?? []);
  if (sets.length > 0) throw new ProveError('A receiver is tried with single answers: --answers "Q-…=an answer".');
  setMaxListeners(0, signal);
  const mock = await startMock(plan, { seed, edition });
  try {
    const secret = (what: string) => hash("sha256", `${seed} ${what}`).slice(0, 32);
    const [key, token] = [`prove-${secret("key")}`, `token-${secret("token")}`];
    const [sequence, failingSequence] = (await Promise.all(
      [key, `${key}-failures`].map((own) => {
        const world = mock.tenant(own);
        world.answer(always);
        return makeEventSequence(plan, world, callerOf(plan, mock.url, own, always), own !== key);
      }),
    )) as [EventSequence, EventSequence];
    const env = programEnv(mock, options, { API_KEY: key, WEBHOOK_TOKEN: token });
    const limit = limitTo(options.parallel);
    const proofs = conditions.map((condition) =>
      limit(async () => {
        const startedOne = performance.now();
        const played = condition.hasFailures === true ? failingSequence : sequence;
        const problems = await runReceiver({ options, env, token, key }, condition, played);
        signal.throwIfAborted();
        const run = { problems, isMet: true, remarks: [], unclear: 0, runs: 1 };
        return proofOf(condition, [run], { done: "", milliseconds: performance.now() - startedOne });
      }),
    );
    return await reportOf(plan, options, {
      ...{ proof: "receiver", startedAt, input: [], remarks: [] },
      ...{ conditions, proofs },
    });
  } finally {
    await mock.close();
  }
}

/** The receiver did not start, has ended by itself, or its `ledger` command failed. Ends the run, and is reported as a finding. */
class ReceiverDown extends Error {}

async function runReceiver(
  proving: ReceiverProofContext,
  condition: ReceiverCondition,
  sequence: EventSequence,
): Promise<Problem[]> {
  const run = new ReceiverRun(proving, condition, await freePort());
  try {
    await run.start();
    await condition.play({ ...run.receiver, events: sequence.events });
    let found = await run.readLedger();
    if (judgeSums(found, sequence).length > 0) {
      // Reads a wrong ledger once more, since the receiver may process acknowledged events asynchronously.
      await run.start();
      await wait(secondReadDelayMs);
      found = await run.readLedger();
    }
    run.problems.push(...judgeSums(found, sequence));
  } catch (error) {
    if (!(error instanceof ReceiverDown)) throw error;
    run.problems.push({ kind: "does-not-finish", seen: error.message });
  } finally {
    await run.end();
  }
  return [...new Map(run.problems.map((problem) => [`${problem.kind} ${problem.seen}`, problem])).values()];
}

/** The receiver under one condition: its folder, its process, and the problems that it has shown. */
class ReceiverRun {
  readonly problems: Problem[] = [];
  readonly #proving: ReceiverProofContext;
  readonly #condition: ReceiverCondition;
  readonly #port: number;
  readonly #secrets: readonly Secret[];
  readonly #output: Output;
  readonly #folder = new RunFolder();
  #process: ProgramProcess | undefined;
  #draws = 0;
  #refused = 0;

  constructor(proving: ReceiverProofContext, condition: ReceiverCondition, port: number) {
    this.#proving = proving;
    this.#condition = condition;
    this.#port = port;
    this.#secrets = [
      { name: "the API key", text: proving.key, mayBeKept: false },
      { name: "the webhook token", text: proving.token, mayBeKept: false },
      { name: "the IBAN", text: receiverIban, mayBeKept: true },
    ];
    this.#output = new Output(this.#secrets);
  }

  /** The functions and values with which a condition acts on the receiver; the caller adds the events. */
  get receiver(): Omit<Receiver, "events"> {
    return {
      token: this.#proving.token,
      deliver: (event) => this.#deliver(event),
      post: (path, body, token) => this.#post(path, body, token),
      restart: async () => {
        await this.#stop();
        await this.start();
      },
      accepted: (what) =>
        this.problems.push({ kind: "forged-event-accepted", seen: `It answered ${acknowledgedStatus} to ${what}.` }),
      random: (below) => this.#random(below),
    };
  }

  async start(): Promise<void> {
    const limitMs = this.#proving.options.limitSeconds * 1000;
    this.#process = this.#run(["serve", String(this.#port), this.#folder.state], limitMs, this.#output.add);
    await waitForPort(this.#port, this.#process, this.#output);
  }

  async readLedger(): Promise<Sums> {
    await wait(firstReadDelayMs);
    await this.#stop();
    let text = "";
    const process = this.#run(["ledger", this.#folder.state], ledgerLimitMs, (piece, stream) => {
      if (stream === "stdout") text = (text + piece).slice(0, maxLedger);
    });
    const { code } = await process.ended;
    const sums = code === 0 ? readSums(text) : undefined;
    if (sums !== undefined) return sums;
    const how = code === 0 ? 'printed no line such as {"sums":{"user-a/eur":"1.00"}}' : `ended with exit code ${code}`;
    throw new ReceiverDown(`"ledger" ${how}.`);
  }

  /** Stops the receiver, adds the secrets that it has printed or stored to the problems, and removes its folder. */
  async end(): Promise<void> {
    await this.#stop();
    this.problems.push(...leaksOf(this.#output, this.#folder.secrets(this.#secrets)));
    this.#folder.remove();
  }

  #run(args: readonly string[], limitMs: number, onOutput: ProcessOptions["onOutput"]): ProgramProcess {
    const { env, options } = this.#proving;
    return new ProgramProcess([...options.command, ...args], { env, limitMs, onOutput, signal: options.signal });
  }

  async #stop(): Promise<void> {
    const stopped = this.#process;
    this.#process = undefined;
    await stopped?.kill();
  }

  async #post(path: string, body: string, token: string | undefined): Promise<number | undefined> {
    const target = { url: `http://127.0.0.1:${this.#port}`, token };
    return (await attempt({ target, path, body }, { timeoutMs: responseLimitMs })).status;
  }

  async #deliver({ webhook, path, body }: ReceivedEvent): Promise<void> {
    // A receiver that seems to refuse all events gets no retries, to save time.
    const delays = this.#refused < maxRefusedWithRetries ? [0, ...retryDelaysMs] : [0];
    for (const delay of delays) {
      await wait(delay);
      if (this.#process?.hasEnded) {
        await this.#process.ended;
        throw new ReceiverDown(`"serve" ended by itself. ${this.#output.lastLines(3).join(" | ")}`.trim());
      }
      this.#proving.options.signal.throwIfAborted();
      if ((await this.#post(path, body, this.#proving.token)) === acknowledgedStatus) return;
    }
    this.#refused += 1;
    this.problems.push({
      kind: "event-refused",
      seen: `${webhook} was not answered with ${acknowledgedStatus} (attempts: ${delays.length}).`,
    });
  }

  #random(below: number): number {
    this.#draws += 1;
    const name = `${this.#proving.options.seed} ${this.#condition.name} ${this.#draws}`;
    return hash("sha256", name, "buffer").readUInt32BE() % below;
  }
}

async function waitForPort(port: number, process: ProgramProcess, output: Output): Promise<void> {
  for (const until = performance.now() + startLimitMs; !process.hasEnded && performance.now() < until; await wait(15)) {
    if (await canConnect(port)) return;
  }
  const isLate = !process.hasEnded;
  await process.kill();
  // Rejects if the program cannot be started, which is a mistake in the command line and no finding.
  const { code } = await process.ended;
  const end = isLate ? `took no connection within ${startLimitMs / 1000} s` : `ended with exit code ${code}`;
  throw new ReceiverDown(`"serve" ${end}. ${output.lastLines(3).join(" | ")}`.trim());
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const end = (is: boolean) => () => {
      socket.destroy();
      resolve(is);
    };
    socket.once("connect", end(true)).once("error", end(false));
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
