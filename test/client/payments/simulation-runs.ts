/** Runs partner programs in the simulation, and compares their payment states with the mock's records. */
import { compareDecimals, type Decimal, exactNumbers, toDecimal, unwrap } from "partner-wallet-api";
import {
  createMemoryStore,
  createPayments,
  type Payment,
  type Payments,
  type PaymentsOptions,
} from "partner-wallet-api/payments";
import { type Process, type Setting, Simulation } from "./simulation.ts";

const minute = 60_000;

export interface RunOptions extends Setting {
  readonly seed: number;
  readonly payments: number;
  readonly edition: "latest" | "test";
  readonly repeatAfter?: "45 minutes";
}

export interface Figures {
  payments: number;
  paidTwice: number;
  forgotten: number;
  unclear: number;
  /** The number of records that the program can read, but that belong to no payment that counts as made. */
  unclearInSight: number;
  /** The number of unclear payments with a record that may belong to another payment. */
  ambiguous: number;
  pending: number;
  refused: number;
  kills: number;
  calls: number;
}

const noFigures: Figures = {
  payments: 0,
  paidTwice: 0,
  forgotten: 0,
  unclear: 0,
  unclearInSight: 0,
  ambiguous: 0,
  pending: 0,
  refused: 0,
  kills: 0,
  calls: 0,
};

interface Job {
  readonly reference: string;
  readonly kind: "fund" | "collect" | "between" | "sepa" | "withdraw";
  readonly user: string;
  readonly otherUser: string;
  readonly amount: string;
}

const users = Array.from({ length: 20 }, (_, index) => `user-${index + 1}`);

/** Random payments with few different users and amounts, so that many payments are equal. */
function jobsOf(simulation: Simulation, count: number): Job[] {
  const pick = <Value>(values: readonly Value[]) => values[simulation.randomBelow(values.length)] as Value;
  return Array.from({ length: count }, (_, index): Job => {
    const user = pick(users);
    const otherUser = pick(users.filter((candidate) => candidate !== user));
    const kind = pick(["fund", "fund", "fund", "collect", "between", "sepa", "sepa", "withdraw"] as const);
    return {
      reference: `payment-${index}`,
      kind,
      user,
      otherUser,
      amount: pick(["10.00", "10.00", "25.50"]),
    };
  });
}

const startPayment = (payments: Payments, { reference, kind, user, otherUser, amount }: Job): Promise<Payment> => {
  const money = { reference, amount, currency: "eur" };
  if (kind === "fund" || kind === "collect") return payments[kind]({ ...money, user });
  if (kind === "between") return payments.between({ ...money, from: user, to: otherUser });
  if (kind === "sepa") return payments.sepa({ ...money, of: "partner", iban: "GB33BUKB20201555555555" });
  const receiver = { address: `0x${user}`, name: "Lena Vogel", walletType: "OTHER", receiverType: "NATURAL" };
  return payments.withdraw({ ...money, ...receiver, of: { user }, currency: "usdc", network: "polygon" });
};

function prepareRun({ seed, payments, ...setting }: RunOptions): { simulation: Simulation; jobs: Job[] } {
  const simulation = new Simulation(seed, { calls: 0.5, events: 0.4, kills: 0.004 }, setting);
  for (const user of users)
    simulation.mock.users.create(user, { verified: true, funds: { eur: "9000.00", usdc: "9000" } });
  simulation.mock.partner.fund({ eur: "900000.00" });
  return { simulation, jobs: jobsOf(simulation, payments) };
}

const paymentsOf = ({ client, store, clock }: Process, policy: Partial<PaymentsOptions> = {}): Payments =>
  createPayments({ client, store, clock, ...policy });

/** Runs a program in a process, and in a new process each time its process is killed, until the program ends. */
async function runWithRestarts(
  simulation: Simulation,
  launch: () => Promise<Process>,
  program: (process: Process) => Promise<void>,
): Promise<void> {
  for (;;) {
    const process = await launch();
    if (await Promise.race([program(process).then(() => true), process.death])) return;
    await simulation.wait(1000 + simulation.randomBelow(20_000));
  }
}

