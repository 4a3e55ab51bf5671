/** A seeded simulation of the service, the network and partner processes on the in-process mock and its clock. */
import { createPartnerClient, type PartnerClient } from "partner-wallet-api";
import { use } from "partner-wallet-api/helpers";
import type { PaymentStore } from "partner-wallet-api/payments";
import { operationTable } from "../../../scripts/client/src/entries/internal/index.ts";
import type { Answers } from "../../../scripts/mock/answers/index.ts";
import { createMock, type InProcessMock } from "../../../scripts/mock/host/mock.ts";
import { withDigestsAtOnce } from "../../support/digests.ts";
import { plan } from "../../support/plan.ts";
import { randomFrom } from "../../support/random.ts";

const minute = 60_000;
const usualStart = "2026-04-30T23:40:00.000Z";

/** A partner's process, which can be killed between any two steps. */
export interface Process {
  isDead: boolean;
  /** Resolves when the process is killed. */
  readonly death: Promise<void>;
  readonly client: PartnerClient;
  readonly store: PaymentStore;
  readonly clock: { now(): number; wait(milliseconds: number): Promise<void> };
}

interface KillableProcess extends Process {
  die(): void;
}

export interface FailureRates {
  /** The share of money-moving calls with a fault, from 0 to 1. */
  readonly calls: number;
  /** The share of events that are lost, delivered twice or late, from 0 to 1. */
  readonly events: number;
  /** The share of steps before or after which the process is killed, from 0 to 1. */
  readonly kills: number;
  /** The half step at which a process is killed (see `Simulation.halfSteps`). */
  readonly killedHalfStep?: number;
}

export interface Setting {
  readonly start?: string;
  readonly answers?: Answers;
}

type Fault = Parameters<InProcessMock["faults"]["add"]>[0];

const callFaults: readonly ((pickDuration: () => string) => Fault)[] = [
  () => ({ lose: "request" }),
  () => ({ lose: "response" }),
  () => ({ cut: true }),
  () => ({ code: "P500" }),
  () => ({ code: "P500", carriedOut: true }),
  () => ({ code: "P501" }),
  () => ({ code: "P501", carriedOut: true }),
  () => ({ status: 502 }),
  () => ({ status: 502, carriedOut: true }),
  (pickDuration) => ({ lose: "response", effectAfter: pickDuration() }),
  (pickDuration) => ({ code: "P501", effectAfter: pickDuration() }),
  (pickDuration) => ({ lose: "response", historyAfter: pickDuration() }),
  (pickDuration) => ({ status: 502, carriedOut: true, historyAfter: pickDuration() }),
  (pickDuration) => ({ historyAfter: pickDuration() }),
];

/** Resolves to whether the event was handled. */
export type Receiver = (name: string, event: unknown) => Promise<boolean>;

export class Simulation {
  readonly mock: InProcessMock;
  readonly #random: () => number;
  #rates: FailureRates;
  #timers: { dueAt: number; resolve: () => void }[] = [];
  #pendingWork = 0;
  #receive: Receiver = async () => true;
  /** The number of starts and ends of steps so far, in all processes. A step is a request or a call of the store. */
  halfSteps = 0;
  calls = 0;
  kills = 0;

  /** @param answers the answers to open questions that the mock follows. */
  constructor(seed: number, rates: FailureRates, { start = usualStart, answers = {} }: Setting = {}) {
    this.#random = randomFrom(seed);
    this.#rates = rates;
    const handler = async (request: Request) => {
      this.#scheduleDeliveries(new URL(request.url).pathname, await request.json());
      return Response.json({});
    };
    this.mock = createMock(plan, { clock: start, edition: "test", seed: String(seed), answers, webhooks: { handler } });
  }

  get now(): number {
    return this.mock.clock.now.getTime();
  }

  /** Earlier faults and delayed deliveries remain. */
  stopFailures(): void {
    this.#rates = { calls: 0, events: 0, kills: 0 };
  }

  randomBelow(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  setReceiver(receive: Receiver): void {
    this.#receive = receive;
  }

  wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => this.#timers.push({ dueAt: this.now + milliseconds, resolve }));
  }

  /** Starts a process after loading the client's checks: loading takes real time, and `createPayments` would load them outside of a step. */
  async launch(store: PaymentStore, edition: "latest" | "test"): Promise<Process> {
    const process = this.#prepare(store, edition);
    this.#pendingWork += 1;
    try {
      await process.client["~check"](operationTable.createTransfer, { body: {} });
    } finally {
      this.#pendingWork -= 1;
    }
    return process;
  }

