/** Tests of the records of a history. A former version failed most of them: it paid twice or reported a wrong state. */
import { createPartnerClient } from "partner-wallet-api";
import { type MiddlewareResult, use } from "partner-wallet-api/helpers";
import type { PaymentStore } from "partner-wallet-api/payments";
import { describe, expect, it, vi } from "vitest";
import {
  acceptedResponse,
  equalInvoice,
  event,
  invoice,
  loseFurtherResponses,
  loseResponse,
  makeScriptedWorld,
  minute,
  record,
  refusal,
  sepaInvoice,
  timeText,
  transferId,
} from "../world.ts";

it("a record of a payment that another process has sent meanwhile is not given to an equal one", async () => {
  const { payments, service, createProcess } = makeScriptedWorld(undefined, { lookForMs: 0 });
  loseFurtherResponses(service);
  await payments.fund(invoice);
  await payments.decide("invoice-1", "happened");
  const ownRecord = { ...record, status: "SUCCESSFUL", transferId: undefined };
  service.post = async () => acceptedResponse(transferId);
  service.history = async () => {
    service.history = () => Response.json(service.records);
    await createProcess().fund(equalInvoice);
    service.records = [ownRecord];
    return Response.json(service.records);
  };
  expect(await payments.fund(equalInvoice)).toMatchObject({ state: "accepted", id: transferId });
  expect([await payments.get("invoice-1"), service.posts]).toMatchObject([{ state: "accepted" }, 2]);
});

it.each([
  ["14 months, which are all read", "2027-05-10T07:00:00.000Z", 2],
  ["15 months, of which the first is not read", "2027-06-10T07:00:00.000Z", 1],
])("`repeatAfter` sends a payment that has no record in %s: %s, calls in all: %i", async (_, now, posts) => {
  const { payments, service } = makeScriptedWorld(undefined, { repeatAfter: "10 minutes" });
  loseFurtherResponses(service);
  await payments.fund(invoice);
  service.now = Date.parse(now);
  await payments.resume();
  expect(service.posts).toBe(posts);
});

it.each([
  ["at the last time", "2026-04-10T07:15:40.000Z", "succeeded"],
  ["after the last time", "2026-04-10T07:15:40.001Z", "unclear"],
])("an event %s that the effect of its payment can have", async (_, createdAt, state) => {
  const { payments, service } = makeScriptedWorld();
  loseFurtherResponses(service);
  await payments.fund(invoice);
  await payments.observe("p2pTransfer", { ...event, createdAt } as never);
  expect(await payments.get("invoice-1")).toMatchObject({ state });
});

it.each([
  ["at the first time", "2026-04-10T07:15:00.000Z", "accepted"],
  ["before the first time", "2026-04-10T07:14:59.999Z", "unclear"],
])("a record %s that no record before the payment can have, when none could be read", async (_, createdAt, state) => {
  const { payments, service } = makeScriptedWorld();
  service.history = () => refusal("P435");
  loseFurtherResponses(service, { ...record, createdAt, transferId: undefined });
  await payments.fund(invoice);
  service.history = () => Response.json(service.records);
  await payments.resume();
  expect(await payments.get("invoice-1")).toMatchObject({ state });
});

