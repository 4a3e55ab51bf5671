/** Payments with a scripted service, clock and store. */
import { setImmediate as turn } from "node:timers/promises";
import { createPartnerClient } from "partner-wallet-api";
import { createPayments, type PaymentStore, type PaymentsOptions } from "partner-wallet-api/payments";
import { describe, expect, it } from "vitest";
import { slowStore, turns } from "./fixture.ts";

const minute = 60_000;
const id = "7d1c9a52-3f0e-4b7a-9c86-1e5f2ab04d63";
const invoice = { reference: "invoice-1", user: "user-1", amount: "10.00", currency: "eur" };
const equal = { ...invoice, reference: "invoice-2" };
const record = {
  ...{ id: "record-1", type: "transfer", status: "PENDING", amount: "10.00", currency: "EUR", transferId: id },
  createdAt: "2026-04-10T07:00:01.000Z",
};
const event = { id, status: "SUCCESSFUL", amount: 10, currency: "EUR", destinationExternalUserId: "user-1" };

function world(
  start = "2026-04-10T07:00:00.000Z",
  { edition = "test", ...more }: Partial<PaymentsOptions> & { edition?: string } = {},
) {
  const service = {
    now: Date.parse(start),
    posts: 0,
    reads: 0,
    post: async (): Promise<Response> => Response.json({ transferId: id, withdrawalId: id }, { status: 201 }),
    history: (_month: string): Response => Response.json(service.records),
    records: [] as object[],
    details: () => Response.json({}, { status: 503 }),
  };
  const fetch = async ({ method, url }: Request) => {
    const [, month, year] = /transaction-history.*\/(\d\d)\/(\d{4})$/.exec(url) ?? [];
    service[method === "POST" ? "posts" : "reads"] += 1;
    if (method === "POST") return service.post();
    return month === undefined ? service.details() : service.history(`${year}-${month}`);
  };
  const clock = {
    now: () => service.now,
    wait: async (milliseconds: number) => {
      await turns(20);
      service.now += milliseconds;
    },
  };
  const base = { baseUrl: "https://api.example", apiKey: "k", fetch, retries: 0, edition: edition as "test" };
  const options = { client: createPartnerClient(base), store: slowStore(), clock, ...more };
  const process = (other: Partial<PaymentsOptions> = {}) => createPayments({ ...options, ...other });
  return { service, store: options.store, process, payments: process() };
}

const lost = () => Promise.reject(new Error("connection lost"));
const refusal = (errorCode: string, status = 400) =>
  Response.json({ errorCode, errorMessage: "-", timestamp: "2026-04-10T07:00:00.000Z" }, { status });

describe("another process", () => {
  async function held() {
    const all = world();
    let answer = (_: Promise<Response>) => {};
    all.service.post = () => new Promise((resolve) => (answer = resolve as typeof answer));
    const first = all.payments.fund(invoice);
    while (all.service.posts === 0) await turn();
    const until = (await all.store.read("invoice-1"))?.leasedUntil ?? 0;
    return { ...all, first, until, answer: (response: Promise<Response>) => answer(response) };
  }

  it("leaves a payment alone that a process is sending, and waits for it as long as it looks for payments", async () => {
    const { service, process, first, answer } = await held();
    const { now, reads } = service;
    expect(await process().resume()).toMatchObject({ pending: 1 });
    expect([service.now, service.reads]).toEqual([now, reads]);
    expect(await process().fund(invoice)).toMatchObject({ state: "pending" });
    // Pauses of 0.25, 0.5, 1, 2, 4, 8 and 15 seconds.
    expect(service.now).toBe(now + 30_750);
    answer(Promise.resolve(Response.json({ transferId: id }, { status: 201 })));
    expect(await first).toMatchObject({ state: "accepted", id, sentAt: new Date(now) });
  });

  it.each([
    ["accepted", [record]],
    ["unclear", []],
  ])("looks for a payment whose process ended while it was sending: %s with the records %j", async (state, records) => {
    const { service, process, first, until, answer } = await held();
    service.records = records;
    service.now = until;
    expect(await process().resume()).toMatchObject({ [state]: 1 });
    answer(lost());
    expect(await first).toMatchObject({ state, attempts: 1 });
    expect(service.posts).toBe(1);
  });

  it("gets the event of a payment that is being sent", async () => {
    const { process, first, answer } = await held();
    const old = { ...event, createdAt: "2026-04-10T06:44:59.999Z" };
    expect(await process().observe("p2pTransfer", old as never)).toBeUndefined();
    const oldest = { ...event, createdAt: "2026-04-10T06:45:00.000Z" };
    expect(await process().observe("p2pTransfer", oldest as never)).toMatchObject({ state: "succeeded", id });
    answer(lost());
    expect(await first).toMatchObject({ state: "succeeded", id });
    expect(await process().observe("p2pTransfer", { ...event, status: "UNSUCCESSFUL" } as never)).toMatchObject({
      state: "succeeded",
    });
  });
});

