import { setTimeout as pause, setImmediate as turn } from "node:timers/promises";
import type { PaymentStore } from "partner-wallet-api/payments";
import { describe, expect, it } from "vitest";
import {
  equalInvoice,
  event,
  invoice,
  loseResponse,
  makeScriptedWorld,
  minute,
  record,
  refusal,
  transferId,
  withdrawal,
} from "./world.ts";

describe("another process", () => {
  async function startHeldPayment() {
    const scriptedWorld = makeScriptedWorld();
    let respondToFirst = (_: Promise<Response>) => {};
    scriptedWorld.service.post = () => new Promise((resolve) => (respondToFirst = resolve as typeof respondToFirst));
    const firstResult = scriptedWorld.payments.fund(invoice);
    while (scriptedWorld.service.posts === 0) await turn();
    return { ...scriptedWorld, first: firstResult, respond: (response: Promise<Response>) => respondToFirst(response) };
  }

  it("leaves a payment alone that a process is sending, and waits for it as long as it looks for payments", async () => {
    const { service, createProcess, first, respond } = await startHeldPayment();
    const { now, reads } = service;
    expect(await createProcess().resume()).toMatchObject({ pending: 1 });
    expect([service.now, service.reads]).toEqual([now, reads]);
    expect(await createProcess().fund(invoice)).toMatchObject({ state: "pending" });
    // The pauses are 0.25, 0.5, 1, 2, 4, 8 and 14.25 seconds: 30 in all.
    expect(Math.round((service.now - now) / 100)).toBe(300);
    respond(Promise.resolve(Response.json({ transferId }, { status: 201 })));
    expect(await first).toMatchObject({ state: "accepted", id: transferId, sentAt: new Date(now) });
  });

  it.each([
    ["accepted", [record]],
    ["unclear", []],
  ])("looks for a payment whose process ended while it was sending: %s with the records %j", async (state, records) => {
    const { service, createProcess, first, respond } = await startHeldPayment();
    service.records = records;
    service.now += 40_001;
    expect(await createProcess().resume()).toMatchObject({ [state]: 1 });
    respond(loseResponse());
    expect(await first).toMatchObject({ state, attempts: 1 });
    expect(service.posts).toBe(1);
  });

  it("makes a second call of one process wait for the first, without a look at the store or the history", async () => {
    const { service, payments, first, respond } = await startHeldPayment();
    const { now } = service;
    const secondResult = payments.fund(invoice);
    await pause(30);
    respond(Promise.resolve(Response.json({ transferId }, { status: 201 })));
    expect([await first, await secondResult]).toMatchObject([{ state: "accepted" }, { state: "accepted" }]);
    expect(service.now).toBe(now);
  });

  it("stores no reason for a payment that was accepted while its history was read", async () => {
    const { service, createProcess, first, respond } = await startHeldPayment();
    service.now += 40_001;
    service.history = async () => {
      respond(Promise.resolve(Response.json({ transferId }, { status: 201 })));
      await first;
      return Response.json([]);
    };
    const payments = createProcess();
    expect(await payments.resume()).toMatchObject({ accepted: 1 });
    expect(await payments.get("invoice-1")).not.toHaveProperty("reason");
  });

  it("cannot decide about a payment whose second attempt is being sent, and ends that attempt after the time of a call", async () => {
    const { service, payments, createProcess } = await makeUnclearPayment();
    let respond = (_: Promise<Response>) => {};
    service.post = () => new Promise((resolve) => (respond = resolve as typeof respond));
    const repeatedPayment = payments.decide("invoice-1", "repeat");
    while (service.posts < 2) await turn();
    await expect(createProcess().decide("invoice-1", "abandon")).rejects.toThrow("the payment is pending");
    service.now += 40_000;
    expect(await createProcess().resume()).toMatchObject({ pending: 1 });
    service.now += 1;
    expect(await createProcess().resume()).toMatchObject({ unclear: 1 });
    respond(loseResponse());
    expect(await repeatedPayment).toMatchObject({ state: "unclear", attempts: 2 });
  });

  it("gets the event of a payment that is being sent", async () => {
    const { createProcess, first, respond } = await startHeldPayment();
    const oldEvent = { ...event, createdAt: "2026-04-10T06:44:59.999Z" };
    expect(await createProcess().observe("p2pTransfer", oldEvent as never)).toBeUndefined();
    const oldestEvent = { ...event, createdAt: "2026-04-10T06:45:00.000Z" };
    expect(await createProcess().observe("p2pTransfer", oldestEvent as never)).toMatchObject({
      state: "succeeded",
      id: transferId,
    });
    respond(loseResponse());
    expect(await first).toMatchObject({ state: "succeeded", id: transferId });
  });
});

