/** Stories in which a former version was wrong: most often it paid twice, or reported a wrong state. */
import type { Payment, PaymentStore, PaymentsOptions } from "partner-wallet-api/payments";
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

type World = ReturnType<typeof makeScriptedWorld>;

const timeText = (time: number) => new Date(time).toISOString();
const acceptedResponse = (transferId: string) => Response.json({ transferId }, { status: 201 });

const sepaInvoice = {
  reference: "R-1",
  of: { user: "user-1" },
  iban: "GB33BUKB20201555555555",
  amount: "250.00",
  currency: "eur",
};

/** Makes each further POST lose its response. With `shownRecord`, the call has an effect, and the record is added to the history. */
function loseFurtherResponses(service: World["service"], shownRecord?: object): void {
  service.post = () => {
    if (shownRecord !== undefined) service.records = [...service.records, shownRecord];
    return loseResponse();
  };
}

it("a refusal of the second attempt says nothing about the first, whose response was lost", async () => {
  const { payments, service } = makeScriptedWorld(undefined, { repeatAfter: "10 minutes" });
  loseFurtherResponses(service);
  expect(await payments.fund(invoice)).toMatchObject({ state: "unclear" });
  service.post = async () => refusal("P433");
  service.now += 30 * minute;
  expect(await payments.resume()).toMatchObject({ unclear: 1 });
  expect(await payments.get("invoice-1")).toMatchObject({ attempts: 2, problem: { errorCode: "P433" } });
  expect(await payments.observe("p2pTransfer", event as never)).toMatchObject({ state: "succeeded" });
});

it("a clock that is ten minutes ahead does not shorten `repeatAfter`", async () => {
  const { payments, service, createProcess } = makeScriptedWorld(undefined, { repeatAfter: "10 minutes" });
  loseFurtherResponses(service);
  await payments.fund(invoice);
  const clock = { now: () => service.now + 10 * minute, wait: async () => {} };
  service.now += 11 * minute;
  expect(await createProcess({ clock }).resume()).toMatchObject({ unclear: 1 });
  expect(service.posts).toBe(1);
});

it.each<[string, PaymentsOptions["repeatAfter"], (month: string, records: object[]) => Response]>([
  ["shows it in the next month", "45 minutes", (month, records) => Response.json(month === "2026-07" ? records : [])],
  ["refuses the next month", "45 minutes", (month) => (month === "2026-07" ? refusal("P435") : Response.json([]))],
])("at the edge of a month, where a history in the time of Berlin %s", async (_, repeatAfter, history) => {
  const { payments, service } = makeScriptedWorld(
    "2026-06-30T22:05:00.000Z",
    repeatAfter === undefined ? {} : { repeatAfter },
  );
  loseFurtherResponses(service, { ...record, createdAt: "2026-06-30T22:05:01.000Z" });
  service.history = (month) => history(month, service.records);
  await payments.fund(invoice);
  for (let turn = 0; turn < 14; turn += 1) {
    service.now += 4 * minute;
    await payments.resume();
  }
  expect(service.posts).toBe(1);
});

it("one decision to repeat is carried out once, though an earlier attempt, of which nothing was sent, is removed after it", async () => {
  const { store, createProcess, service } = makeScriptedWorld(undefined, { lookForMs: 0 });
  const otherPayments = createProcess();
  let isSleeping = false;
  const write: PaymentStore["write"] = async (payment) => {
    const outcome = await store.write(payment);
    if (isSleeping || !payment.data.includes('"sending"')) return outcome;
    isSleeping = true;
    service.now += 30 * minute;
    await otherPayments.resume();
    loseFurtherResponses(service);
    await otherPayments.decide("invoice-1", "repeat");
    return outcome;
  };
  await createProcess({ store: { ...store, write } }).fund(invoice);
  service.post = async () => acceptedResponse(transferId);
  await otherPayments.resume();
  expect(await otherPayments.get("invoice-1")).toMatchObject({ state: "unclear", attempts: 1 });
  expect(service.posts).toBe(1);
});