it("continues at once after its store failed, and sends once", async () => {
  const { store, process, service } = world();
  let writes = 0;
  const write: PaymentStore["write"] = async (payment) => {
    writes += 1;
    if (writes === 3) throw new Error("disk full");
    return store.write(payment);
  };
  const payments = process({ store: { ...store, write } });
  const { now } = service;
  await expect(payments.fund(invoice)).rejects.toThrow("disk full");
  expect(await payments.fund(invoice)).toMatchObject({ state: "accepted", attempts: 1 });
  expect([service.posts, service.now]).toEqual([1, now]);
});

it.each([
  [40_000, { state: "accepted", attempts: 1 }, 1],
  [40_001, { state: "pending", reason: "The process was held up, so that nothing was sent." }, 0],
])("is sent when storing the step takes %i ms of a lease of two minutes: %j", async (milliseconds, expected, posts) => {
  const { store, process, service } = world();
  const write: PaymentStore["write"] = async (payment) => {
    if (payment.data.includes('"sending"')) service.now += milliseconds;
    return store.write(payment);
  };
  expect(await process({ store: { ...store, write } }).fund(invoice)).toMatchObject(expected);
  expect(service.posts).toBe(posts);
});

async function unclear(...given: Parameters<typeof world>) {
  const all = world(...given);
  all.service.post = lost;
  expect(await all.payments.fund(invoice)).toMatchObject({ state: "unclear", attempts: 1 });
  all.service.post = async () => Response.json({ transferId: id }, { status: 201 });
  return all;
}

it("is not repeated when its event arrives after the decision to repeat it", async () => {
  const { store, process, payments, service } = await unclear();
  let isObserved = false;
  const write: PaymentStore["write"] = async (payment) => {
    const outcome = await store.write(payment);
    if (payment.leasedBy === null || isObserved) return outcome;
    isObserved = true;
    await payments.observe("p2pTransfer", event as never);
    return outcome;
  };
  expect(await process({ store: { ...store, write } }).decide("invoice-1", "repeat")).toMatchObject({
    ...{ state: "succeeded", attempts: 1 },
  });
  expect([isObserved, service.posts]).toEqual([true, 1]);
  await expect(payments.decide("invoice-1", "repeat")).rejects.toThrow("the payment is succeeded");
});

it("looks with growing pauses until its time is over", async () => {
  const { service } = await unclear();
  // Before sending, at once, and after pauses of 0.25, 0.5, 1, 2, 4, 8 and 14.25 seconds.
  expect([service.reads, service.now]).toEqual([9, Date.parse("2026-04-10T07:00:30.000Z")]);
});

describe("an equal payment", () => {
  it("waits for an unclear one however long, and its event is that of the one that was sent", async () => {
    const { payments, service } = await unclear();
    service.now += 60 * minute;
    expect(await payments.fund(equal)).toMatchObject({ state: "pending", attempts: 0 });
    expect(await payments.observe("p2pTransfer", event as never)).toMatchObject({ reference: "invoice-1" });
  });

  it.each([
    [30 * minute, undefined],
    [60 * minute, "1 hour"],
  ] as const)("waits %i ms for the record of an accepted one, with the policy %s", async (patience, repeatAfter) => {
    const { payments, service } = world(undefined, repeatAfter === undefined ? {} : { repeatAfter });
    const sentAt = service.now;
    const older = { ...record, id: "record-0", transferId: undefined };
    service.records = [older];
    expect(await payments.fund(invoice)).toMatchObject({ state: "accepted" });
    expect(await payments.fund(equal)).toMatchObject({ state: "pending" });
    service.now = sentAt + patience;
    expect(await payments.resume()).toMatchObject({ pending: 1 });
    service.now += 1;
    service.post = () => {
      service.records = [older, record];
      return lost();
    };
    await payments.resume();
    expect(service.posts).toBe(2);
    await payments.resume();
    expect(await payments.get("invoice-2")).toMatchObject({ state: "unclear", attempts: 1 });
  });
});

it("is accepted without an identifier when the response has that of another payment", async () => {
  const { payments } = world();
  expect(await payments.fund(invoice)).toMatchObject({ state: "accepted", id });
  const other = await payments.fund({ ...equal, amount: "11.00" });
  expect(other).toMatchObject({ state: "accepted", attempts: 1 });
  expect(other).not.toHaveProperty("id");
});

it("is repeated when the time of the policy, of a call and of a third of the lease are over", async () => {
  const { payments, service } = await unclear(undefined, { repeatAfter: "1 hour" });
  service.now = Date.parse("2026-04-10T08:01:10.000Z");
  expect(await payments.resume()).toMatchObject({ unclear: 1 });
  service.now += 1;
  expect(await payments.resume()).toMatchObject({ accepted: 1 });
  expect(service.posts).toBe(2);
});

