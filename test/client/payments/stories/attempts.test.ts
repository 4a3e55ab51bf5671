/** Tests of when a payment is sent, repeated or given up. A former version failed most of them: it paid twice or reported a wrong state. */
import type { Payment, PaymentStore, PaymentsOptions } from "partner-wallet-api/payments";
import { describe, expect, it, vi } from "vitest";
import {
  acceptedResponse,
  event,
  invoice,
  loseFurtherResponses,
  makeScriptedWorld,
  minute,
  record,
  refusal,
  sepaInvoice,
  timeText,
  transferId,
} from "../world.ts";

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

it("a store whose clock gives a text is refused before anything is sent", async () => {
  const { store, createProcess, service } = makeScriptedWorld();
  const payments = createProcess({ store: { ...store, now: async () => String(service.now) as never } });
  await expect(payments.fund(invoice)).rejects.toThrow("now() of the store must resolve to a number.");
  expect(service.posts).toBe(0);
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

it("a record that another process is about to store is not stored once the attempt turns out not to have been sent", async () => {
  const { store, createProcess, service } = makeScriptedWorld(undefined, { lookForMs: 0 });
  let goOn = () => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const slowWrite: PaymentStore["write"] = async (payment) => {
    const outcome = await store.write(payment);
    if (payment.data.includes('"sending"')) await held;
    return outcome;
  };
  const slowResult = createProcess({ store: { ...store, write: slowWrite } }).fund(invoice);
  await vi.waitFor(async () => expect((await store.read("invoice-1"))?.data).toContain('"sending"'));
  service.now += 2 * minute;
  service.records = [{ ...record, createdAt: timeText(service.now) }];
  const lateWrite: PaymentStore["write"] = async (payment) => {
    if (!payment.reference.startsWith("invoice-1\n")) {
      goOn();
      await slowResult;
    }
    return store.write(payment);
  };
  const otherPayments = createProcess({ store: { ...store, write: lateWrite } });
  expect(await otherPayments.resume()).toMatchObject({ pending: 0 });
  expect(await otherPayments.get("invoice-1")).toMatchObject({ state: "accepted", id: transferId });
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

it("the IBAN of a payment is stored only until it is accepted", async () => {
  const { payments, service, store } = makeScriptedWorld();
  service.post = async () => new Response("", { status: 429 });
  await payments.sepa(sepaInvoice);
  expect((await store.read("R-1"))?.data).toContain(sepaInvoice.iban);
  service.post = async () => acceptedResponse(transferId);
  expect(await payments.sepa(sepaInvoice)).toMatchObject({ state: "accepted" });
  expect((await store.read("R-1"))?.data).not.toContain(sepaInvoice.iban);
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
