import { hash } from "node:crypto";
import { setMaxListeners } from "node:events";
import { connect, createServer } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { startMock } from "../mock/host/index.ts";
import type { Plan } from "../mock/plan/index.ts";
import { acknowledgedStatus, attempt } from "../mock/webhooks/index.ts";
import { parseAnswers } from "./answers.ts";
import { callerOf } from "./caller.ts";
import { programEnv } from "./environment.ts";
import { leaksOf } from "./judge.ts";
import type { ProveOptions } from "./options.ts";
import { Output, type Secret } from "./output.ts";
import { describeExit, type ProcessOptions, ProgramProcess, ProveError } from "./processes.ts";
import { makeProof, makeReport, type RunResult } from "./proof.ts";
import { type Receiver, type ReceiverCondition, receiverConditions } from "./receiver-conditions.ts";
import {
  type EventSequence,
  makeEventSequence,
  type ReceivedEvent,
  receiverIban,
  type Sums,
} from "./receiver-events.ts";
import type { Problem, ProofReport } from "./report.ts";
import { makeLimit } from "./schedule.ts";
import { parseOnly } from "./select.ts";
import { RunFolder } from "./state.ts";
import { judgeSums, readSums } from "./sums.ts";

const startLimitMs = 30_000;
/** The time in milliseconds before each reading of the ledger, during which the receiver can process acknowledged events. */
const readDelayMs = 100;
/** The additional time in milliseconds before a wrong ledger is read a second time. */
const secondReadDelayMs = 1500;
const retryDelaysMs = [100, 300, 900, 2700];
const responseLimitMs = 10_000;
const maxRefusedWithRetries = 2;
const ledgerLimitMs = 30_000;
const maxLedgerLength = 64 * 1024;

interface ReceiverProofContext {
  readonly options: ProveOptions;
  readonly env: NodeJS.ProcessEnv;
  readonly token: string;
  readonly key: string;
}

export async function proveReceiver(plan: Plan, options: ProveOptions): Promise<ProofReport> {
  const startedAt = performance.now();
  const { seed, signal, edition } = options;
  const conditions = parseOnly(options.only, receiverConditions, () => []).map(({ condition }) => condition);
  const { fixedAnswers, answerSets } = parseAnswers(plan, options.answers ?? []);
  if (answerSets.length > 0)
    throw new ProveError('A receiver is tried with single answers: --answers "Q-…=an answer".');
  setMaxListeners(0, signal);
  const mock = await startMock(plan, { seed, edition });
  try {
    const makeSecret = (name: string) => hash("sha256", `${seed} ${name}`).slice(0, 32);
    const [key, token] = [`prove-${makeSecret("key")}`, `token-${makeSecret("token")}`];
    const [sequence, failingSequence] = (await Promise.all(
      [key, `${key}-failures`].map((worldKey) => {
        const world = mock.tenant(worldKey);
        world.answer(fixedAnswers);
        return makeEventSequence(plan, world, callerOf(plan, mock.url, worldKey, fixedAnswers), worldKey !== key);
      }),
    )) as [EventSequence, EventSequence];
    const env = programEnv(mock, options, { API_KEY: key, WEBHOOK_TOKEN: token });
    const limit = makeLimit(options.parallel);
    const proofs = conditions.map((condition) =>
      limit(async () => {
        const conditionStartedAt = performance.now();
        const events = condition.hasFailures ? failingSequence : sequence;
        const result = await runReceiver({ options, env, token, key }, condition, events);
        signal.throwIfAborted();
        const run = { ...result, isMet: true, unclearCount: 0, runCount: 1 };
        return makeProof(condition, [run], { successWord: "", milliseconds: performance.now() - conditionStartedAt });
      }),
    );
    return await makeReport(plan, options, {
      proof: "receiver",
      startedAt,
      input: [],
      remarks: [],
      conditions,
      proofs,
    });
  } finally {
    await mock.close();
  }
}

/** The receiver has not started, has ended by itself, or its command `ledger` has failed. This ends the run, and is a finding. */
class ReceiverDown extends Error {}

async function runReceiver(
  context: ReceiverProofContext,
  condition: ReceiverCondition,
  sequence: EventSequence,
): Promise<Pick<RunResult, "problems" | "remarks">> {
  const run = new ReceiverRun(context, condition, await freePort());
  try {
    await run.start();
    await condition.play({ ...run.receiver, events: sequence.events });
    let ledger = await run.readLedger();
    if (judgeSums(ledger, sequence).length > 0) {
      // A wrong ledger is read again later, because the receiver may process acknowledged events asynchronously.
      await run.start();
      await wait(secondReadDelayMs);
      ledger = await run.readLedger();
    }
    run.problems.push(...judgeSums(ledger, sequence));
  } catch (error) {
    if (!(error instanceof ReceiverDown)) throw error;
    run.problems.push({ kind: "does-not-finish", seen: error.message });
  } finally {
    await run.end();
  }
  const problems = new Map(run.problems.map((problem) => [`${problem.kind} ${problem.seen}`, problem]));
  return { problems: [...problems.values()], remarks: run.remarks };
}

class ReceiverRun {
  readonly problems: Problem[] = [];
  readonly #context: ReceiverProofContext;
  readonly #condition: ReceiverCondition;
  readonly #port: number;
  readonly #secrets: readonly Secret[];
  readonly #output: Output;
  readonly #folder = new RunFolder();
  #process: ProgramProcess | undefined;
  #drawCount = 0;
  #refusedCount = 0;