it("is looked for, and not sent again, when its store failed after the attempt was stored", async () => {
  const { store, createProcess, service } = makeScriptedWorld();
  let writeCount = 0;
  const write: PaymentStore["write"] = async (payment) => {
    writeCount += 1;
    if (writeCount === 3) throw new Error("disk full");
    return store.write(payment);
  };
  const payments = createProcess({ store: { ...store, write } });
  await expect(payments.fund(invoice)).rejects.toThrow("disk full");
  service.now += 40_001;
  expect(await payments.fund(invoice)).toMatchObject({ state: "unclear", attempts: 1 });
  service.records = [record];
  expect(await payments.fund(invoice)).toMatchObject({ state: "accepted", attempts: 1 });
  expect(service.posts).toBe(1);
});

it("needs three writes until it is accepted, and has keys and holds only while records and equal payments matter", async () => {
  const { store, createProcess } = makeScriptedWorld();
  const writtenPayments: object[] = [];
  const write: PaymentStore["write"] = async (payment) => {
    writtenPayments.push(payment);
    return store.write(payment);
  };
  await createProcess({ store: { ...store, write } }).fund(invoice);
  const columns = { isOpen: true, isRefuted: false, debit: null };
  const key = expect.any(String);
  expect(writtenPayments).toMatchObject([
    { ...columns, version: 1, state: "pending", holds: false, credit: null, event: null },
    { ...columns, version: 2, state: "pending", holds: true, credit: key, event: key },
    { ...columns, version: 3, state: "accepted", holds: false, credit: key, event: null },
  ]);
});

it("does not keep an equal payment from being sent when the service did not take it", async () => {
  const { payments, service } = makeScriptedWorld();
  service.post = async () => new Response("", { status: 429 });
  expect(await payments.fund(invoice)).toMatchObject({ state: "pending", attempts: 0 });
  service.post = async () => Response.json({ transferId }, { status: 201 });
  expect(await payments.fund(equalInvoice)).toMatchObject({ state: "accepted" });
});

it("needs one read and three writes of a store with a clock, which is asked for the time of each attempt", async () => {
  const { store, createProcess, service } = makeScriptedWorld();
  service.post = async () => Response.json({ transferId: crypto.randomUUID() }, { status: 201 });
  const calls: string[] = [];
  const methods = Object.entries({ ...store, now: async () => service.now + minute }).map(([name, run]) => [
    name,
    (...args: unknown[]) => {
      calls.push(name);
      return (run as (...args: unknown[]) => unknown)(...args);
    },
  ]);
  const payments = createProcess({ store: Object.fromEntries(methods) as PaymentStore });
  const { createdAt } = await payments.fund(invoice);
  expect(createdAt).toEqual(new Date(service.now + minute));
  expect(calls).toEqual(["read", "now", "write", "now", "write", "write"]);
  service.now += 6000;
  const laterPayment = await payments.fund({ ...equalInvoice, amount: "11.00" });
  expect(laterPayment.createdAt).toEqual(new Date(service.now + minute));
  expect(calls.slice(6)).toEqual(["read", "now", "write", "now", "write", "write"]);
  service.now += 1000;
  await payments.fund({ ...equalInvoice, reference: "invoice-3", amount: "12.00" });
  expect(calls.slice(12)).toEqual(["read", "write", "now", "write", "write"]);
});