describe("a lost payment of which it cannot be told whether it was paid:", () => {
  const day = "2026-04-11T07:00:00.000Z";

  it.each<[string, object]>([
    ["a record", {}],
    ["a record on the next day", { createdAt: day, amount: "10.00" }],
  ])("%s of the same user and amount without an identifier", async (_, change) => {
    const { payments, service } = makeScriptedWorld();
    loseFurtherResponses(service);
    await payments.fund(invoice);
    service.records = [{ ...record, transferId: undefined, ...change }];
    service.now = Date.parse(day) + minute;
    await payments.resume();
    expect(await payments.get("invoice-1")).toMatchObject({ state: "createdAt" in change ? "unclear" : "accepted" });
  });

  it("an event on the next day, which keeps a decided repeat from being sent", async () => {
    const { payments, service } = makeScriptedWorld();
    loseFurtherResponses(service);
    await payments.fund(invoice);
    service.now = Date.parse(day) + minute;
    service.history = () => refusal("P500");
    expect(await payments.decide("invoice-1", "repeat")).toMatchObject({ state: "pending" });
    await payments.observe("p2pTransfer", { ...event, createdAt: day } as never);
    service.history = () => Response.json([]);
    await payments.resume();
    expect([service.posts, await payments.get("invoice-1")]).toMatchObject([
      1,
      { state: "succeeded", decided: "repeat", contradictions: [{ evidence: "identifier", id: transferId }] },
    ]);
  });

  it.each([
    ["a record", false],
    ["an event", true],
  ])("%s on the next day, after a process was killed while it sent the payment", async (_, isEvent) => {
    const { payments, service, createProcess } = makeScriptedWorld();
    service.post = () => new Promise(() => {});
    void payments.fund(invoice);
    await vi.waitFor(() => expect(service.posts).toBe(1));
    service.now = Date.parse(day) + minute;
    if (isEvent) await createProcess().observe("p2pTransfer", { ...event, createdAt: day } as never);
    else service.records = [{ ...record, transferId: undefined, createdAt: day }];
    await createProcess().resume();
    expect(await payments.get("invoice-1")).toMatchObject({ state: "unclear" });
  });

  it("a record between its two attempts, an hour from both", async () => {
    const { payments, service } = makeScriptedWorld();
    loseFurtherResponses(service);
    await payments.fund(invoice);
    service.now += 120 * minute;
    await payments.decide("invoice-1", "repeat");
    service.records = [{ ...record, transferId: undefined, createdAt: "2026-04-10T08:00:00.000Z" }];
    await payments.resume();
    expect(await payments.get("invoice-1")).toMatchObject({ state: "unclear", attempts: 2 });
  });

  it("an event on the next day", async () => {
    const { payments, service } = makeScriptedWorld();
    loseFurtherResponses(service);
    await payments.fund(invoice);
    expect(await payments.observe("p2pTransfer", { ...event, createdAt: day } as never)).toBeUndefined();
    expect(await payments.get("invoice-1")).toMatchObject({ state: "unclear" });
  });

  it.each<[string, string]>([
    ["20.00", "accepted"],
    ["500.00", "unclear"],
  ])("a withdrawal of 10.00 by a record of %s: %s", async (amount, state) => {
    const { payments, service } = makeScriptedWorld();
    const shownRecord = {
      ...record,
      type: "cryptoWithdrawal",
      amount: `-${amount}`,
      currency: "usdc",
      transferId: undefined,
    };
    loseFurtherResponses(service, shownRecord);
    const receiver = { address: "0x1", name: "Lena Vogel", walletType: "OTHER", receiverType: "NATURAL" };
    const { user, ...money } = invoice;
    await payments.withdraw({ ...money, ...receiver, of: { user }, currency: "usdc" });
    expect(await payments.get("invoice-1")).toMatchObject({ state });
  });

  it.each<[string, object, string]>([
    ["the same account", {}, "succeeded"],
    ["no account and user", { destinationIban: null, user: null }, "succeeded"],
    ["the same account with spaces", { destinationIban: "gb33 BUKB 2020 1555 5555 55" }, "succeeded"],
    ["another account", { destinationIban: "DE02120300000000202051" }, "unclear"],
    ["another user", { user: { externalUserId: "user-2" } }, "unclear"],
  ])("a SEPA event with the title and amount, and %s", async (_, change, state) => {
    const { payments, service } = makeScriptedWorld();
    loseFurtherResponses(service);
    await payments.sepa(sepaInvoice);
    const { iban: destinationIban, reference: transferTitle, amount, currency } = sepaInvoice;
    const shownRecord = {
      ...event,
      amount,
      currency,
      transferTitle,
      destinationIban,
      user: { externalUserId: "user-1" },
    };
    await payments.observe("sepaTransfer", { ...shownRecord, ...change } as never);
    expect(await payments.get("R-1")).toMatchObject({ state });
  });
});

it("two records that match a payment which was sent once are not taken for it", async () => {
  const { payments, service } = makeScriptedWorld();
  loseFurtherResponses(service);
  await payments.fund(invoice);
  service.records = ["record-1", "record-2"].map((id) => ({ ...record, id, transferId: undefined }));
  await payments.resume();
  const reason = expect.stringContaining("may be of another payment");
  expect(await payments.get("invoice-1")).toMatchObject({ state: "unclear", reason });
});

describe("records with identifiers", () => {
  const transferIds = ["1", "2", "3"].map((digit) => transferId.slice(0, -1) + digit);
  const ownRecords = transferIds.map((id) => ({ ...record, id: `record-${id}`, transferId: id, status: "SUCCESSFUL" }));

  it("are each of the equal payment with this identifier", async () => {
    const { payments, service } = makeScriptedWorld();
    for (const [index, id] of transferIds.entries()) {
      service.post = async () => acceptedResponse(id);
      await payments.fund({ ...invoice, reference: `a-${index}` });
    }
    service.records = ownRecords;
    expect(await payments.resume()).toMatchObject({ succeeded: 3 });
  });

  it("of an accepted payment are not of a lost equal one", async () => {
    const { payments, service } = makeScriptedWorld();
    service.post = async () => acceptedResponse(transferIds[0] as string);
    await payments.fund(invoice);
    loseFurtherResponses(service, ownRecords[0]);
    const reason = expect.stringContaining("no record was found yet");
    expect(await payments.fund(equalInvoice)).toMatchObject({ state: "unclear", reason });
  });
});

