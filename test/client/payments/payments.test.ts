import { createPartnerClient } from "partner-wallet-api";
import { createTransfer } from "partner-wallet-api/operations";
import { createMemoryStore, createPayments } from "partner-wallet-api/payments";
import { describe, expect, it } from "vitest";
import { makeFixture } from "./fixture.ts";

const invoice = { reference: "invoice-1", user: "user-1", amount: "10.00", currency: "eur" };

it("funds a user, and returns the same payment for the same reference", async () => {
  const { payments, mock, euroBalanceOf } = makeFixture();
  const payment = await payments.fund(invoice);
  expect(payment).toMatchObject({ reference: "invoice-1", kind: "fund", state: "accepted", attempts: 1 });
  expect(await payments.fund(invoice)).toEqual(payment);
  await mock.clock.advance("1 hour");
  expect(euroBalanceOf("user-1")).toBe("1010.00");
  expect(await payments.resume()).toMatchObject({ succeeded: 1 });
  expect(await payments.fund(invoice)).toMatchObject({ state: "succeeded", id: payment.id });
});

it.each(["response", "request"] as const)("resolves a payment whose %s was lost", async (lostPart) => {
  const { payments, mock, euroBalanceOf } = makeFixture();
  mock.faults.add({ operation: "createTransfer", lose: lostPart });
  const payment = await payments.fund(invoice);
  expect(payment.state).toBe(lostPart === "response" ? "accepted" : "unclear");
  await mock.clock.advance("1 hour");
  expect(euroBalanceOf("user-1")).toBe(lostPart === "response" ? "1010.00" : "1000.00");
  if (lostPart === "response") return;
  expect(payment.reason).toContain("no record");
  expect(await payments.resume()).toMatchObject({ unclear: 1 });
  expect(await payments.fund(invoice)).toMatchObject({ state: "unclear" });
  const openReferences = [];
  for await (const { reference } of payments.unclear()) openReferences.push(reference);
  expect(openReferences).toEqual(["invoice-1"]);
  expect(await payments.decide("invoice-1", "repeat")).toMatchObject({ state: "accepted", attempts: 2 });
  await mock.clock.advance("1 hour");
  expect(euroBalanceOf("user-1")).toBe("1010.00");
});

it("refuses different content under the same reference", async () => {
  const { payments, options } = makeFixture();
  await payments.fund(invoice);
  const otherResult = payments.fund({ ...invoice, amount: "11.00", user: "user-2" });
  await expect(otherResult).rejects.toThrow("was stored with another user, amount. Give the same content.");
  await expect(payments.collect(invoice)).rejects.toThrow("was stored with another kind");
  expect(await payments.fund({ ...invoice, amount: "010.0" })).toMatchObject({ state: "accepted" });
  expect(await options.store.open("", 10)).toHaveLength(1);
});

it("sends an equal payment only after the earlier one is no longer unclear, and counts both", async () => {
  const { payments, mock, euroBalanceOf } = makeFixture();
  mock.faults.add({ operation: "createTransfer", lose: "response" });
  const results = await Promise.all([payments.fund(invoice), payments.fund({ ...invoice, reference: "invoice-2" })]);
  expect(results.map(({ state }) => state)).not.toContain("unclear");
  await mock.clock.advance("1 hour");
  await payments.resume();
  expect(euroBalanceOf("user-1")).toBe("1020.00");
  expect((await payments.get("invoice-2"))?.state).toBe("succeeded");
});