it.each([
  [9_000, { state: "accepted", attempts: 1 }, 1],
  [10_001, { state: "pending", reason: "The process was held up: nothing was sent." }, 0],
])("is sent when storing the attempt takes %i ms: %j", async (milliseconds, expected, posts) => {
  const { store, createProcess, service } = makeScriptedWorld();
  const write: PaymentStore["write"] = async (payment) => {
    if (payment.data.includes('"sending"')) service.now += milliseconds;
    return store.write(payment);
  };
  expect(await createProcess({ store: { ...store, write } }).fund(invoice)).toMatchObject(expected);
  expect(service.posts).toBe(posts);
});

async function makeUnclearPayment(...options: Parameters<typeof makeScriptedWorld>) {
  const scriptedWorld = makeScriptedWorld(...options);
  scriptedWorld.service.post = loseResponse;
  expect(await scriptedWorld.payments.fund(invoice)).toMatchObject({ state: "unclear", attempts: 1 });
  scriptedWorld.service.post = async () => Response.json({ transferId }, { status: 201 });
  return scriptedWorld;
}

it("is not repeated when its event arrives after the decision to repeat it", async () => {
  const { store, createProcess, payments, service } = await makeUnclearPayment();
  let isObserved = false;
  const write: PaymentStore["write"] = async (payment) => {
    const outcome = await store.write(payment);
    if (isObserved) return outcome;
    isObserved = true;
    await payments.observe("p2pTransfer", event as never);
    return outcome;
  };
  expect(await createProcess({ store: { ...store, write } }).decide("invoice-1", "repeat")).toMatchObject({
    state: "succeeded",
    attempts: 1,
  });
  expect([isObserved, service.posts]).toEqual([true, 1]);
  await expect(payments.decide("invoice-1", "repeat")).rejects.toThrow("the payment is succeeded");
});

it("looks for the payment with growing pauses until the time limit", async () => {
  const { service, store } = await makeUnclearPayment();
  // The history is read before sending, at once, and after pauses of 0.25, 0.5, 1, 2, 4, 8 and 14.25 seconds.
  expect([service.reads, Math.round(service.now / 1000)]).toEqual([9, Date.parse("2026-04-10T07:00:30.000Z") / 1000]);
  // Later looks wrote nothing, because the history had not changed.
  expect((await store.read("invoice-1"))?.version).toBe(4);
});

describe("an equal payment", () => {
  it("waits for an unclear one however long, and its event is that of the one that was sent", async () => {
    const { payments, service } = makeScriptedWorld();
    service.post = loseResponse;
    for (const intent of [{ ...invoice, reference: "a", user: "user-2" }, invoice]) await payments.fund(intent);
    service.now += 60 * minute;
    const reason = "An equal payment is open: invoice-1.";
    expect(await payments.fund(equalInvoice)).toMatchObject({ state: "pending", attempts: 0, reason });
    expect(await payments.observe("p2pTransfer", event as never)).toMatchObject({ reference: "invoice-1" });
  });

  it("gives an accepted one its record before it is sent, so that the next record is its own", async () => {
    const { payments, service } = makeScriptedWorld();
    service.post = async () => {
      service.records = [{ ...record, transferId: undefined }];
      return Response.json({ transferId }, { status: 201 });
    };
    expect(await payments.fund(invoice)).toMatchObject({ state: "accepted" });
    service.post = () => {
      service.records = [...service.records, { ...record, id: "record-2", transferId: undefined }];
      return loseResponse();
    };
    expect(await payments.fund(equalInvoice)).toMatchObject({ state: "accepted", attempts: 1 });
  });
});

it("has a contradiction when the response has the identifier of another payment", async () => {
  const { payments } = makeScriptedWorld();
  expect(await payments.fund(invoice)).toMatchObject({ state: "accepted", id: transferId });
  const otherPayment = await payments.fund({ ...equalInvoice, amount: "11.00" });
  expect(otherPayment).toMatchObject({
    state: "accepted",
    attempts: 1,
    contradictions: [{ evidence: "identifier", id: transferId }],
  });
  expect(otherPayment).not.toHaveProperty("id");
});

