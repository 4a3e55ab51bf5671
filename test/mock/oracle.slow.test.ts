/**
 * An independent model of payments, written from the documented rules without the mock's code: a transfer needs sufficient funds, a SEPA
 * transfer without sufficient funds fails later, a failed payment is returned. Random payments run with each kind of fault of calls and
 * events; after each payment, the mock's balances, records and events must equal the model's.
 */
import { expect, it } from "vitest";
import type { Fault } from "../../generated/control/types.ts";
import { createMock } from "../../scripts/mock/host/mock.ts";
import { plan } from "../support/plan.ts";
import { randomFrom } from "../support/random.ts";
import { exampleCall, operationNamed, send } from "./codes/calls.ts";

const seeds = Number(process.env.ORACLE_SEEDS ?? 4);
const operationsOfSeed = 250;
const delays = { transfer: 3, sepaTransfer: 5 };
const owners = ["ann", "bob", null] as const;
type Owner = (typeof owners)[number];

interface Payment {
  readonly kind: "transfer" | "sepaTransfer";
  readonly from: Owner;
  readonly to: Owner | undefined;
  readonly cents: number;
  readonly fails: boolean;
  /** Seconds for which the history hides the record. */
  readonly hidden: number;
}

/** A record of the history: amount in cents, status, and the time in seconds from which it is visible. */
interface Entry {
  readonly cents: number;
  status: string;
  readonly visibleAt: number;
}

/** The model: available funds, history and pending changes. Times are in seconds. */
class Books {
  now = 0;
  readonly balances = new Map<Owner, number>();
  readonly entries = new Map<Owner, Entry[]>(owners.map((owner) => [owner, []]));
  readonly events: string[] = [];
  underWay = 0;
  left = 0;
  #due: { at: number; work: () => void }[] = [];

  pay(payment: Payment): boolean {
    const { kind, from, to, cents, hidden } = payment;
    const isCovered = (this.balances.get(from) ?? 0) >= cents;
    if (kind === "transfer" && !isCovered) return false;
    const outgoing = this.#note(from, -cents, hidden);
    const incoming = to === undefined ? undefined : this.#note(to, cents, hidden);
    if (isCovered) this.#add(from, -cents);
    if (isCovered) this.underWay += cents;
    if (kind === "sepaTransfer") this.events.push("sepaTransfer IN_PROGRESS");
    this.at(this.now + delays[kind], () => {
      const isDone = isCovered && !payment.fails;
      if (isCovered) this.underWay -= cents;
      if (isDone && to === undefined) this.left += cents;
      else if (isCovered) this.#add(isDone ? (to as Owner) : from, cents);
      for (const entry of [outgoing, incoming]) if (entry) entry.status = isDone ? "SUCCESSFUL" : "UNSUCCESSFUL";
      const failure = kind === "transfer" ? "UNSUCCESSFUL" : "FAILED";
      this.events.push(`${kind === "transfer" ? "p2pTransfer" : kind} ${isDone ? "SUCCESSFUL" : failure}`);
    });
    return true;
  }

  at(time: number, work: () => void): void {
    this.#due.push({ at: time, work });
  }

  advance(seconds: number): void {
    const until = this.now + seconds;
    for (;;) {
      const next = this.#due.reduce<{ at: number; work: () => void } | undefined>(
        (first, one) => (one.at <= until && (first === undefined || one.at < first.at) ? one : first),
        undefined,
      );
      if (next === undefined) break;
      this.#due = this.#due.filter((one) => one !== next);
      this.now = next.at;
      next.work();
    }
    this.now = until;
  }

  visible(owner: Owner): string[] {
    const shown = (this.entries.get(owner) ?? []).filter(({ visibleAt }) => visibleAt <= this.now);
    return shown.map(({ cents, status }) => `${cents} ${status}`);
  }

  #note(owner: Owner, cents: number, hidden: number): Entry {
    const entry = { cents, status: "IN_PROGRESS", visibleAt: this.now + hidden };
    this.entries.get(owner)?.push(entry);
    return entry;
  }

  #add(owner: Owner, cents: number): void {
    this.balances.set(owner, (this.balances.get(owner) ?? 0) + cents);
  }
}

interface Outcome {
  readonly fault: Partial<Fault> | undefined;
  readonly isEffective: boolean;
  readonly after: number;
  /** The status of the response: undefined if the fault does not change it, null if there is no response. */
  readonly status: number | null | undefined;
}

function outcomes(after: number): Outcome[] {
  const length = `${after} seconds`;
  const now = { isEffective: true, after: 0 };
  const later = { isEffective: true, after };
  return [
    { fault: undefined, ...now, status: undefined },
    { fault: { code: "P501" }, isEffective: false, after: 0, status: 400 },
    { fault: { lose: "request" }, isEffective: false, after: 0, status: null },
    { fault: { lose: "response" }, ...now, status: null },
    { fault: { cut: true }, ...now, status: null },
    { fault: { code: "P500", carriedOut: true }, ...now, status: 400 },
    { fault: { status: 502, carriedOut: true }, ...now, status: 502 },
    { fault: { status: 504, effectAfter: length }, ...later, status: 504 },
    { fault: { code: "P501", effectAfter: length }, ...later, status: 400 },
    { fault: { lose: "response", effectAfter: length }, ...later, status: null },
  ];
}