it("a record that a process reserved for a payment before it ended is of that payment", async () => {
  const { payments, service, store, createProcess } = makeScriptedWorld();
  loseFurtherResponses(service);
  await payments.fund(invoice);
  service.records = [{ ...record, transferId: undefined }];
  const write: PaymentStore["write"] = async (payment) => {
    if (payment.state === "accepted" && payment.reference === "invoice-1") throw new Error("killed");
    return store.write(payment);
  };
  await expect(createProcess({ store: { ...store, write } }).resume()).rejects.toThrow("killed");
  await payments.decide("invoice-1", "abandon");
  expect(await payments.fund(equalInvoice)).toMatchObject({
    state: "unclear",
    reason: expect.stringContaining("no record was found yet"),
  });
  expect(await payments.get("invoice-1")).toMatchObject({ contradictions: [{ evidence: "record", id: "record-1" }] });
});

it.each([
  ["20 records, all of which are stored", 20, "accepted"],
  ["21 records, of which the oldest is not stored", 21, "unclear"],
])("a record older than the newest %s before the payment: %i, %s", async (_, count, state) => {
  const { payments, service } = makeScriptedWorld();
  service.records = Array.from({ length: count }, (_, index) => {
    return { ...record, id: `before-${index}`, createdAt: timeText(service.now - index * 1000) };
  });
  loseFurtherResponses(service, { ...record, transferId: undefined, createdAt: timeText(service.now - 10 * minute) });
  expect(await payments.fund(invoice)).toMatchObject({ state });
});

it("a record that was there before, as old as a record of the payment can be, is not of the payment", async () => {
  const { payments, service } = makeScriptedWorld();
  service.records = [{ ...record, transferId: undefined, createdAt: timeText(service.now - 15 * minute) }];
  loseFurtherResponses(service);
  expect(await payments.fund(invoice)).toMatchObject({ state: "unclear" });
});

describe("with more equal payments than are compared", () => {
  const referenceWithNumber = (number: number) => `invoice-${String(number).padStart(2, "0")}`;

  async function makeWorldWithAcceptedPayments(repeatAfter?: "10 minutes") {
    const scriptedWorld = makeScriptedWorld(undefined, {
      lookForMs: 0,
      ...(repeatAfter === undefined ? {} : { repeatAfter }),
    });
    for (let number = 1; number <= 21; number += 1) {
      scriptedWorld.service.post = async () => acceptedResponse(`${transferId.slice(0, -2)}${number + 10}`);
      await scriptedWorld.payments.fund({ ...invoice, reference: referenceWithNumber(number) });
    }
    loseFurtherResponses(scriptedWorld.service, { ...record, transferId: `${transferId.slice(0, -2)}99` });
    await scriptedWorld.payments.fund({ ...invoice, reference: referenceWithNumber(90) });
    return scriptedWorld;
  }

  it("a record that can be of the lost one only is not taken for one of another payment", async () => {
    const { payments, service } = await makeWorldWithAcceptedPayments("10 minutes");
    service.now += 40 * minute;
    await payments.resume();
    expect([service.posts, await payments.get(referenceWithNumber(90))]).toMatchObject([22, { state: "unclear" }]);
  });

  it("one that waits for an equal one ends its turn", async () => {
    const { payments, service } = await makeWorldWithAcceptedPayments();
    const waitingPayment = await payments.fund({ ...invoice, reference: referenceWithNumber(91) });
    expect([service.posts, waitingPayment]).toMatchObject([
      22,
      { state: "pending", reason: "An equal payment is open." },
    ]);
  });
});