it("a call that waits in a hook of the client while the machine sleeps is not sent", async () => {
  const onRequest = () => {
    service.now += 30 * minute;
  };
  const { payments, service } = makeScriptedWorld(undefined, { clientOptions: { onRequest } });
  expect(await payments.fund(invoice)).toMatchObject({ state: "pending", attempts: 0 });
  expect(service.posts).toBe(0);
});

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
    expect([service.posts, await payments.get("invoice-1")]).toMatchObject([1, { state: "succeeded" }]);
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

it.each<["abandon" | "happened", string, () => Response, string]>([
  ["abandon", "accepts it", () => acceptedResponse(transferId), "accepted"],
  ["happened", "refuses it", () => refusal("P403"), "refused"],
  ["happened", "does not take it", () => new Response("", { status: 401 }), "accepted"],
])("a decision to %s is contradicted by a response that %s", async (decision, _, response, state) => {
  const reportedPayments: Payment[] = [];
  const { payments, service, createProcess } = makeScriptedWorld(undefined, {
    onContradiction: (payment) => reportedPayments.push(payment),
  });
  service.post = async () => {
    service.now += 30 * minute;
    const otherPayments = createProcess();
    await otherPayments.resume();
    await otherPayments.decide("invoice-1", decision);
    return response();
  };
  expect(await payments.fund(invoice)).toMatchObject({ state });
  expect(reportedPayments).toMatchObject([{ reference: "invoice-1", contradictions: [{}] }]);
  expect(service.posts).toBe(1);
});

it("a second decision from an old list is refused, when it names the attempts that it saw", async () => {
  const { payments, service } = makeScriptedWorld();
  loseFurtherResponses(service);
  const { attempts } = await payments.fund(invoice);
  expect(await payments.decide("invoice-1", "repeat", attempts)).toMatchObject({ state: "unclear", attempts: 2 });
  await expect(payments.decide("invoice-1", "repeat", attempts)).rejects.toThrow("has 2 attempts, and not 1");
  expect(service.posts).toBe(2);
});

it("a second effect after a repeat is told when its record appears before the payment is final", async () => {
  const { payments, service } = makeScriptedWorld();
  loseFurtherResponses(service);
  await payments.fund(invoice);
  service.post = async () => acceptedResponse(transferId);
  await payments.decide("invoice-1", "repeat");
  const shownRecord = { ...record, status: "SUCCESSFUL", transferId: undefined };
  service.records = [shownRecord, { ...shownRecord, id: "record-2", createdAt: timeText(service.now) }];
  service.details = () => Response.json({ ...event, createdAt: timeText(service.now) });
  await payments.resume();
  expect(await payments.get("invoice-1")).toMatchObject({
    state: "succeeded",
    contradictions: [{ evidence: "record" }],
  });
});

