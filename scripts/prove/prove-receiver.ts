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
import { Output } from "./output.ts";
import { type ProcessOptions, ProgramProcess, ProveError } from "./processes.ts";
import { proofOf, reportOf } from "./proof.ts";
import { type Receiver, type ReceiverCondition, receiverConditions } from "./receiver-conditions.ts";
import { type EventSequence, makeEventSequence, receiverIban } from "./receiver-events.ts";
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
  const { env, token, key } = proving;
  const { command, seed, signal, limitSeconds } = proving.options;
  const secrets = [
    { name: "the API key", text: key, mayBeKept: false },
    { name: "the webhook token", text: token, mayBeKept: false },
    { name: "the IBAN", text: receiverIban, mayBeKept: true },
  ];
  const output = new Output(secrets);
  const folder = new RunFolder();
  const problems: Problem[] = [];
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let process: ProgramProcess | undefined;
  const program: Start = (args, limitMs, onOutput) =>
    new ProgramProcess([...command, ...args], { env, limitMs, onOutput, signal });
  const start = async () => {
    process = program(["serve", String(port), folder.state], limitSeconds * 1000, output.add);
    await waitForPort(port, process, output);
  };
  const stop = async () => {
    const stopped = process;
    process = undefined;
    await stopped?.kill();
  };
  const post = async (path: string, body: string, given: string | undefined) => {
    const target = { url, token: given };
    return (await attempt({ target, path, body }, { timeoutMs: responseLimitMs })).status;
  };
  let draws = 0;
  let refused = 0;
  const receiver: Receiver = {
    ...{ events: sequence.events, token, post },
    deliver: async ({ webhook, path, body }) => {
      // A receiver that seems to refuse all events gets no retries, to save time.
      const delays = refused < maxRefusedWithRetries ? [0, ...retryDelaysMs] : [0];
      for (const delay of delays) {
        await wait(delay);
        if (process?.hasEnded) {
          await process.ended;
          throw new ReceiverDown(`"serve" ended by itself. ${output.lastLines(3).join(" | ")}`.trim());
        }
        signal.throwIfAborted();
        if ((await post(path, body, token)) === acknowledgedStatus) return;
      }
      refused += 1;
      problems.push({
        kind: "event-refused",
        seen: `${webhook} was not answered with ${acknowledgedStatus} (attempts: ${delays.length}).`,
      });
    },
    restart: async () => {
      await stop();
      await start();
    },
    accepted: (what) =>
      problems.push({ kind: "forged-event-accepted", seen: `It answered ${acknowledgedStatus} to ${what}.` }),
    random: (below) => {
      draws += 1;
      return hash("sha256", `${seed} ${condition.name} ${draws}`, "buffer").readUInt32BE() % below;
    },
  };
  const readLedger = async () => {
    await wait(firstReadDelayMs);
    await stop();
    return ledgerOf(program, folder.state);
  };
  try {
    await start();
    await condition.play(receiver);
    let found = await readLedger();
    if (judgeSums(found, sequence).length > 0) {
      // Reads a wrong ledger once more, since the receiver may process acknowledged events asynchronously.
      await start();
      await wait(secondReadDelayMs);
      found = await readLedger();
    }
    problems.push(...judgeSums(found, sequence));
  } catch (error) {
    if (!(error instanceof ReceiverDown)) throw error;
    problems.push({ kind: "does-not-finish", seen: error.message });
  } finally {
    await stop();
    problems.push(...leaksOf(output, folder.secrets(secrets)));
    folder.remove();
  }
  return [...new Map(problems.map((problem) => [`${problem.kind} ${problem.seen}`, problem])).values()];
}

const ledgerLimitMs = 30_000;
const maxLedger = 64 * 1024;

type Start = (args: readonly string[], limitMs: number, onOutput: ProcessOptions["onOutput"]) => ProgramProcess;

async function ledgerOf(program: Start, state: string): Promise<Readonly<Record<string, string>>> {
  let text = "";
  const process = program(["ledger", state], ledgerLimitMs, (piece, stream) => {
    if (stream === "stdout") text = (text + piece).slice(0, maxLedger);
  });
  const { code } = await process.ended;
  const sums = code === 0 ? readSums(text) : undefined;
  if (sums !== undefined) return sums;
  const how = code === 0 ? 'printed no line such as {"sums":{"user-a/eur":"1.00"}}' : `ended with exit code ${code}`;
  throw new ReceiverDown(`"ledger" ${how}.`);
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
