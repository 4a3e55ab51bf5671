/** Payments on the in-process mock: each happens once, whatever is lost. */
import { expect, it } from "vitest";
import { makeFixture } from "./fixture.ts";

const invoice = { reference: "invoice-1", user: "user-1", amount: "10.00", currency: "eur" };

it("funds a user, and returns the same payment for the same reference", async () => {
  const { payments, mock, euro } = makeFixture();
  const payment = await payments.fund(invoice);
  expect(payment).toMatchObject({ reference: "invoice-1", kind: "fund", state: "accepted", attempts: 1 });
  expect(await payments.fund(invoice)).toEqual(payment);
  await mock.clock.advance("1 hour");
  expect(euro("user-1")).toBe("1010.00");
  expect(await payments.resume()).toMatchObject({ succeeded: 1 });
  expect(await payments.fund(invoice)).toMatchObject({ state: "succeeded", id: payment.id });
});

it.each(["response", "request"] as const)("finds out what became of a call whose %s was lost", async (lose) => {
  const { payments, mock, euro } = makeFixture();
  mock.faults.add({ operation: "createTransfer", lose });
  const payment = await payments.fund(invoice);
  expect(payment.state).toBe(lose === "response" ? "accepted" : "unclear");
  await mock.clock.advance("1 hour");
  expect(euro("user-1")).toBe(lose === "response" ? "1010.00" : "1000.00");
  if (lose === "response") return;
  expect(payment.reason).toContain("no record");
  expect(await payments.resume()).toMatchObject({ unclear: 1 });
  expect(await payments.fund(invoice)).toMatchObject({ state: "unclear" });
  const open = [];
  for await (const { reference } of payments.unclear()) open.push(reference);
  expect(open).toEqual(["invoice-1"]);
  expect(await payments.decide("invoice-1", "repeat")).toMatchObject({ state: "accepted", attempts: 2 });
  await mock.clock.advance("1 hour");
  expect(euro("user-1")).toBe("1010.00");
});

it("refuses another content under the same reference, and what is malformed, before anything is stored", async () => {
  const { payments, options } = makeFixture();
  await payments.fund(invoice);
  await expect(payments.fund({ ...invoice, amount: "11.00" })).rejects.toThrow("another payment has this reference");
  await expect(payments.collect(invoice)).rejects.toThrow("another payment has this reference");
  const other = { ...invoice, reference: "invoice-2" };
  for (const wrong of [
    { user: undefined },
    { user: "" },
    { amount: 10 },
    { amount: "0.00" },
    { amount: "-1" },
    { amount: "1e3" },
    { amount: "1,00" },
    { currency: undefined },
    { sourceExternalUserId: "user-2" },
    { reference: "" },
    { reference: "a\nb" },
  ]) {
    await expect(payments.fund({ ...other, ...wrong } as never)).rejects.toThrow(TypeError);
  }
  const sepa = { reference: "s", iban: "GB33BUKB20201555555555", amount: "1.00", currency: "eur" };
  for (const of of [undefined, {}, { user: undefined }, "user-1", { user: "" }]) {
    await expect(payments.sepa({ ...sepa, of } as never)).rejects.toThrow(/must be "partner" or/);
  }
  expect(await options.store.list(["pending"], "", 10)).toEqual([]);
});

it("sends an equal payment only when the record of the former one was seen, and counts both", async () => {
  const { payments, mock, euro } = makeFixture();
  mock.faults.add({ operation: "createTransfer", lose: "response" });
  const both = await Promise.all([payments.fund(invoice), payments.fund({ ...invoice, reference: "invoice-2" })]);
  expect(both.map(({ state }) => state)).not.toContain("unclear");
  await mock.clock.advance("1 hour");
  await payments.resume();
  expect(euro("user-1")).toBe("1020.00");
  expect((await payments.get("invoice-2"))?.state).toBe("succeeded");
});

it("knows by its event what became of a lost SEPA payout in the edition latest, also by one that has only its identifier", async () => {
  const { payments, mock, options, events } = makeFixture({}, { edition: "latest" });
  const sepa = { of: "partner", iban: "GB33BUKB20201555555555", amount: "20.00", currency: "eur" } as const;
  mock.faults.add({ operation: "createPartnerSepaTransfer", lose: "response", times: 2 });
  expect(await payments.sepa({ ...sepa, reference: "payout-1" })).toMatchObject({ state: "unclear" });
  expect(await payments.sepa({ ...sepa, reference: "payout-2" })).toMatchObject({ state: "unclear" });
  await mock.clock.advance("1 hour");
  const byTitle = (title: string) => events.find(({ transferTitle }) => transferTitle === title);
  const first = byTitle("payout-1") as { id: string };
  expect(await payments.observe("sepaTransfer", first as never)).toMatchObject({
    reference: "payout-1",
    state: "succeeded",
  });
  const { id } = byTitle("payout-2") as { id: string };
  expect(await payments.observe("sepaTransfer", { id, status: "FAILED", error: {} })).toMatchObject({
    state: "failed",
  });
  expect(await payments.observe("sepaTransfer", { id, status: "SUCCESSFUL" })).toMatchObject({ state: "failed" });
  const other = { ...first, id: "5a4d5a0e-0d1b-4f0e-8c1e-1d1a5c1b0001", transferTitle: "not ours" };
  expect(await payments.observe("sepaTransfer", other as never)).toBeUndefined();
  const kept = JSON.stringify([await options.store.read("payout-1"), await options.store.read("payout-2")]);
  expect(kept).not.toContain("GB33");
});

it("does not take the late record of a payment for that of an equal one", async () => {
  const { payments, mock, euro } = makeFixture();
  mock.faults.add({ operation: "createTransfer", historyAfter: "5 minutes" });
  mock.faults.add({ operation: "createTransfer", lose: "request" });
  const equal = { ...invoice, reference: "invoice-2" };
  expect((await payments.fund(invoice)).state).toBe("accepted");
  expect(await payments.fund(equal)).toMatchObject({ state: "pending", attempts: 0 });
  await mock.clock.advance("10 minutes");
  await payments.resume();
  expect(await payments.fund(equal)).toMatchObject({ state: "unclear", attempts: 1 });
  expect(euro("user-1")).toBe("1010.00");
});