it("resolves a lost SEPA payout by its event in the edition latest, also by one with only its identifier", async () => {
  const { payments, mock, options, events } = makeFixture({}, { edition: "latest" });
  const sepa = { of: "partner", iban: "GB33BUKB20201555555555", amount: "20.00", currency: "eur" } as const;
  mock.faults.add({ operation: "createPartnerSepaTransfer", lose: "response", times: 2 });
  expect(await payments.sepa({ ...sepa, reference: "payout-1" })).toMatchObject({ state: "unclear" });
  expect(await payments.sepa({ ...sepa, reference: "payout-2" })).toMatchObject({ state: "unclear" });
  await mock.clock.advance("1 hour");
  const eventWithTitle = (title: string) => events.find(({ transferTitle }) => transferTitle === title);
  const firstEvent = eventWithTitle("payout-1") as { id: string };
  expect(await payments.observe("sepaTransfer", firstEvent as never)).toMatchObject({
    reference: "payout-1",
    state: "succeeded",
  });
  const { id } = eventWithTitle("payout-2") as { id: string };
  // The event lacks members that are compared with payments.
  const failedEvent = { id, status: "FAILED", error: {}, amount: "20.00" };
  expect(await payments.observe("sepaTransfer", failedEvent as never)).toMatchObject({ state: "failed" });
  expect(await payments.observe("sepaTransfer", { id, status: "SUCCESSFUL" })).toMatchObject({ state: "failed" });
  const otherEvent = { ...firstEvent, id: "5a4d5a0e-0d1b-4f0e-8c1e-1d1a5c1b0001", transferTitle: "not ours" };
  expect(await payments.observe("sepaTransfer", otherEvent as never)).toBeUndefined();
  const storedRows = JSON.stringify([await options.store.read("payout-1"), await options.store.read("payout-2")]);
  expect(storedRows).not.toContain("GB33");
});

it("does not take the late record of a payment for that of an equal one", async () => {
  const { payments, mock, euroBalanceOf } = makeFixture();
  mock.faults.add({ operation: "createTransfer", historyAfter: "5 minutes" });
  mock.faults.add({ operation: "createTransfer", lose: "request" });
  const equalIntent = { ...invoice, reference: "invoice-2" };
  expect((await payments.fund(invoice)).state).toBe("accepted");
  expect(await payments.fund(equalIntent)).toMatchObject({ state: "unclear", attempts: 1 });
  await mock.clock.advance("10 minutes");
  await payments.resume();
  const reason = expect.stringContaining("may be of another payment");
  expect(await payments.fund(equalIntent)).toMatchObject({ state: "unclear", attempts: 1, reason });
  expect(euroBalanceOf("user-1")).toBe("1010.00");
});

it("finds both records of a transfer between users", async () => {
  const { payments, mock, options } = makeFixture();
  mock.faults.add({ operation: "createTransfer", lose: "response" });
  const betweenIntent = { reference: "b-1", from: "user-1", to: "user-2", amount: "10.00", currency: "eur" };
  expect(await payments.between(betweenIntent)).toMatchObject({ state: "accepted", attempts: 1 });
  expect(await options.store.read("b-1")).toMatchObject({ holds: false, debit: null, credit: null });
  expect(await payments.between({ ...betweenIntent, reference: "b-2" })).toMatchObject({
    state: "accepted",
    attempts: 1,
  });
});

it("does not match a record that differs in one member", async () => {
  const { payments, options } = await makeUnclearFixture();
  const body = { destinationExternalUserId: "user-1", amount: "5.00", currency: "eur" } as const;
  expect((await createTransfer(options.client, { body })).error).toBeUndefined();
  expect(await payments.resume()).toMatchObject({ unclear: 1, accepted: 0 });
});

async function makeUnclearFixture(options: Parameters<typeof makeFixture>[0] = {}) {
  const fixture = makeFixture(options);
  fixture.mock.faults.add({ operation: "createTransfer", lose: "request" });
  expect(await fixture.payments.fund(invoice)).toMatchObject({ state: "unclear", attempts: 1 });
  return fixture;
}

const equalInvoice = { ...invoice, reference: "invoice-2" };

