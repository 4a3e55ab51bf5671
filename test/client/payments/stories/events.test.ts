/** Tests of events and contradictions. A former version failed most of them: it paid twice or reported a wrong state. */
import type { Payment } from "partner-wallet-api/payments";
import { parseWebhook, testEvent } from "partner-wallet-api/webhooks";
import { describe, expect, it } from "vitest";
import {
  equalInvoice,
  event,
  invoice,
  loseFurtherResponses,
  loseResponse,
  makeScriptedWorld,
  minute,
  record,
  refusal,
  timeText,
  transferId,
  withdrawal,
} from "../world.ts";

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

  it.each([
    ["0.99999999999999999999", undefined],
    ["10001e-4", "succeeded"],
  ])("with the amount %s, of which no digit is lost, is of one of 1.0: %s", async (amount, state) => {
    const { payments, service } = makeScriptedWorld();
    service.post = loseResponse;
    await payments.withdraw(bitcoinWithdrawal);
    const currency = { ...testEvent("cryptoWithdrawal").currency, currency: "btc" };
    const text = JSON.stringify(testEvent("cryptoWithdrawal", { ...ownEvent, currency, amount: 12345 } as never));
    const result = parseWebhook("cryptoWithdrawal", text.replace("12345", amount));
    if (!result.ok) throw new Error(result.reason);
    expect((await payments.observe("cryptoWithdrawal", result.event))?.state).toBe(state);
  });
});

it("an event with an identifier in upper case is of the payment with this identifier", async () => {
  const { payments, service } = makeScriptedWorld();
  await payments.fund(invoice);
  loseFurtherResponses(service);
  service.now += minute;
  await payments.fund(equalInvoice);
  const upperCaseEvent = { ...event, id: transferId.toUpperCase(), createdAt: timeText(service.now) };
  expect(await payments.observe("p2pTransfer", upperCaseEvent as never)).toMatchObject({
    reference: "invoice-1",
    state: "succeeded",
    id: transferId,
    contradictions: [],
  });
});

it("an event that states that no user is paid is of no payment to a user", async () => {
  const { payments, service } = makeScriptedWorld();
  loseFurtherResponses(service);
  await payments.fund(invoice);
  const eventOfCollection = { ...event, sourceExternalUserId: "user-1", destinationExternalUserId: null };
  expect(await payments.observe("p2pTransfer", eventOfCollection as never)).toBeUndefined();
});

it.each([
  [15, "succeeded"],
  [16, undefined],
])("an event without a readable time, %i minutes after a lost payment: %s", async (minutes, state) => {
  const { payments, service } = makeScriptedWorld();
  loseFurtherResponses(service);
  await payments.fund(invoice);
  service.now += minutes * minute;
  const payment = await payments.observe("p2pTransfer", { ...event, createdAt: "10.04.2026" } as never);
  expect(payment?.state).toBe(state);
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
  async (_, otherRecords, contradictionCount) => {
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
        isSent ? [...service.records, ...otherRecords.map((otherRecord) => ({ ...ownRecord, ...otherRecord }))] : [],
      );
    };
    expect(await payments.decide("invoice-1", "repeat")).toMatchObject({ state: "succeeded", contradictions: [] });
    const failure = { ...event, status: "UNSUCCESSFUL", createdAt };
    const payment = await payments.observe("p2pTransfer", failure as never);
    expect([payment?.state, payment?.contradictions.length]).toEqual(["succeeded", contradictionCount]);
  },
);

it("no contradiction is reported if an event says that one of two lost attempts failed, and the history has both", async () => {
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

it('with `evidence: "identifiers"`, a record or an event of equal content is no evidence', async () => {
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