/** Makes the payments with two processes at the same time. Killed processes are restarted. */
export async function runPayments(run: RunOptions): Promise<Figures> {
  const { simulation, jobs } = prepareRun(run);
  const store = createMemoryStore();
  const launchedProcesses: { process: Process; payments: Payments }[] = [];
  const program = async (process: Process) => {
    const policy = run.repeatAfter === undefined ? {} : { repeatAfter: run.repeatAfter };
    const payments = paymentsOf(process, policy);
    launchedProcesses.push({ process, payments });
    const queue = [...jobs];
    const startQueuedPayments = async () => {
      for (let job = queue.shift(); job !== undefined; job = queue.shift()) await startPayment(payments, job);
    };
    await payments.resume();
    await Promise.all(Array.from({ length: 4 }, startQueuedPayments));
    for (;;) {
      await process.clock.wait(15 * minute);
      await payments.resume();
    }
  };
  simulation.setReceiver(async (name, event) => {
    const aliveProcesses = launchedProcesses.filter(({ process }) => !process.isDead);
    const chosenProcess = aliveProcesses[simulation.randomBelow(Math.max(aliveProcesses.length, 1))];
    if (chosenProcess === undefined) return false;
    const handling = chosenProcess.payments.observe(name as "p2pTransfer", event as never).then(() => true);
    return Promise.race([handling, chosenProcess.process.death.then(() => false)]);
  });
  let problem: unknown;
  for (const _ of [1, 2]) {
    runWithRestarts(simulation, () => simulation.launch(store, run.edition), program).catch((cause) => {
      problem = cause;
    });
  }
  const runFor = async (minutes: number) => {
    await simulation.runUntil(simulation.now + minutes * minute);
    if (problem !== undefined) throw problem;
  };
  await runFor(60);
  simulation.stopFailures();
  // Many hours can pass, because equal payments are made one after another, and each may wait for `repeatAfter`.
  const isOpen = async () => (await store.open("", 1000)).some(({ state }) => state !== "accepted");
  for (let hour = 0; hour < (run.repeatAfter === undefined ? 2 : 24) && (await isOpen()); hour += 1) await runFor(60);
  await runFor(30);
  const states = new Map<string, string>();
  let ambiguousCount = 0;
  for (const { reference } of jobs) {
    const row = await store.read(reference);
    states.set(reference, row?.state ?? "none");
    if (row?.state === "unclear" && row.data.includes("may be of another payment")) ambiguousCount += 1;
  }
  return {
    ...countFigures(simulation, jobs, run, (job) => states.get(job.reference) ?? "none"),
    ambiguous: ambiguousCount,
  };
}

/** Makes a payment, and kills the process at a half step (see `Simulation.halfSteps`); undefined if there are fewer half steps. */
export async function runKilled(
  fault: object,
  killedHalfStep: number,
): Promise<{ state: string; recordCount: number } | undefined> {
  const simulation = new Simulation(1, { calls: 0, events: 0, kills: 0, killedHalfStep });
  simulation.mock.users.create("user-1", { verified: true, funds: { eur: "100.00" } });
  simulation.mock.partner.fund({ eur: "100.00" });
  if (Object.keys(fault).length > 0) simulation.mock.faults.add({ operation: "createTransfer", ...fault });
  const store = createMemoryStore();
  const launch = () => simulation.launch(store, "test");
  void runWithRestarts(simulation, launch, async (process) => {
    const payments = paymentsOf(process);
    await payments.resume();
    await payments.fund({ reference: "invoice-1", user: "user-1", amount: "10.00", currency: "eur" });
  });
  await simulation.runUntil(simulation.now + 30 * minute);
  if (simulation.kills === 0) return undefined;
  simulation.stopFailures();
  // The payment is resumed twice, because a call of the killed process may still be in progress the first time.
  for (const _ of [1, 2]) {
    const resuming = launch().then((process) => paymentsOf(process).resume());
    await simulation.runUntil(simulation.now + 30 * minute);
    await resuming;
  }
  const state = (await store.read("invoice-1"))?.state ?? "none";
  const recordCount = recordsOf(simulation).get("user-1 +10.00") ?? 0;
  return { state, recordCount };
}