describe("a record of the same user, side and currency keeps `repeatAfter` from repeating:", () => {
  const sepa = { ...sepaInvoice, reference: "R_1 ü" };
  const shownRecord = {
    ...record,
    type: "sepaTransfer",
    amount: "-250.00",
    currency: "eur",
    transferTitle: sepa.reference,
  };
  const intentWithManyDigits = { amount: "90071992547409.93", user: "user-1" };

  it.each<[string, "sepa" | "fund", object, object, number]>([
    ["a fee in its amount", "sepa", {}, { amount: "-250.35" }, 1],
    ["a generic type", "sepa", {}, { type: "transaction" }, 1],
    ["another type", "fund", {}, { type: "transaction" }, 1],
    ["other characters in its title", "sepa", {}, { transferTitle: "R 1 UE" }, 1],
    ["a title that is cut", "sepa", { title: `r-${"7".repeat(150)}` }, { transferTitle: `r-${"7".repeat(138)}` }, 1],
    ["fewer digits than the amount", "fund", intentWithManyDigits, { amount: 90071992547409.94 }, 1],
    ["no amount", "fund", {}, { amount: undefined }, 1],
    ["another title", "sepa", {}, { transferTitle: "SEPA CREDIT TRANSFER" }, 1],
    ["a fee that was deducted", "fund", {}, { amount: "7.50" }, 1],
    ["another amount", "fund", {}, { amount: "100.00" }, 1],
    ["another type and amount", "fund", {}, { type: "transaction", amount: "10.40" }, 1],
    ["a title that is cut and a fee", "sepa", {}, { transferTitle: "R_1", amount: "-250.40" }, 1],
    ["another currency", "fund", {}, { currency: "usd" }, 2],
    ["a currency in another form", "fund", {}, { currency: { currency: "eur" } }, 1],
    ["another side", "fund", {}, { amount: "-10.00" }, 2],
    ["a time before", "fund", {}, { type: "transaction", createdAt: "2026-04-10T06:00:00.000Z" }, 2],
  ])("%s", async (_, kind, intent, change, posts) => {
    const { payments, service } = makeScriptedWorld(undefined, { repeatAfter: "10 minutes" });
    loseFurtherResponses(service, { ...(kind === "sepa" ? shownRecord : record), transferId: undefined, ...change });
    await payments[kind as "fund"]({ ...(kind === "sepa" ? sepa : invoice), ...intent } as never);
    service.post = async () => acceptedResponse(transferId);
    service.now += 40 * minute;
    await payments.resume();
    expect(service.posts).toBe(posts);
  });

  it.each<[string, number, (sign: string) => object[]]>([
    ["on both sides", 1, (sign) => [{ ...record, transferId: undefined, amount: `${sign}10.40` }]],
    ["on one side", 2, (sign) => (sign === "" ? [{ ...record, transferId: undefined, amount: "10.40" }] : [])],
    ["of another type on one side", 2, (sign) => (sign === "" ? [{ ...record, type: "transaction" }] : [])],
  ])("of a payment between two users, %s", async (_, posts, recordsOf) => {
    const { payments, service } = makeScriptedWorld(undefined, { repeatAfter: "10 minutes" });
    const { user: to, ...money } = invoice;
    service.post = () => {
      service.history = (_month, user) => Response.json(recordsOf(user === to ? "" : "-"));
      service.post = async () => acceptedResponse(transferId);
      return loseResponse();
    };
    await payments.between({ ...money, from: "user-2", to });
    service.now += 40 * minute;
    await payments.resume();
    expect(service.posts).toBe(posts);
  });

  it("but one of a payment that is known does not", async () => {
    const { payments, service } = makeScriptedWorld(undefined, { repeatAfter: "10 minutes" });
    await payments.fund({ ...equalInvoice, amount: "12.00" });
    loseFurtherResponses(service, { ...record, amount: "12.00" });
    await payments.fund(invoice);
    service.post = async () => acceptedResponse(`${transferId.slice(0, -1)}4`);
    service.now += 40 * minute;
    await payments.resume();
    expect(service.posts).toBe(3);
  });

  it("but one that was there before does not", async () => {
    const { payments, service } = makeScriptedWorld(undefined, { repeatAfter: "10 minutes" });
    service.records = [{ ...record, type: "transaction" }];
    loseFurtherResponses(service);
    await payments.fund(invoice);
    service.now += 40 * minute;
    await payments.resume();
    expect(service.posts).toBe(2);
  });
});

it("a record with an identifier that only a refused payment matches is a contradiction", async () => {
  const { payments, service } = makeScriptedWorld();
  service.post = async () => refusal("P433");
  await payments.fund(invoice);
  service.post = async () => acceptedResponse(transferId);
  await payments.fund(equalInvoice);
  service.records = [{ ...record, transferId: `${transferId.slice(0, -1)}4` }];
  await payments.resume();
  expect(await payments.get("invoice-1")).toMatchObject({ state: "refused", contradictions: [{ id: "record-1" }] });
});