  #prepare(store: PaymentStore, edition: "latest" | "test"): Process {
    const fetchWithFault = async (request: Request) => {
      this.#addFault(request, await request.clone().text());
      return this.mock.fetch(request);
    };
    const asStep = <Args extends unknown[], Result>(run: (...args: Args) => Promise<Result>) => {
      return (...args: Args) => this.#stepOf(process, () => run(...args));
    };
    const send = asStep(fetchWithFault);
    const fetch = (request: Request) => {
      this.#pendingWork -= 1;
      return send(request).finally(() => {
        this.#pendingWork += 1;
      });
    };
    const options = { ...this.mock.clientOptions, fetch, retries: 0, timeoutMs: Infinity };
    const client = createPartnerClient({ ...options, edition: edition as "test" });
    // Before and after the request, a call takes no simulated time, because the client may load a module, which takes real time.
    use(client, (_call, next) => {
      this.#pendingWork += 1;
      return next().finally(() => {
        this.#pendingWork -= 1;
      });
    });
    let die = () => {};
    const death = new Promise<void>((resolve) => {
      die = resolve;
    });
    const process: KillableProcess = {
      isDead: false,
      death,
      die,
      client,
      store: {
        read: asStep((reference) => store.read(reference)),
        write: asStep((payment) => store.write(payment)),
        withId: asStep((id) => store.withId(id)),
        equal: asStep((...query) => store.equal(...query)),
        open: asStep((...query) => store.open(...query)),
        contradicted: asStep((...query) => store.contradicted(...query)),
      },
      clock: {
        now: () => this.now,
        wait: async (milliseconds) => {
          await this.wait(milliseconds);
          if (process.isDead) await pendingPromise;
        },
      },
    };
    return process;
  }

  async runUntil(time: number): Promise<void> {
    // A digest in another thread would take real time, in which simulated time must not advance.
    await withDigestsAtOnce(() => this.#run(time));
  }

  async #run(time: number): Promise<void> {
    for (;;) {
      await this.#settle();
      this.#timers.sort((a, b) => a.dueAt - b.dueAt);
      const nextTimer = this.#timers[0];
      if (nextTimer === undefined || nextTimer.dueAt > time) break;
      this.#timers.shift();
      if (nextTimer.dueAt > this.now) await this.mock.clock.set(nextTimer.dueAt);
      nextTimer.resolve();
    }
    if (time > this.now) await this.mock.clock.set(time);
    await this.#settle();
  }

  async #settle(): Promise<void> {
    for (let idleTurns = 0; idleTurns < 5; idleTurns += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      if (this.#pendingWork > 0) idleTurns = -1;
    }
  }

  async #stepOf<Result>(process: KillableProcess, run: () => Promise<Result>): Promise<Result> {
    this.#maybeKill(process);
    if (process.isDead) return pendingPromise;
    this.#pendingWork += 1;
    try {
      return await run();
    } finally {
      this.#pendingWork -= 1;
      this.#maybeKill(process);
      if (process.isDead) await pendingPromise;
    }
  }

  #maybeKill(process: KillableProcess): void {
    this.halfSteps += 1;
    const isKilled = this.#random() < this.#rates.kills / 2 || this.halfSteps === this.#rates.killedHalfStep;
    if (!isKilled || process.isDead) return;
    process.isDead = true;
    process.die();
    this.kills += 1;
  }

  #addFault({ url, method }: Request, text: string): void {
    const operation = method === "POST" ? operations[new URL(url).pathname] : undefined;
    if (operation === undefined) return;
    this.calls += 1;
    if (this.#random() >= this.#rates.calls) return;
    const faultOf = callFaults[this.randomBelow(callFaults.length)] as (typeof callFaults)[number];
    this.mock.faults.add({
      operation,
      body: JSON.parse(text),
      ...faultOf(() => `${1 + this.randomBelow(599)} seconds`),
    } as Fault);
  }

  /** A delivery that is not handled is repeated every 16 seconds. */
  #scheduleDeliveries(path: string, event: unknown): void {
    const isFaulty = this.#random() < this.#rates.events;
    const deliveryCount = isFaulty ? [0, 2, 1][this.randomBelow(3)] : 1;
    for (let delivery = 0; delivery < (deliveryCount ?? 1); delivery += 1) {
      void this.#deliver(path, event, isFaulty ? this.randomBelow(20 * minute) : this.randomBelow(2000));
    }
  }

  async #deliver(path: string, event: unknown, delay: number): Promise<void> {
    const name = webhooks[path];
    if (name === undefined) return;
    for (let pause = delay; ; pause = 16_000) {
      await this.wait(pause);
      if (await this.#receive(name, event)) return;
    }
  }
}

const operations: Record<string, string> = Object.fromEntries(
  plan.operations.flatMap(({ operationId, method, path }) =>
    method.toUpperCase() === "POST" && /^create.*(Transfer|Withdrawal)$/.test(operationId) ? [[path, operationId]] : [],
  ),
);

const webhooks: Record<string, string> = Object.fromEntries(plan.webhooks.map(({ name, path }) => [path, name]));

const pendingPromise = new Promise<never>(() => {});