/** Runs the former example program of the guide "Unknown outcomes", for comparison. */
export async function runFormerProgram(run: RunOptions): Promise<Figures> {
  const { simulation, jobs: allJobs } = prepareRun(run);
  const jobs = allJobs.filter(({ kind }) => kind === "fund");
  const doneReferences = new Set<string>();
  const launch = () => simulation.launch(createMemoryStore(), "test");
  void runWithRestarts(simulation, launch, async (process) => {
    for (const job of jobs.filter(({ reference }) => !doneReferences.has(reference))) {
      while (!(await fundOnce(process, job))) await process.clock.wait(1000);
      doneReferences.add(job.reference);
    }
  });
  for (let hour = 0; hour < 24 && doneReferences.size < jobs.length; hour += 1) {
    await simulation.runUntil(simulation.now + 60 * minute);
  }
  simulation.stopFailures();
  await simulation.runUntil(simulation.now + 60 * minute);
  return countFigures(simulation, jobs, run, ({ reference }) => (doneReferences.has(reference) ? "accepted" : "none"));
}

async function fundOnce({ client, clock }: Process, { user, amount }: Job): Promise<boolean> {
  const transfers = async () => {
    const [year = "", month = ""] = new Date(clock.now()).toISOString().split("-");
    const result = await client.getUserTransactionHistory({ path: { externalUserId: user, month, year } });
    return exactNumbers(unwrap(result)).filter(({ type, status }) => type === "transfer" && status !== "UNSUCCESSFUL");
  };
  const knownIds = new Set((await transfers()).map(({ id }) => id));
  const body = { destinationExternalUserId: user, amount: toDecimal(amount), currency: "eur" };
  const { data, error } = await client.createTransfer({ body });
  if (data) return true;
  if (error.outcome !== "unknown") return false;
  return (await transfers()).some(
    (record) =>
      !knownIds.has(record.id) &&
      record.currency === "eur" &&
      compareDecimals(record.amount as Decimal, toDecimal(amount)) === 0,
  );
}

/** Compares the number of payments with an equal key with the number of their records. */
function countFigures(
  simulation: Simulation,
  jobs: readonly Job[],
  { edition }: RunOptions,
  stateOf: (job: Job) => string,
): Figures {
  const figures = { ...noFigures, payments: jobs.length, kills: simulation.kills, calls: simulation.calls };
  const records = recordsOf(simulation);
  const groups = new Map<string, Job[]>();
  for (const job of jobs) for (const key of keysOf(job)) groups.set(key, [...(groups.get(key) ?? []), job]);
  for (const [key, group] of groups) {
    const recordCount = records.get(key) ?? 0;
    const countIn = (...states: string[]) => group.filter((job) => states.includes(stateOf(job))).length;
    const believedCount = countIn("accepted", "succeeded", "failed");
    figures.paidTwice += Math.max(0, recordCount - believedCount - countIn("unclear"));
    figures.forgotten += Math.max(0, believedCount - recordCount);
    const isInSight = edition === "test" || !key.startsWith("sepa");
    if (isInSight) figures.unclearInSight += Math.max(0, recordCount - believedCount);
  }
  for (const job of jobs) {
    const state = stateOf(job);
    if (state === "unclear" || state === "pending" || state === "refused") figures[state] += 1;
    if (state === "none") figures.forgotten += 1;
  }
  return figures;
}

function keysOf({ reference, kind, user, otherUser, amount }: Job): string[] {
  if (kind === "fund") return [`${user} +${amount}`];
  if (kind === "collect") return [`${user} -${amount}`];
  if (kind === "between") return [`${user} -${amount}`, `${otherUser} +${amount}`];
  return [kind === "sepa" ? `sepa ${reference}` : `${user} withdrawal`];
}

/** Counts the mock's records by key (see `keysOf`). They are read from the mock's state, because a history can leave records out. */
function recordsOf(simulation: Simulation): Map<string, number> {
  const counts = new Map<string, number>();
  const add = (key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const { resource, owner, data } of simulation.mock.state().entities) {
    const { source, destination, units, transferTitle } = data as Readonly<Record<string, string | null>>;
    const amount = (Number(units) / 100).toFixed(2);
    if (resource === "transfer" && source !== null) add(`${source} -${amount}`);
    if (resource === "transfer" && destination !== null) add(`${destination} +${amount}`);
    if (resource === "sepaTransfer") add(`sepa ${transferTitle}`);
    if (resource === "cryptoWithdrawal") add(`${owner} withdrawal`);
  }
  return counts;
}

export function sum(allFigures: readonly Figures[]): Figures {
  const sums = { ...noFigures };
  for (const figures of allFigures)
    for (const name of Object.keys(sums) as (keyof Figures)[]) sums[name] += figures[name];
  return sums;
}
