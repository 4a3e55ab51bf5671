/**
 * An independent model of payments, written without the mock's code: a transfer needs sufficient funds, a SEPA transfer without sufficient
 * funds fails later, a failed payment is returned. Random payments run with faults of calls and events. The mock's balances must
 * equal the model's after each payment, the history after every fifth, and the number of events at the end.
 */
import { expect, it } from "vitest";
import type { Fault } from "../../generated/control/types.ts";
import { createMock } from "../../scripts/mock/host/mock.ts";
import { plan } from "../support/plan.ts";
import { randomFrom } from "../support/random.ts";
import { exampleCall, operationNamed, send } from "./codes/calls.ts";

const seeds = Number(process.env.ORACLE_SEEDS ?? 4);
const paymentsPerSeed = 250;
const delays = { transfer: 3, sepaTransfer: 5 };
const owners = ["ann", "bob", null] as const;
type Owner = (typeof owners)[number];

interface Payment {
  readonly kind: "transfer" | "sepaTransfer";
  readonly from: Owner;
  readonly to: Owner | undefined;
  readonly cents: number;
  readonly isForcedToFail: boolean;
  /** Seconds for which the history hides the record. */
  readonly hiddenSeconds: number;
}

/** A record of the history: amount in cents, status, and the time in seconds from which it is visible. */
interface Entry {
  readonly cents: number;
  status: string;
  readonly visibleAt: number;
}

/** The model: available funds, history, events and pending changes. Times are in seconds. */
class Books {
  now = 0;
  readonly balances = new Map<Owner, number>();
  readonly entries = new Map<Owner, Entry[]>(owners.map((owner) => [owner, []]));
  readonly events: string[] = [];
  pendingCents = 0;
  sentCents = 0;
  #dueWork: { dueTime: number; work: () => void }[] = [];

  pay(payment: Payment): boolean {
    const { kind, from, to, cents, hiddenSeconds } = payment;
    const isCovered = (this.balances.get(from) ?? 0) >= cents;
    if (kind === "transfer" && !isCovered) return false;
    const outgoingEntry = this.#addEntry(from, -cents, hiddenSeconds);
    const incomingEntry = to === undefined ? undefined : this.#addEntry(to, cents, hiddenSeconds);
    if (isCovered) this.#addToBalance(from, -cents);
    if (isCovered) this.pendingCents += cents;
    if (kind === "sepaTransfer") this.events.push("sepaTransfer IN_PROGRESS");
    this.schedule(this.now + delays[kind], () => {
      const isSuccessful = isCovered && !payment.isForcedToFail;
      if (isCovered) this.pendingCents -= cents;
      if (isSuccessful && to === undefined) this.sentCents += cents;
      else if (isCovered) this.#addToBalance(isSuccessful ? (to as Owner) : from, cents);
      for (const entry of [outgoingEntry, incomingEntry])
        if (entry) entry.status = isSuccessful ? "SUCCESSFUL" : "UNSUCCESSFUL";
      const failure = kind === "transfer" ? "UNSUCCESSFUL" : "FAILED";
      this.events.push(`${kind === "transfer" ? "p2pTransfer" : kind} ${isSuccessful ? "SUCCESSFUL" : failure}`);
    });
    return true;
  }

  schedule(time: number, work: () => void): void {
    this.#dueWork.push({ dueTime: time, work });
  }

  advance(seconds: number): void {
    const endTime = this.now + seconds;
    for (;;) {
      const nextWork = this.#dueWork.reduce<{ dueTime: number; work: () => void } | undefined>(
        (earliest, candidate) =>
          candidate.dueTime <= endTime && (earliest === undefined || candidate.dueTime < earliest.dueTime)
            ? candidate
            : earliest,
        undefined,
      );
      if (nextWork === undefined) break;
      this.#dueWork = this.#dueWork.filter((item) => item !== nextWork);
      this.now = nextWork.dueTime;
      nextWork.work();
    }
    this.now = endTime;
  }

  visibleRecords(owner: Owner): string[] {
    const visibleEntries = (this.entries.get(owner) ?? []).filter(({ visibleAt }) => visibleAt <= this.now);
    return visibleEntries.map(({ cents, status }) => `${cents} ${status}`);
  }

  #addEntry(owner: Owner, cents: number, hiddenSeconds: number): Entry {
    const entry = { cents, status: "IN_PROGRESS", visibleAt: this.now + hiddenSeconds };
    this.entries.get(owner)?.push(entry);
    return entry;
  }

  #addToBalance(owner: Owner, cents: number): void {
    this.balances.set(owner, (this.balances.get(owner) ?? 0) + cents);
  }
}