it("is never repeated where no history can be read", async () => {
  const { payments, service } = world(undefined, { edition: "latest", repeatAfter: "1 minute" });
  service.post = lost;
  const sepa = { of: "partner", iban: "GB33BUKB20201555555555", amount: "20.00", currency: "eur" } as const;
  expect(await payments.sepa({ ...sepa, reference: "payout-1" })).toMatchObject({ state: "unclear" });
  service.now += 24 * 60 * minute;
  expect(await payments.resume()).toMatchObject({ unclear: 1 });
  expect((await payments.get("payout-1"))?.reason).toContain("no history can be read");
  expect(service.posts).toBe(1);
});

describe("months", () => {
  it.each([
    ["2026-05-01T00:05:00.000Z", "2026-04", "accepted"],
    ["2026-04-30T23:50:00.000Z", "2026-05", "accepted"],
    ["2026-04-30T23:50:00.000Z", "2026-04", "pending"],
  ])("at %s, with %s refused by the service, it is %s", async (start, refused, state) => {
    const { payments, service } = world(start);
    const months: string[] = [];
    service.history = (month) => {
      months.push(month);
      return month === refused ? refusal("P435") : Response.json([]);
    };
    expect(await payments.fund(invoice)).toMatchObject({ state });
    expect(months).toEqual(state === "accepted" ? ["2026-04", "2026-05"] : ["2026-04"]);
  });

  it("of its own that the service refuses is no evidence that the payment was not made", async () => {
    const { payments, service } = await unclear("2026-04-10T07:00:00.000Z", { repeatAfter: "1 hour" });
    service.now = Date.parse("2026-06-01T07:00:00.000Z");
    service.history = (month) => (month === "2026-05" ? refusal("P435") : Response.json([]));
    expect(await payments.resume()).toMatchObject({ unclear: 1 });
    service.history = (month) => (month === "2026-05" ? Response.json([record]) : Response.json([]));
    expect(await payments.resume()).toMatchObject({ accepted: 1 });
    expect(service.posts).toBe(1);
  });
});

it.each(["P435", "P500"])("is not sent, and not refused, when its history answers %s", async (code) => {
  const { payments, service } = world();
  service.history = () => refusal(code, code === "P500" ? 500 : 400);
  expect(await payments.fund(invoice)).toMatchObject({ state: "pending", attempts: 0, problem: { errorCode: code } });
  expect(service.posts).toBe(0);
});

describe("a record", () => {
  const withdrawal = {
    ...{ reference: "w-1", of: { user: "user-1" }, address: "0xab", network: "polygon", name: "Lena", amount: "5" },
    ...{ currency: "usdc", walletType: "OTHER", receiverType: "NATURAL" },
  };
  const debit = { ...record, type: "cryptoWithdrawal", amount: "-5.1", currency: "usdc" };

  it.each<["fund" | "withdraw", object, string]>([
    ["fund", {}, "accepted"],
    ["fund", { amount: 10 }, "accepted"],
    ["fund", { id: undefined }, "unclear"],
    ["fund", { type: "sepaTransfer" }, "unclear"],
    ["fund", { amount: "-10.00" }, "unclear"],
    ["fund", { amount: "10.01" }, "unclear"],
    ["fund", { amount: undefined }, "unclear"],
    ["fund", { amount: true }, "unclear"],
    ["fund", { currency: "usd" }, "unclear"],
    ["withdraw", debit, "accepted"],
    ["withdraw", { ...debit, amount: "-5" }, "accepted"],
    ["withdraw", { ...debit, amount: "-4.99" }, "unclear"],
    ["withdraw", { ...debit, amount: undefined }, "unclear"],
    ["withdraw", { ...debit, currency: undefined }, "unclear"],
  ])("of %s with %j: %s", async (kind, change, state) => {
    const { payments, service } = world();
    service.post = () => {
      service.records = [{ ...record, ...change }];
      return lost();
    };
    const payment = kind === "fund" ? payments.fund(invoice) : payments.withdraw(withdrawal);
    expect(await payment).toMatchObject({ state, ...(kind === "fund" && state === "accepted" ? { id } : {}) });
  });

  it("shows the end of its payment where no details can be read, whatever equal ones say", async () => {
    const { payments, service, store } = world();
    service.post = () => {
      service.records = [record];
      return lost();
    };
    expect(await payments.fund(invoice)).toMatchObject({ state: "accepted", id });
    expect(await store.read("invoice-1")).toMatchObject({ debit: null, credit: expect.any(String), holds: false });
    const other = { ...record, id: "record-0", status: "UNSUCCESSFUL", createdAt: "2026-04-10T06:00:00.000Z" };
    service.records = [other, record];
    expect(await payments.resume()).toMatchObject({ accepted: 1 });
    service.records = [other, { ...record, status: "SUCCESSFUL" }];
    expect(await payments.resume()).toMatchObject({ succeeded: 1 });
  });
});

it("continues more payments than its store lists at once", async () => {
  const { payments, store } = world();
  await payments.fund(invoice);
  const row = await store.read("invoice-1");
  for (let number = 0; row && number < 250; number += 1) {
    const own = { reference: `p-${number}`, id: null, version: 1, holds: false };
    await store.write({ ...row, ...own });
  }
  expect(await payments.resume()).toMatchObject({ accepted: 251 });
});