it("is repeated after the time of the policy plus the allowances for a call, a delay and two clocks", async () => {
  const { payments, service } = await makeUnclearPayment(undefined, { repeatAfter: "1 hour" });
  service.now = Date.parse("2026-04-10T08:15:40.000Z");
  expect(await payments.resume()).toMatchObject({ unclear: 1 });
  service.now += 1;
  expect(await payments.resume()).toMatchObject({ accepted: 1 });
  expect(service.posts).toBe(2);
});

it("is sent at most 20 times by the policy", async () => {
  const { payments, service } = await makeUnclearPayment(undefined, { repeatAfter: "1 minute" });
  service.post = loseResponse;
  for (let count = 0; count < 22; count += 1) {
    service.now += 60 * minute;
    await payments.resume();
  }
  expect(service.posts).toBe(20);
});

it("is never repeated where no history can be read", async () => {
  const { payments, service } = makeScriptedWorld(undefined, { edition: "latest", repeatAfter: "1 minute" });
  service.post = loseResponse;
  const sepa = { of: "partner", iban: "GB33BUKB20201555555555", amount: "20.00", currency: "eur" } as const;
  expect(await payments.sepa({ ...sepa, reference: "payout-1" })).toMatchObject({ state: "unclear" });
  service.now += 24 * 60 * minute;
  expect(await payments.resume()).toMatchObject({ unclear: 1 });
  expect((await payments.get("payout-1"))?.reason).toContain("no history can be read");
  expect(service.posts).toBe(1);
});

describe("months", () => {
  it.each([
    ["2026-05-01T00:05:00.000Z", ["2026-04", "2026-05"]],
    ["2026-04-30T23:50:00.000Z", ["2026-04", "2026-05"]],
    ["2026-04-30T09:44:59.000Z", ["2026-04"]],
    ["2026-04-30T09:45:00.000Z", ["2026-04", "2026-05"]],
    ["2026-05-01T14:15:00.000Z", ["2026-05"]],
  ])("read at %s are %j, and one that the service refuses does not prevent it", async (start, expected) => {
    const { payments, service } = makeScriptedWorld(start);
    const months: string[] = [];
    service.history = (month) => {
      months.push(month);
      return month === expected[1] ? refusal("P435") : Response.json([]);
    };
    expect(await payments.fund(invoice)).toMatchObject({ state: "accepted" });
    expect(months).toEqual(expected);
  });

  it("that the service refuses are no evidence that the payment was not made", async () => {
    const { payments, service } = await makeUnclearPayment("2026-04-10T07:00:00.000Z", { repeatAfter: "1 hour" });
    service.now = Date.parse("2026-06-02T07:00:00.000Z");
    service.history = (month) => (month === "2026-05" ? refusal("P435") : Response.json([]));
    expect(await payments.resume()).toMatchObject({ unclear: 1 });
    service.history = (month) => (month === "2026-05" ? Response.json([record]) : Response.json([]));
    expect(await payments.resume()).toMatchObject({ accepted: 1 });
    expect(service.posts).toBe(1);
  });

  const partialResponses: [object[], ResponseInit][] = [
    [[], { headers: { link: '<?page=2>; rel="next"' } }],
    [[], { headers: { link: '<?page=1>; rel="prev", <?page=9>; rel="last next"' } }],
    [[], { headers: { link: "<?page=2>; rel = next" } }],
    [[], { headers: { link: String.raw`<?page=2>; rel="\next"` } }],
    [[], { status: 202 }],
    [[], { status: 203 }],
    [[], { status: 206 }],
    [[], { headers: { "x-total-count": "1" } }],
    [[], { headers: { "x-total-pages": "2" } }],
    [[], { headers: { "x-next-cursor": "b3c1" } }],
    [[], { headers: { age: "60" } }],
    [[], { headers: { warning: '110 - "Response is Stale"' } }],
    [[null as never], {}],
  ];
  it.each(partialResponses)(
    "are no such evidence either when the response %j with %j shows that it is not whole",
    async (...part) => {
      const { payments, service } = await makeUnclearPayment(undefined, { repeatAfter: "1 hour" });
      service.now += 120 * minute;
      service.history = () => Response.json(...part);
      expect(await payments.resume()).toMatchObject({ unclear: 1 });
      expect(service.posts).toBe(1);
    },
  );
});