it("two records that match a payment which was sent once are not taken for it", async () => {
  const { payments, service } = makeScriptedWorld();
  loseFurtherResponses(service);
  await payments.fund(invoice);
  service.records = ["record-1", "record-2"].map((id) => ({ ...record, id, transferId: undefined }));
  await payments.resume();
  const reason = expect.stringContaining("may be of this payment or of another");
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
    const reason = expect.stringContaining("no record of the payment was found");
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
    reason: expect.stringContaining("no record of the payment was found"),
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

it("the IBAN of a payment is stored only until it is accepted", async () => {
  const { payments, service, store } = makeScriptedWorld();
  service.post = async () => new Response("", { status: 429 });
  await payments.sepa(sepaInvoice);
  expect((await store.read("R-1"))?.data).toContain(sepaInvoice.iban);
  service.post = async () => acceptedResponse(transferId);
  expect(await payments.sepa(sepaInvoice)).toMatchObject({ state: "accepted" });
  expect((await store.read("R-1"))?.data).not.toContain(sepaInvoice.iban);
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

describe("a payment whose second attempt has failed after the first was lost", () => {
  const secondTransferId = "00000000-0000-4000-8000-000000000002";
  async function failAfterLostResponse() {
    const scriptedWorld = makeScriptedWorld(undefined, { repeatAfter: "10 minutes" });
    const sentBodies: unknown[] = [];
    const { service, payments } = scriptedWorld;
    loseFurtherResponses(service);
    expect(await payments.sepa(sepaInvoice)).toMatchObject({ state: "unclear" });
    service.post = async () => acceptedResponse(transferId);
    expect(await payments.decide("R-1", "repeat")).toMatchObject({ state: "accepted", id: transferId });
    const failedPayment = await payments.observe("sepaTransfer", { id: transferId, status: "FAILED" } as never);
    expect(failedPayment).toMatchObject({ state: "unclear" });
    service.post = async (request?: Request) => {
      sentBodies.push(await request?.json());
      return acceptedResponse(secondTransferId);
    };
    return { ...scriptedWorld, sent: sentBodies };
  }

  it("is not repeated by `repeatAfter`", async () => {
    const { service, payments } = await failAfterLostResponse();
    service.now += 60 * minute;
    expect(await payments.resume()).toMatchObject({ unclear: 1 });
    expect(service.posts).toBe(2);
    expect(await payments.get("R-1")).toMatchObject({ reason: expect.stringContaining("An attempt failed") });
  });

  it("is repeated with its whole request by a person, and has the identifier of the attempt that succeeds", async () => {
    const { payments, sent } = await failAfterLostResponse();
    expect(await payments.decide("R-1", "repeat")).toMatchObject({ state: "accepted", id: secondTransferId });
    expect(sent).toMatchObject([{ destinationIban: sepaInvoice.iban, transferTitle: "R-1" }]);
    const endedPayment = await payments.observe("sepaTransfer", {
      id: secondTransferId,
      status: "SUCCESSFUL",
    } as never);
    expect(endedPayment).toMatchObject({ state: "succeeded", id: secondTransferId });
  });
});

it.each([402, 405, 410, 413, 422, 424])(
  "%i without a P-code is unknown: a gateway can send it after the effect",
  async (status) => {
    const { payments, service } = makeScriptedWorld();
    service.post = async () => Response.json({}, { status });
    expect(await payments.fund(invoice)).toMatchObject({ state: "unclear" });
    await payments.resume();
    expect(service.posts).toBe(1);
  },
);

it("an event is of the one payment that lacks it, however many equal ones were refused", async () => {
  const { payments, service } = makeScriptedWorld();
  service.post = async () => refusal("P433");
  for (let number = 0; number < 100; number += 1) await payments.fund({ ...invoice, reference: `a-${number}` });
  loseFurtherResponses(service);
  await payments.fund({ ...invoice, reference: "z" });
  expect(await payments.observe("p2pTransfer", event as never)).toMatchObject({ reference: "z", state: "succeeded" });
});

it.each([
  [20, "a-0"],
  [21, undefined],
])("an event before all of %i equal payments but one is of %s: more than 20 are not compared", async (count, owner) => {
  const { payments, service } = makeScriptedWorld(undefined, { lookForMs: 0 });
  const createdAt = timeText(service.now);
  loseFurtherResponses(service);
  for (let number = 0; number < count; number += 1) {
    await payments.fund({ ...invoice, reference: `a-${number}` });
    await payments.decide(`a-${number}`, "happened");
    if (number === 0) service.now += 60 * minute;
  }
  const payment = await payments.observe("p2pTransfer", { ...event, createdAt } as never);
  expect(payment?.reference).toBe(owner);
});

describe("an event of a withdrawal", () => {
  const bitcoinWithdrawal = { ...withdrawal, network: "btc", amount: "1.0", currency: "btc" };
  const ownEvent = {
    id: transferId,
    status: "SUCCESSFUL",
    destination: "0xab",
    currency: { currency: "btc" },
    amount: 1.0001,
    createdAt: "2026-04-10T07:01:00.000Z",
    user: { externalUserId: "user-1" },
  };

  it.each<[object, boolean]>([
    [{}, true],
    [{ user: undefined }, true],
    [{ amount: 0.001 }, false],
    [{ amount: null }, false],
    [{ user: { externalUserId: "user-2" } }, false],
    [{ createdAt: "2026-04-10T06:00:00.000Z" }, false],
  ])("with %j is of it: %s", async (change, isOwn) => {
    const { payments, service } = makeScriptedWorld();
    service.post = loseResponse;
    await payments.withdraw(bitcoinWithdrawal);
    const foundPayment = await payments.observe("cryptoWithdrawal", { ...ownEvent, ...change } as never);
    expect(foundPayment?.state).toBe(isOwn ? "succeeded" : undefined);
  });
});

it("evidence against a final state is kept, listed, and told once", async () => {
  const reports: string[] = [];
  const onContradiction = (payment: Payment) => reports.push(payment.reference);
  const { payments, service } = makeScriptedWorld(undefined, { onContradiction });
  await payments.fund(invoice);
  await payments.observe("p2pTransfer", event as never);
  // Neither a payment without contradictions nor its reservation of a record is listed.
  const otherRecord = { ...record, id: "record-2", amount: "11.00", transferId: undefined };
  loseFurtherResponses(service, otherRecord);
  expect(await payments.fund({ ...equalInvoice, amount: "11.00" })).toMatchObject({ state: "accepted" });
  for (const _ of [1, 2]) await payments.observe("p2pTransfer", { ...event, status: "UNSUCCESSFUL" } as never);
  const foundPayments = [];
  for await (const payment of payments.contradictions()) foundPayments.push(payment);
  const contradictions = [{ evidence: "identifier", id: transferId, result: "failed", state: "succeeded" }];
  expect(foundPayments).toMatchObject([{ reference: "invoice-1", state: "succeeded", contradictions }]);
  expect(reports).toEqual(["invoice-1"]);
});

it.each<[string, object[], number]>([
  ["and a person is told, because the paid attempt may have been returned", [], 1],
  [
    "which is known to be of the other attempt, because that has a failed record",
    [{ id: "record-2", status: "UNSUCCESSFUL" }],
    0,
  ],
])(
  "of two lost attempts, one is paid by its record, and an event says that one failed, %s",
  async (_, others, count) => {
    const { payments, service } = makeScriptedWorld();
    loseFurtherResponses(service);
    await payments.fund(invoice);
    service.now += 30 * minute;
    const createdAt = timeText(service.now);
    const ownRecord = { ...record, transferId: undefined, createdAt };
    loseFurtherResponses(service, { ...ownRecord, status: "SUCCESSFUL" });
    service.history = () => {
      const isSent = service.records.length > 0;
      return Response.json(
        isSent ? [...service.records, ...others.map((otherRecord) => ({ ...ownRecord, ...otherRecord }))] : [],
      );
    };
    expect(await payments.decide("invoice-1", "repeat")).toMatchObject({ state: "succeeded", contradictions: [] });
    const failure = { ...event, status: "UNSUCCESSFUL", createdAt };
    const payment = await payments.observe("p2pTransfer", failure as never);
    expect([payment?.state, payment?.contradictions.length]).toEqual(["succeeded", count]);
  },
);

it("of two lost attempts, an event says that one failed, and the history has both: nobody has to be told", async () => {
  const { payments, service } = makeScriptedWorld();
  loseFurtherResponses(service);
  await payments.fund(invoice);
  service.now += 30 * minute;
  const createdAt = timeText(service.now);
  service.post = loseResponse;
  await payments.decide("invoice-1", "repeat");
  const failure = { ...event, status: "UNSUCCESSFUL", createdAt };
  expect(await payments.observe("p2pTransfer", failure as never)).toMatchObject({ state: "unclear" });
  const ownRecord = { ...record, transferId: undefined, createdAt };
  service.records = [
    { ...ownRecord, status: "SUCCESSFUL" },
    { ...ownRecord, id: "record-2", status: "UNSUCCESSFUL" },
  ];
  await payments.resume();
  expect(await payments.get("invoice-1")).toMatchObject({ state: "succeeded", contradictions: [] });
});

it("events that only a refused payment matches are contradictions, of which 20 are kept", async () => {
  const { payments, service } = makeScriptedWorld();
  service.post = async () => refusal("P433");
  await payments.fund(invoice);
  const contradictions = Array.from({ length: 20 }, (_, index) => {
    return { evidence: "identifier", id: `transfer-${index}`, result: "succeeded", state: "refused" };
  });
  for (const { id } of [...contradictions, { id: "transfer-20" }])
    await payments.observe("p2pTransfer", { ...event, id, createdAt: timeText(service.now) } as never);
  expect(await payments.get("invoice-1")).toMatchObject({ state: "refused", contradictions });
});

it("an event of equal content says nothing against a payment that was abandoned before it was sent", async () => {
  const { payments, service } = makeScriptedWorld();
  service.post = async () => new Response("", { status: 401 });
  await payments.fund(invoice);
  expect(await payments.decide("invoice-1", "abandon")).toMatchObject({ state: "abandoned", attempts: 0 });
  expect(await payments.observe("p2pTransfer", event as never)).toBeUndefined();
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

it.each<[string, { record?: object; event?: object }, object]>([
  ["a record", { record }, { evidence: "record", id: "record-1", result: "open", state: "accepted" }],
  ["an event", { event }, { evidence: "identifier", id: transferId, result: "succeeded", state: "succeeded" }],
  [
    "a record and an event that says how it ended",
    { record, event },
    { evidence: "identifier", id: transferId, result: "succeeded", state: "succeeded" },
  ],
])("%s of a payment whose call had no effect, by its response, is a contradiction", async (_, evidence, expected) => {
  const { payments, service, createProcess } = makeScriptedWorld();
  service.post = async () => {
    service.now += minute;
    const otherPayments = createProcess();
    if (evidence.record !== undefined) service.records = [{ ...evidence.record, transferId: undefined }];
    await otherPayments.resume();
    if (evidence.event !== undefined) await otherPayments.observe("p2pTransfer", evidence.event as never);
    return new Response("", { status: 401 });
  };
  expect(await payments.fund(invoice)).toMatchObject({ attempts: 0, contradictions: [expected] });
});

it.each<[string, number, () => Response]>([
  ["pending", 401, () => Response.json({ message: "Access Denied" }, { status: 401 })],
  ["pending", 403, () => new Response("Forbidden", { status: 403 })],
  ["pending", 429, () => new Response("", { status: 429 })],
  ["pending", 404, () => new Response("<html>", { status: 404, headers: { "content-type": "text/html" } })],
  ["refused", 400, () => refusal("P433")],
  ["unclear", 400, () => refusal("P500")],
  ["unclear", 400, () => refusal("P999")],
  ["unclear", 422, () => refusal("P999", 422)],
  ...[408, 409, 425, 499, 500, 502, 504].flatMap((status): [string, number, () => Response][] => [
    ["unclear", status, () => Response.json({ error: "gateway" }, { status })],
    ["unclear", status, () => new Response("<html>", { status })],
  ]),
])("is %s after a response with the status %i", async (state, status, response) => {
  const { payments, service } = makeScriptedWorld();
  service.post = async () => response();
  expect(await payments.fund(invoice)).toMatchObject({ state, problem: { status } });
  service.post = async () => acceptedResponse(transferId);
  await payments.resume();
  expect([service.posts, (await payments.get("invoice-1"))?.state]).toEqual(
    state === "pending" ? [2, "accepted"] : [1, state],
  );
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

it("a row does not grow with the history", async () => {
  const { payments, service, store } = makeScriptedWorld();
  for (let number = 1; number <= 200; number += 1) {
    const ownId = `${String(number).padStart(8, "0")}-3f0e-4b7a-9c86-1e5f2ab04d63`;
    service.post = async () => {
      service.records.push({ ...record, id: ownId, transferId: ownId, createdAt: timeText(service.now) });
      return acceptedResponse(ownId);
    };
    await payments.fund({ ...invoice, reference: `i-${number}` });
    service.now += 1000;
  }
  expect((await store.read("i-200"))?.data.length).toBeLessThan(3000);
});

it("an error of the store for one payment does not end `resume` for the others", async () => {
  const { payments, createProcess, store, service } = makeScriptedWorld();
  for (const name of ["a", "b", "c", "d"]) {
    service.post = async () => acceptedResponse(`${transferId}-${name}`);
    await payments.fund({ ...invoice, reference: name });
  }
  let readCount = 0;
  const read: PaymentStore["read"] = async (reference) => {
    readCount += 1;
    if (reference === "b") throw new Error("disk full");
    const row = await store.read(reference);
    readCount -= 1;
    return row;
  };
  const resuming = createProcess({ store: { ...store, read } }).resume();
  await expect(resuming).rejects.toThrow("resume: 1 could not be continued: Error: disk full");
  const error = (await resuming.catch((cause) => cause)) as AggregateError;
  expect([error.errors.length, readCount]).toEqual([1, 1]);
});

it('with `evidence: "identifiers"`, a record or an event of equal content is none', async () => {
  const { payments, service } = makeScriptedWorld(undefined, { evidence: "identifiers" });
  loseFurtherResponses(service, record);
  expect(await payments.fund(invoice)).toMatchObject({ state: "unclear" });
  expect(await payments.observe("p2pTransfer", event as never)).toBeUndefined();
  expect(service.reads).toBe(0);
});

it.each<[string, string?]>([
  ["currency"],
  ["amount"],
  ["type"],
  ["id"],
  ["createdAt"],
  ["createdAt", "2026-04-10T01:00:00"],
])("a record with the %s %s may be of the payment, so that it is not repeated", async (member, value) => {
  const { payments, service } = makeScriptedWorld(undefined, { repeatAfter: "10 minutes" });
  loseFurtherResponses(service, { ...record, transferId: undefined, [member]: value });
  await payments.fund(invoice);
  service.now += 60 * minute;
  expect(await payments.resume()).toMatchObject({ unclear: 1 });
  expect(service.posts).toBe(1);
});

it("is unclear when its second attempt failed, since the first may have succeeded", async () => {
  const { payments, service } = makeScriptedWorld(undefined, { repeatAfter: "10 minutes" });
  loseFurtherResponses(service);
  await payments.fund(invoice);
  service.post = async () => acceptedResponse(transferId);
  service.now += 60 * minute;
  expect(await payments.resume()).toMatchObject({ accepted: 1 });
  const failedPayment = await payments.observe("p2pTransfer", { ...event, status: "UNSUCCESSFUL" } as never);
  expect(failedPayment).toMatchObject({ state: "unclear" });
  expect(await payments.decide("invoice-1", "abandon")).toMatchObject({ state: "abandoned" });
});

it("an audit record that a partner's `fetch` cannot write after the response does not repeat the payment", async () => {
  const { payments, service } = makeScriptedWorld();
  const connectionError = { code: "ECONNREFUSED", syscall: "connect", address: "127.0.0.1", port: 5432 };
  service.post = () => {
    service.records = [...service.records, { ...record, id: `r-${service.posts}`, transferId: undefined }];
    return Promise.reject(Object.assign(new Error("audit"), connectionError));
  };
  await payments.fund(invoice);
  for (const _ of [1, 2]) await payments.resume();
  expect([service.posts, (await payments.get("invoice-1"))?.state]).toEqual([1, "accepted"]);
});