const cents = (text: string) => Math.round(Number(text) * 100);

async function run(seed: number): Promise<void> {
  const random = randomFrom(seed);
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const received: string[] = [];
  const handler = async (request: Request) => {
    const { status } = (await request.json()) as { status: string };
    const { pathname } = new URL(request.url);
    received.push(`${plan.webhooks.find(({ path }) => path === pathname)?.name} ${status}`);
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

  let [lost, doubled] = [0, 0];
  for (let count = 0; count < operationsOfSeed; count += 1) {
    const kind = pick(["transfer", "transfer", "sepaTransfer"] as const);
    const from = pick(owners);
    const to = kind === "transfer" ? pick(owners.filter((owner) => owner !== from)) : undefined;
    const amount = pick([1, 999, 2500, 12_000, 30_000]);
    const outcome = pick(outcomes(pick([1, 2, 7, 20])));
    const fails = outcome.isEffective && random() < 0.2;
    const hidden = outcome.isEffective && random() < 0.2 ? pick([4, 30]) : 0;
    const operation =
      kind === "transfer" ? "createTransfer" : from === null ? "createPartnerSepaTransfer" : "createSepaTransfer";
    if (outcome.fault !== undefined || fails || hidden > 0) {
      mock.faults.add({
        operation,
        ...outcome.fault,
        ...(fails && { ends: kind === "transfer" ? "UNSUCCESSFUL" : "FAILED" }),
        ...(hidden > 0 && { historyAfter: `${hidden} seconds` }),
      });
    }
    const call = exampleCall(operationNamed(plan, operation), mock.apiKey, { currency: "eur" });
    const { sourceExternalUserId: _source, destinationExternalUserId: _destination, ...rest } = { ...call.body };
    const parties = {
      ...(from !== null && { sourceExternalUserId: from }),
      ...(kind === "transfer" && to !== null && { destinationExternalUserId: to }),
    };
    const body = { ...rest, ...parties, amount: (amount / 100).toFixed(2), currency: "eur" };
    const status = await send(mock, { ...call, body }).then(
      (response) =>
        response.text().then(
          () => response.status,
          () => null,
        ),
      () => null,
    );
    const payment = { kind, from, to, cents: amount, fails, hidden };
    let isAccepted = true;
    if (outcome.after > 0) books.at(books.now + outcome.after, () => books.pay(payment));
    else if (outcome.isEffective) isAccepted = books.pay(payment);
    const usual = isAccepted ? (kind === "transfer" ? 201 : 200) : 400;
    expect(status, `seed ${seed}, call ${count}`).toBe(outcome.status === undefined ? usual : outcome.status);

    if (random() < 0.6) {
      if (random() < 0.3) {
        const deliver = pick(["never", "twice", "late", "reversed"] as const);
        const before = books.events.length;
        mock.faults.add({ deliver, times: 1, ...(deliver === "late" && { delay: "10 seconds" }) });
        await mock.clock.advance("1 minute");
        books.advance(60);
        // A fault that no event has used would apply to a later event, so it is removed.
        if (books.events.length > before && deliver === "never") lost += 1;
        else if (books.events.length > before && deliver === "twice") doubled += 1;
        for (const { number } of mock.faults.list.filter((fault) => fault.deliver !== undefined))
          mock.faults.remove(number);
      } else {
        const seconds = pick([1, 2, 5]);
        await mock.clock.advance(seconds * 1000);
        books.advance(seconds);
      }
    }

    let sum = books.underWay + books.left;
    for (const owner of owners) {
      const balances = owner === null ? "getPartnerBalances" : "getUserBalances";
      const { fiatBalances } = (await read(balances, { externalUserId: owner })) as {
        fiatBalances: { amount: string }[];
      };
      const shown = cents(fiatBalances[0]?.amount ?? "");
      expect(shown, `seed ${seed}, call ${count}: the balance of ${owner}`).toBe(books.balances.get(owner));
      sum += shown;
      if (count % 5 > 0) continue;
      const history = owner === null ? "getPartnerTransactionHistory" : "getUserTransactionHistory";
      const records = (await read(history, { externalUserId: owner, month: "04", year: "2026" })) as {
        type: string;
        amount: number;
        status: string;
      }[];
      const payments = records.filter(({ type }) => /ransfer$/.test(type));
      const form = payments.map((one) => `${cents(String(one.amount))} ${one.status}`);
      expect(form, `seed ${seed}, call ${count}: the history of ${owner}`).toEqual(books.visible(owner));
    }
    expect(sum, `seed ${seed}, call ${count}: all money`).toBe(150_000);
  }
  await mock.clock.advance("1 hour");
  books.advance(3600);
  expect(received.length, `seed ${seed}: events`).toBe(books.events.length - lost + doubled);
  if (lost + doubled === 0) expect([...received].sort()).toEqual([...books.events].sort());
  expect(mock.deliveries.filter(({ state }) => state === "pending")).toEqual([]);
}

it(
  `${seeds * operationsOfSeed} random payments agree with separately computed books`,
  async () => {
    for (let seed = 1; seed <= seeds; seed += 1) await run(seed);
  },
  60_000 + seeds * 30_000,
);