it("is not sent when its history fails", async () => {
  const { payments, service } = makeScriptedWorld();
  service.history = () => refusal("P500");
  expect(await payments.fund(invoice)).toMatchObject({ state: "pending", attempts: 0, problem: { errorCode: "P500" } });
  expect(service.posts).toBe(0);
});

describe("a record", () => {
  const debitRecord = { ...record, type: "cryptoWithdrawal", amount: "-5.1", currency: "usdc" };

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
    ["withdraw", debitRecord, "accepted"],
    ["withdraw", { ...debitRecord, amount: "-5" }, "accepted"],
    ["withdraw", { ...debitRecord, amount: "-4.99" }, "unclear"],
    ["withdraw", { ...debitRecord, amount: undefined }, "unclear"],
    ["withdraw", { ...debitRecord, currency: undefined }, "unclear"],
  ])("of %s with %j: %s", async (kind, change, state) => {
    const { payments, service } = makeScriptedWorld();
    service.post = () => {
      service.records = [{ ...record, ...change }];
      return loseResponse();
    };
    const payment = kind === "fund" ? payments.fund(invoice) : payments.withdraw(withdrawal);
    expect(await payment).toMatchObject({
      state,
      ...(kind === "fund" && state === "accepted" ? { id: transferId } : {}),
    });
  });

  it.each([
    ["DECLINED_BY_NIGHT", "failed", 2],
    [undefined, "failed", 2],
    ["IN_PROGRESS", "accepted", 1],
    ["UNSUCCESSFUL", "failed", 1],
  ])(
    "shows the end of an accepted payment whose details have the status %j: %s, %i reads",
    async (status, state, reads) => {
      const { payments, service } = makeScriptedWorld();
      await payments.fund(invoice);
      service.records = [{ ...record, status: "UNSUCCESSFUL" }];
      service.details = () =>
        Response.json({ ...event, createdAt: record.createdAt, sourceExternalUserId: null, status });
      const readsBefore = service.reads;
      expect(await payments.resume()).toMatchObject({ [state]: 1 });
      expect(service.reads - readsBefore).toBe(reads);
    },
  );

  it("shows the end of its payment where no details can be read, whatever equal ones say", async () => {
    const { payments, service, store } = makeScriptedWorld();
    service.post = () => {
      service.records = [record];
      return loseResponse();
    };
    expect(await payments.fund(invoice)).toMatchObject({ state: "accepted", id: transferId });
    expect(await store.read("invoice-1")).toMatchObject({ debit: null, credit: null, holds: false });
    const otherRecord = { ...record, id: "record-0", status: "UNSUCCESSFUL", createdAt: "2026-04-10T06:00:00.000Z" };
    service.records = [otherRecord, record];
    expect(await payments.resume()).toMatchObject({ accepted: 1 });
    service.records = [otherRecord, { ...record, status: "SUCCESSFUL" }];
    expect(await payments.resume()).toMatchObject({ succeeded: 1 });
  });
});

it("continues more payments than its store lists at once", async () => {
  const { payments, store } = makeScriptedWorld();
  await payments.fund(invoice);
  const row = await store.read("invoice-1");
  for (let number = 0; row && number < 250; number += 1) {
    await store.write({ ...row, reference: `p-${number}`, id: null, version: 1 });
  }
  expect(await payments.resume()).toMatchObject({ accepted: 251 });
});