  constructor(context: ReceiverProofContext, condition: ReceiverCondition, port: number) {
    this.#context = context;
    this.#condition = condition;
    this.#port = port;
    this.#secrets = [
      { name: "the API key", text: context.key, mayBeKept: false },
      { name: "the webhook token", text: context.token, mayBeKept: false },
      { name: "the IBAN", text: receiverIban, mayBeKept: true },
    ];
    this.#output = new Output(this.#secrets);
  }

  /** Complete only after {@link end}, which searches and removes the folder. */
  get remarks(): readonly string[] {
    return [...this.#folder.remarks];
  }

  /** The caller adds the events. */
  get receiver(): Omit<Receiver, "events"> {
    return {
      token: this.#context.token,
      deliver: (event) => this.#deliver(event),
      post: (path, body, token) => this.#post(path, body, token),
      restart: async () => {
        await this.#stop();
        await this.start();
      },
      reportAccepted: (description) =>
        this.problems.push({
          kind: "forged-event-accepted",
          seen: `It answered ${acknowledgedStatus} to ${description}.`,
        }),
      random: (limit) => this.#random(limit),
    };
  }

  async start(): Promise<void> {
    const limitMs = this.#context.options.limitSeconds * 1000;
    this.#process = this.#spawn(["serve", String(this.#port), this.#folder.statePath], limitMs, this.#output.add);
    await waitForPort(this.#port, this.#process, this.#output, Math.min(startLimitMs, limitMs));
  }

  async readLedger(): Promise<Sums> {
    await wait(readDelayMs);
    await this.#stop();
    let text = "";
    const process = this.#spawn(["ledger", this.#folder.statePath], ledgerLimitMs, (addedText, stream) => {
      if (stream === "stdout") text = (text + addedText).slice(0, maxLedgerLength);
    });
    const exit = await process.completion;
    const sums = exit.code === 0 ? readSums(text) : undefined;
    if (sums !== undefined) return sums;
    const reason =
      exit.code === 0 ? 'printed no line such as {"sums":{"user-a/eur":"1.00"}}' : describeExit(exit, ledgerLimitMs);
    throw new ReceiverDown(`"ledger" ${reason}.`);
  }

  /** Also adds a problem for each secret that the receiver has printed, or stored without permission. */
  async end(): Promise<void> {
    await this.#stop();
    this.problems.push(...leaksOf(this.#output, this.#folder.findSecrets(this.#secrets)));
    this.#folder.remove();
  }

  #spawn(args: readonly string[], limitMs: number, onOutput: ProcessOptions["onOutput"]): ProgramProcess {
    const { env, options } = this.#context;
    return new ProgramProcess([...options.command, ...args], { env, limitMs, onOutput, signal: options.signal });
  }

  async #stop(): Promise<void> {
    const stoppedProcess = this.#process;
    this.#process = undefined;
    await stoppedProcess?.kill();
  }

  async #post(path: string, body: string, token: string | undefined): Promise<number | undefined> {
    const target = { url: `http://127.0.0.1:${this.#port}`, token };
    return (await attempt({ target, path, body }, { timeoutMs: responseLimitMs })).status;
  }

  async #deliver({ webhook, path, body }: ReceivedEvent): Promise<void> {
    // To save time, a receiver that has refused two events gets no more retries.
    const delays = this.#refusedCount < maxRefusedWithRetries ? [0, ...retryDelaysMs] : [0];
    for (const delay of delays) {
      await wait(delay);
      if (this.#process?.hasEnded) {
        await this.#process.completion;
        throw new ReceiverDown(`"serve" ended by itself. ${this.#output.lastLines(3).join(" | ")}`.trim());
      }
      this.#context.options.signal.throwIfAborted();
      if ((await this.#post(path, body, this.#context.token)) === acknowledgedStatus) return;
    }
    this.#refusedCount += 1;
    this.problems.push({
      kind: "event-refused",
      seen: `${webhook} was not answered with ${acknowledgedStatus} (attempts: ${delays.length}).`,
    });
  }

  #random(limit: number): number {
    this.#drawCount += 1;
    const name = `${this.#context.options.seed} ${this.#condition.name} ${this.#drawCount}`;
    return hash("sha256", name, "buffer").readUInt32BE() % limit;
  }
}

/** @throws {ReceiverDown} when the receiver ends, or accepts no connection within `limitMs`, which is at most the time limit of the process. */
async function waitForPort(port: number, process: ProgramProcess, output: Output, limitMs: number): Promise<void> {
  for (
    const deadline = performance.now() + limitMs;
    !process.hasEnded && performance.now() < deadline;
    await wait(15)
  ) {
    if (await canConnect(port)) return;
  }
  const isPastDeadline = !process.hasEnded;
  await process.kill();
  // The promise rejects if the program cannot be started, which is a mistake in the command line and not a finding.
  const exit = await process.completion;
  const isLate = isPastDeadline || exit.isOverTime;
  const endReason = isLate ? `took no connection within ${limitMs / 1000} s` : describeExit(exit, limitMs);
  throw new ReceiverDown(`"serve" ${endReason}. ${output.lastLines(3).join(" | ")}`.trim());
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const end = (isConnected: boolean) => () => {
      socket.destroy();
      resolve(isConnected);
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