interface Outcome {
  readonly fault: Partial<Fault> | undefined;
  readonly isEffective: boolean;
  readonly effectDelaySeconds: number;
  /** The status of the response: undefined if the fault does not change it, null if there is no response. */
  readonly status: number | null | undefined;
}

function outcomes(effectDelaySeconds: number): Outcome[] {
  const delayText = `${effectDelaySeconds} seconds`;
  const immediateEffect = { isEffective: true, effectDelaySeconds: 0 };
  const lateEffect = { isEffective: true, effectDelaySeconds };
  return [
    { fault: undefined, ...immediateEffect, status: undefined },
    { fault: { code: "P501" }, isEffective: false, effectDelaySeconds: 0, status: 400 },
    { fault: { lose: "request" }, isEffective: false, effectDelaySeconds: 0, status: null },
    { fault: { lose: "response" }, ...immediateEffect, status: null },
    { fault: { cut: true }, ...immediateEffect, status: null },
    { fault: { code: "P500", carriedOut: true }, ...immediateEffect, status: 400 },
    { fault: { status: 502, carriedOut: true }, ...immediateEffect, status: 502 },
    { fault: { status: 504, effectAfter: delayText }, ...lateEffect, status: 504 },
    { fault: { code: "P501", effectAfter: delayText }, ...lateEffect, status: 400 },
    { fault: { lose: "response", effectAfter: delayText }, ...lateEffect, status: null },
  ];
}

const toCents = (text: string) => Math.round(Number(text) * 100);