describe("a decision", () => {
  it("that it happened marks the payment as accepted, and its final state is looked up", async () => {
    const { payments } = await makeUnclearFixture();
    const decidedPayment = await payments.decide("invoice-1", "happened");
    expect(decidedPayment).toMatchObject({ state: "accepted", decided: "happened", attempts: 1 });
    expect(decidedPayment).not.toHaveProperty("reason");
    expect(await payments.resume()).toMatchObject({ accepted: 1, unclear: 0 });
  });

  it("to abandon ends the payment, and an equal one can be sent", async () => {
    const { payments, mock, euroBalanceOf } = await makeUnclearFixture();
    expect(await payments.fund(equalInvoice)).toMatchObject({
      state: "pending",
      reason: "An equal payment is open: invoice-1.",
    });
    const { now } = mock.clock;
    expect([await payments.resume(), mock.clock.now]).toEqual([
      expect.objectContaining({ pending: 1, unclear: 1 }),
      now,
    ]);
    expect(await payments.decide("invoice-1", "abandon")).toMatchObject({ state: "abandoned", decided: "abandon" });
    expect(await payments.resume()).toMatchObject({ accepted: 1, abandoned: 0 });
    expect(await payments.fund(invoice)).toMatchObject({ state: "abandoned" });
    await mock.clock.advance("1 hour");
    expect(euroBalanceOf("user-1")).toBe("1010.00");
  });

  it("can list and abandon a waiting payment that was never sent, and decide nothing else about it", async () => {
    const { payments } = await makeUnclearFixture();
    await payments.fund(equalInvoice);
    const openStates = [];
    for await (const { reference, state } of payments.open()) openStates.push([reference, state]);
    expect(openStates).toEqual([
      ["invoice-1", "unclear"],
      ["invoice-2", "pending"],
    ]);
    await expect(payments.decide("invoice-2", "happened")).rejects.toThrow("the payment is pending, and not unclear");
    expect(await payments.decide("invoice-2", "abandon")).toMatchObject({ state: "abandoned", attempts: 0 });
    await expect(payments.decide("invoice-2", "abandon")).rejects.toThrow("the payment is abandoned");
    await expect(payments.decide("invoice-3", "abandon")).rejects.toThrow("There is no payment with this reference");
    await expect(payments.decide("invoice-1", "no" as never)).rejects.toThrow("happened, repeat or abandon");
    await expect(payments.decide("", "repeat")).rejects.toThrow("decide: reference must be");
    expect(await payments.get("invoice-3")).toBeUndefined();
  });
});

it("repeats an unclear payment after the time of the policy, and not before", async () => {
  const { payments, mock, euroBalanceOf } = await makeUnclearFixture({ repeatAfter: "1 hour" });
  await mock.clock.advance("59 minutes");
  expect(await payments.resume()).toMatchObject({ unclear: 1 });
  await mock.clock.advance("17 minutes");
  // A history that cannot be read does not show that the payment was not made.
  mock.faults.add({ operation: "getUserTransactionHistory", status: 502 });
  expect(await payments.resume()).toMatchObject({ unclear: 1 });
  expect((await payments.get("invoice-1"))?.reason).toContain("could not be read whole");
  expect(await payments.resume()).toMatchObject({ accepted: 1 });
  expect(await payments.get("invoice-1")).toMatchObject({ attempts: 2 });
  await mock.clock.advance("1 hour");
  expect([await payments.resume(), euroBalanceOf("user-1")]).toEqual([
    expect.objectContaining({ succeeded: 1 }),
    "1010.00",
  ]);
});

it("is final when refused with a P-code, and does not block an equal payment", async () => {
  const { payments, mock } = makeFixture();
  mock.faults.add({ operation: "createTransfer", code: "P433" });
  const problem = { kind: "code", operationId: "createTransfer", status: 400, errorCode: "P433", documented: true };
  expect(await payments.fund(invoice)).toMatchObject({ state: "refused", attempts: 1, problem });
  expect(await payments.fund(invoice)).toMatchObject({ state: "refused", attempts: 1 });
  expect(await payments.fund(equalInvoice)).toMatchObject({ state: "accepted" });
});