it("the late record of an abandoned payment is not that of the next equal one", async () => {
  const { payments, service } = makeScriptedWorld();
  loseFurtherResponses(service);
  await payments.fund(invoice);
  await payments.decide("invoice-1", "abandon");
  service.now += minute;
  service.post = () => {
    service.records = [{ ...record, transferId: undefined }];
    return loseResponse();
  };
  expect(await payments.fund(equalInvoice)).toMatchObject({ state: "unclear" });
});

it("the record of an accepted payment that comes after half an hour is not that of the next equal one", async () => {
  const { payments, service } = makeScriptedWorld();
  const lateRecord = { ...record, transferId: undefined, createdAt: timeText(service.now) };
  await payments.fund(invoice);
  service.now += 31 * minute;
  loseFurtherResponses(service, lateRecord);
  expect(await payments.fund(equalInvoice)).toMatchObject({ state: "unclear" });
});

it.each([
  ["10", "accepted"],
  ["10.00", "accepted"],
  ["1e1", "accepted"],
  ["1.0E+1", "accepted"],
  ["10.0000000000000000", "accepted"],
  ["10.00000000000000001", "unclear"],
  ["10.0000000001", "unclear"],
  ["9.99999999999999999", "unclear"],
])("a record whose amount is written as the number %s: %s", async (amount, state) => {
  const { payments, service } = makeScriptedWorld();
  service.post = async () => {
    service.history = () => jsonResponse([{ ...record, transferId: undefined }], '"10.00"', amount);
    return loseResponse();
  };
  expect(await payments.fund(invoice)).toMatchObject({ state });
});

it.each(["7", "12345678901234567890"])("a record whose id and identifier are the number %s", async (id) => {
  const { payments, service } = makeScriptedWorld();
  service.post = async () => {
    const text = jsonResponse([{ ...record, id: transferId, amount: 10 }], new RegExp(`"${transferId}"`, "g"), id);
    service.history = () => text.clone();
    return loseResponse();
  };
  expect(await payments.fund(invoice)).toMatchObject({ state: "accepted", id });
});

it("a record whose title is a list with a number: it is compared as it was written", async () => {
  const { payments, service } = makeScriptedWorld();
  service.post = async () => {
    const sepaRecord = { ...record, type: "sepaTransfer", amount: "-250.00", transferTitle: "title" };
    service.history = () => jsonResponse([sepaRecord], '"title"', "[12345678901234567890]");
    return loseResponse();
  };
  expect(await payments.sepa({ ...sepaInvoice, title: "12345678901234567000" })).toMatchObject({ state: "unclear" });
});

it("a middleware that leaves the headers out of a response", async () => {
  const world = makeScriptedWorld();
  const client = createPartnerClient({ ...world.clientOptions, edition: "test" });
  use(client, async (_call, next) => {
    const { response, ...result } = await next();
    return { ...result, response: { status: response?.status } as Response };
  });
  expect(await world.createProcess({ client }).fund(invoice)).toMatchObject({ state: "accepted" });
});

it("a history without a response, which a middleware left out, does not repeat a payment", async () => {
  const world = makeScriptedWorld();
  loseFurtherResponses(world.service);
  const client = createPartnerClient({ ...world.clientOptions, edition: "test" });
  use(client, async (_call, next) => {
    const { response: _, ...result } = await next();
    return result as MiddlewareResult;
  });
  const payments = world.createProcess({ client, repeatAfter: "10 minutes" });
  await payments.fund(invoice);
  world.service.now += 40 * minute;
  await payments.resume();
  expect(world.service.posts).toBe(1);
});

it("a record that a middleware masks, and one that it copies", async () => {
  for (const result of ["masked", "copied"] as const) {
    const world = makeScriptedWorld();
    const sepaRecord = { ...record, type: "sepaTransfer", amount: -250, transferTitle: sepaInvoice.reference };
    loseFurtherResponses(world.service, sepaRecord);
    const client = createPartnerClient({ ...world.clientOptions, edition: "test" });
    use(client, async (_call, next) => {
      const received = await next();
      const records = Array.isArray(received.data) ? (received.data as { transferTitle: string }[]) : [];
      if (result === "copied" && records.length > 0) return { ...received, data: [...records] };
      for (const shownRecord of records) shownRecord.transferTitle = "***";
      return received;
    });
    expect(await world.createProcess({ client }).sepa(sepaInvoice)).toMatchObject({ state: "accepted" });
  }
});

/** A response with the JSON text of a value, in which a part is replaced. */
function jsonResponse(value: unknown, part: string | RegExp, replacement: string): Response {
  const headers = { "content-type": "application/json" };
  return new Response(JSON.stringify(value).replace(part, replacement), { headers });
}