async function run(seed: number): Promise<void> {
  const random = randomFrom(seed);
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const receivedEvents: string[] = [];
  const handler = async (request: Request) => {
    const { status } = (await request.json()) as { status: string };
    const { pathname } = new URL(request.url);
    receivedEvents.push(`${plan.webhooks.find(({ path }) => path === pathname)?.name} ${status}`);
    return Response.json({});
  };
  const mock = createMock(plan, {
    clock: "2026-04-10T07:00:00Z",
    edition: "test",
    assume: { delays },
    seed: `${seed}`,
  });
  const books = new Books();
  for (const user of ["ann", "bob"]) mock.users.create(user, { verified: true, funds: { eur: "500.00" } });
  mock.partner.fund({ eur: "500.00" });
  for (const owner of owners) books.balances.set(owner, 50_000);
  await mock.clock.advance("1 hour");
  mock.sendWebhooksTo({ handler });
  const read = async (operationId: string, values: Record<string, unknown>) =>
    (await send(mock, exampleCall(operationNamed(plan, operationId), mock.apiKey, values))).json();

  let [lostCount, doubledCount] = [0, 0];
  for (let count = 0; count < paymentsPerSeed; count += 1) {
    const kind = pick(["transfer", "transfer", "sepaTransfer"] as const);
    const from = pick(owners);
    const to = kind === "transfer" ? pick(owners.filter((owner) => owner !== from)) : undefined;
    const amount = pick([1, 999, 2500, 12_000, 30_000]);
    const outcome = pick(outcomes(pick([1, 2, 7, 20])));
    const isForcedToFail = outcome.isEffective && random() < 0.2;
    const hiddenSeconds = outcome.isEffective && random() < 0.2 ? pick([4, 30]) : 0;
    const operation =
      kind === "transfer" ? "createTransfer" : from === null ? "createPartnerSepaTransfer" : "createSepaTransfer";
    if (outcome.fault !== undefined || isForcedToFail || hiddenSeconds > 0) {
      mock.faults.add({
        operation,
        ...outcome.fault,
        ...(isForcedToFail && { ends: kind === "transfer" ? "UNSUCCESSFUL" : "FAILED" }),
        ...(hiddenSeconds > 0 && { historyAfter: `${hiddenSeconds} seconds` }),
      });
    }
    const call = exampleCall(operationNamed(plan, operation), mock.apiKey, { currency: "eur" });
    const { sourceExternalUserId: _source, destinationExternalUserId: _destination, ...otherFields } = { ...call.body };
    const parties = {
      ...(from !== null && { sourceExternalUserId: from }),
      ...(kind === "transfer" && to !== null && { destinationExternalUserId: to }),
    };
    const body = { ...otherFields, ...parties, amount: (amount / 100).toFixed(2), currency: "eur" };
    const status = await send(mock, { ...call, body }).then(
      (response) =>
        response.text().then(
          () => response.status,
          () => null,
        ),
      () => null,
    );
    const payment = { kind, from, to, cents: amount, isForcedToFail, hiddenSeconds };
    let isAccepted = true;
    if (outcome.effectDelaySeconds > 0)
      books.schedule(books.now + outcome.effectDelaySeconds, () => books.pay(payment));
    else if (outcome.isEffective) isAccepted = books.pay(payment);
    const usualStatus = isAccepted ? (kind === "transfer" ? 201 : 200) : 400;
    expect(status, `seed ${seed}, call ${count}`).toBe(outcome.status === undefined ? usualStatus : outcome.status);

    if (random() < 0.6) {
      if (random() < 0.3) {
        const deliver = pick(["never", "twice", "late", "reversed"] as const);
        const eventsBefore = books.events.length;
        mock.faults.add({ deliver, times: 1, ...(deliver === "late" && { delay: "10 seconds" }) });
        await mock.clock.advance("1 minute");
        books.advance(60);
        if (books.events.length > eventsBefore && deliver === "never") lostCount += 1;
        else if (books.events.length > eventsBefore && deliver === "twice") doubledCount += 1;
        // A fault that no event has used would apply to a later event, so it is removed.
        for (const { number } of mock.faults.list.filter((fault) => fault.deliver !== undefined))
          mock.faults.remove(number);
      } else {
        const seconds = pick([1, 2, 5]);
        await mock.clock.advance(seconds * 1000);
        books.advance(seconds);
      }
    }

    let sum = books.pendingCents + books.sentCents;
    for (const owner of owners) {
      const balances = owner === null ? "getPartnerBalances" : "getUserBalances";
      const { fiatBalances } = (await read(balances, { externalUserId: owner })) as {
        fiatBalances: { amount: string }[];
      };
      const shownBalance = toCents(fiatBalances[0]?.amount ?? "");
      expect(shownBalance, `seed ${seed}, call ${count}: the balance of ${owner}`).toBe(books.balances.get(owner));
      sum += shownBalance;
      if (count % 5 > 0) continue;
      const history = owner === null ? "getPartnerTransactionHistory" : "getUserTransactionHistory";
      const records = (await read(history, { externalUserId: owner, month: "04", year: "2026" })) as {
        type: string;
        amount: number;
        status: string;
      }[];
      const payments = records.filter(({ type }) => /ransfer$/.test(type));
      const recordLines = payments.map((record) => `${toCents(String(record.amount))} ${record.status}`);
      expect(recordLines, `seed ${seed}, call ${count}: the history of ${owner}`).toEqual(books.visibleRecords(owner));
    }
    expect(sum, `seed ${seed}, call ${count}: all money`).toBe(150_000);
  }
  await mock.clock.advance("1 hour");
  books.advance(3600);
  expect(receivedEvents.length, `seed ${seed}: events`).toBe(books.events.length - lostCount + doubledCount);
  if (lostCount + doubledCount === 0) expect([...receivedEvents].sort()).toEqual([...books.events].sort());
  expect(mock.deliveries.filter(({ state }) => state === "pending")).toEqual([]);
}

it(
  `${seeds * paymentsPerSeed} random payments agree with separately computed books`,
  async () => {
    for (let seed = 1; seed <= seeds; seed += 1) await run(seed);
  },
  60_000 + seeds * 30_000,
);