it("is sent although the history of its user is refused: only the operation refuses a payment", async () => {
  const { payments } = makeFixture();
  const expectedRefusal = { state: "refused", attempts: 1, problem: { errorCode: "P412" } };
  expect(await payments.fund({ ...invoice, user: "nobody" })).toMatchObject(expectedRefusal);
});

it("is sent later when it was not sent, or the history could not be read before", async () => {
  const { payments, mock, options, euroBalanceOf } = makeFixture();
  let isDown = true;
  const host = new URL(mock.clientOptions.baseUrl).hostname;
  const lookupError = Object.assign(new Error("connect"), {
    code: "ENOTFOUND",
    syscall: "getaddrinfo",
    hostname: host,
  });
  const fetch = async (request: Request) => {
    if (isDown && request.method === "POST") throw lookupError;
    return mock.fetch(request);
  };
  const client = createPartnerClient({ ...mock.clientOptions, edition: "test", retries: 0, fetch });
  const disconnectedPayments = createPayments({ ...options, client });
  const expectedUnsent = { state: "pending", reason: "Nothing was sent.", problem: { kind: "network" } };
  expect(await disconnectedPayments.fund(invoice)).toMatchObject(expectedUnsent);
  isDown = false;
  mock.faults.add({ operation: "getUserTransactionHistory", status: 502 });
  const otherIntent = { ...equalInvoice, amount: "5.00" };
  expect(await payments.fund(otherIntent)).toMatchObject({ state: "pending", attempts: 0, problem: { status: 502 } });
  expect((await payments.get("invoice-2"))?.reason).toContain("The history could not be read");
  expect(await payments.resume()).toMatchObject({ accepted: 2, pending: 0 });
  expect(await payments.get("invoice-1")).not.toHaveProperty("problem");
  await mock.clock.advance("1 hour");
  expect(euroBalanceOf("user-1")).toBe("1015.00");
});

it("is sent once when two processes, or two calls of one, make it at the same time", async () => {
  const { payments, createAnother, mock, euroBalanceOf } = makeFixture();
  const results = [payments.fund(invoice), payments.fund(invoice), createAnother().fund(invoice)];
  const states = (await Promise.all(results)).map(({ state }) => state);
  expect(states).toEqual(["accepted", "accepted", "accepted"]);
  await mock.clock.advance("1 hour");
  expect([euroBalanceOf("user-1"), (await payments.get("invoice-1"))?.attempts]).toEqual(["1010.00", 1]);
});

it("ignores an event that matches several payments or none", async () => {
  const { payments, mock, options } = await makeUnclearFixture();
  await payments.decide("invoice-1", "abandon");
  mock.faults.add({ operation: "createTransfer", lose: "request" });
  expect(await payments.fund(equalInvoice)).toMatchObject({ state: "unclear" });
  const id = "5a4d5a0e-0d1b-4f0e-8c1e-1d1a5c1b0001";
  const createdAt = mock.clock.now.toISOString();
  const event = {
    id,
    status: "SUCCESSFUL",
    amount: "10.00",
    currency: "EUR",
    createdAt,
    destinationExternalUserId: "user-1",
  };
  expect(await payments.observe("p2pTransfer", event as never)).toBeUndefined();
  expect(await payments.observe("kycFileAdded", event as never)).toBeUndefined();
  await expect(payments.observe("p2pTransfer", null as never)).rejects.toThrow("observe takes the event of a webhook");
  const earlyEvent = { ...event, createdAt: "2026-04-10T06:30:00.000Z" };
  const { payments: singlePayments } = await makeUnclearFixture({ store: createMemoryStore() });
  expect(await singlePayments.observe("p2pTransfer", earlyEvent as never)).toBeUndefined();
  expect(await singlePayments.observe("p2pTransfer", event as never)).toMatchObject({ state: "succeeded", id });
  expect(await options.store.withId(id)).toBeUndefined();
});
