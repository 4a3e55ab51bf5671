/** Tests of the import of payments of version 0.1.0. */
import { createPartnerClient } from "partner-wallet-api";
import { createMemoryStore, createPayments, importPayments, type PaymentStore } from "partner-wallet-api/payments";
import { expect, it } from "vitest";
import { hexDigest } from "../../../scripts/client/src/reading/bytes.ts";
import { waitTurns } from "./fixture.ts";
import {
  equalInvoice,
  event,
  invoice,
  loseResponse,
  makeScriptedWorld,
  record,
  sepaInvoice,
  transferId,
} from "./world.ts";

const header = '{"format":"partner-wallet-api payments 1"}\n';
const sentAt = Date.parse("2026-04-10T07:00:00.000Z");
const sentData = { attempts: 1, sentAt };
const body = { destinationExternalUserId: "user-1", amount: "10.00", currency: "eur" };

/** A line of a payments file, for a payment of `fund`. `print` was later renamed to `fingerprint`. */
function formerLine(reference: string, row: object, data: object): string {
  const formerData = { kind: "fund", operation: "createTransfer", body, step: "done", createdAt: sentAt, ...data };
  const columns = { version: 3, holds: false, debit: null, credit: "c", event: "e", id: null, leasedBy: null };
  return `${JSON.stringify({ reference, ...columns, leasedUntil: 0, ...row, data: JSON.stringify(formerData) })}\n`;
}

const formerFingerprint = (reference: string, operation = "createTransfer", request: object = body) =>
  hexDigest(JSON.stringify([reference, operation, Object.entries(request).sort()]));

async function importedWorld(...lines: string[]) {
  const store = createMemoryStore();
  const count = await importPayments([header, ...lines].join(""), store);
  return { count, ...makeScriptedWorld(undefined, { store }) };
}

const text = [
  header,
  formerLine("inv-0", { state: "pending" }, { ...sentData, step: "sending" }),
  formerLine("inv-0", { state: "accepted", id: transferId }, { ...sentData, print: "PRINT" }),
  formerLine("inv-1", { state: "unclear" }, { ...sentData, fingerprint: "x", known: { credit: ["a"] } }),
  formerLine("inv-2", { state: "refused" }, sentData),
  formerLine("inv-3", { state: "refused" }, { ...sentData, attempts: 2 }),
  formerLine("inv-4", { state: "refused" }, { ...sentData, decided: "abandon" }),
  formerLine("inv-5", { state: "succeeded" }, { ...sentData, records: { credit: "b" } }),
  formerLine("inv-6", { state: "pending" }, { attempts: 0, step: "waiting" }),
  formerLine("inv-7", { state: "failed", id: "id-7" }, sentData),
  formerLine("inv-8", { state: "accepted" }, sentData),
  '{"reference":"incomplete',
].join("");

it("imports each payment, which is the same payment for its reference", async () => {
  const fileText = text.replace("PRINT", await formerFingerprint("inv-0"));
  let isClosed = false;
  const close = async () => {
    await waitTurns(2);
    isClosed = true;
  };
  const store = { ...createMemoryStore(), close };
  expect([await importPayments(fileText, store), isClosed]).toEqual([9, true]);
  expect(await importPayments(fileText, store)).toBe(0);
  const client = createPartnerClient({ baseUrl: "http://127.0.0.1:9", apiKey: "k", edition: "test" });
  const payments = createPayments({ client, store });
  const states = await Promise.all(
    [0, 1, 2, 3, 4, 5, 6, 7, 8].map(async (n) => (await payments.get(`inv-${n}`))?.state),
  );
  // Former versions stored only the last outcome, so a payment that was sent twice and then refused is unclear.
  const expectedStates = "accepted unclear refused unclear abandoned succeeded pending failed accepted".split(" ");
  expect(states).toEqual(expectedStates);
  // Two of these equal payments are unclear, inv-1 and inv-3. Only one of them can have `holds`.
  expect([await store.read("inv-1"), await store.read("inv-3")]).toMatchObject([{ holds: true }, { holds: false }]);
  // A payment without an identifier keeps the key for finding it from its event.
  const rows = await store.equal("event", (await store.read("inv-8"))?.event ?? "", 9);
  expect(rows.map(({ reference }) => reference)).toContain("inv-8");
  const firstInvoice = { ...invoice, reference: "inv-0" };
  expect(await payments.fund(firstInvoice)).toMatchObject({ state: "accepted", id: transferId });
  await expect(payments.fund({ ...firstInvoice, user: "v" })).rejects.toThrow("was stored with another content");
});

it.each([
  [20, null],
  [21, sentAt],
])("has the newest 20 of %i earlier records", async (count, firstTime) => {
  const ids = Array.from({ length: count }, (_, index) => `record-${index + 1}`);
  const line = formerLine("inv-1", { state: "unclear" }, { ...sentData, known: { credit: ids } });
  const { store } = await importedWorld(line);
  const { before } = JSON.parse((await store.read("inv-1"))?.data ?? "{}") as { before: { credit: object } };
  expect(before.credit).toEqual({ ids: ids.slice(-20), from: firstTime });
});

it.each([
  ["a,b\n1,2\n", "This is no payments file"],
  [`${header}{}\n`, "Line 2 is damaged: nothing was imported"],
])("%j is refused", async (content, message) => {
  await expect(importPayments(content, createMemoryStore())).rejects.toThrow(message);
});

it.each([
  ["its record", { records: { credit: "record-1" } }, "succeeded"],
  ["neither an identifier nor a record", {}, "accepted"],
])(
  "a succeeded payment with %s can still get its event, which an equal payment does not get",
  async (_, data, state) => {
    const { payments, service } = await importedWorld(
      formerLine("invoice-1", { state: "succeeded" }, { ...sentData, ...data }),
      formerLine("invoice-2", { state: "unclear" }, { ...sentData, known: { credit: ["record-1"] } }),
    );
    expect(await payments.get("invoice-1")).toMatchObject({ state, contradictions: [] });
    await payments.observe("p2pTransfer", event as never);
    expect(await payments.get("invoice-2")).toMatchObject({ state: "unclear" });
    expect(service.posts).toBe(0);
  },
);

it("the record of a payment is not given to an equal payment", async () => {
  const { payments, service } = await importedWorld(
    formerLine("invoice-1", { state: "succeeded" }, { ...sentData, records: { credit: "record-1" } }),
    formerLine("invoice-2", { state: "unclear" }, sentData),
  );
  service.records = [{ ...record, transferId: undefined, status: "SUCCESSFUL" }];
  await payments.resume();
  expect(await payments.get("invoice-2")).toMatchObject({ state: "unclear" });
});

it.each([
  ["was carried out and lost", "unclear", "done", 2, "unclear", 0],
  ["was carried out and refused", "refused", "done", 2, "unclear", 0],
  ["may have been carried out", "pending", "sending", 2, "unclear", 0],
  ["was not carried out", "pending", "waiting", 1, "unclear", 1],
])("a decision to repeat that %s", async (_, formerState, step, attempts, state, posts) => {
  const { payments, service } = await importedWorld(
    formerLine("invoice-1", { state: formerState }, { ...sentData, attempts, step, decided: "repeat" }),
  );
  service.post = loseResponse;
  await payments.resume();
  expect([await payments.get("invoice-1"), service.posts]).toMatchObject([{ state }, posts]);
});

it.each([
  ["an identifier", { id: transferId }, {}, { evidence: "identifier", id: transferId }],
  ["a record", {}, { records: { credit: "record-1" } }, { evidence: "record", id: "record-1" }],
])(
  "two payments of two files with %s: both are kept and contradicted, and neither is sent again",
  async (_, row, data, about) => {
    const store = createMemoryStore();
    const lines = await Promise.all(
      ["invoice-1", "invoice-2"].map(async (reference) => {
        const fingerprint = await formerFingerprint(reference);
        return formerLine(reference, { state: "succeeded", ...row }, { ...sentData, ...data, fingerprint });
      }),
    );
    for (const count of [1, 0])
      for (const line of lines) expect(await importPayments(header + line, store)).toBe(count);
    const { payments, service } = makeScriptedWorld(undefined, { store, repeatAfter: "1 minute" });
    service.now += 7_200_000;
    await payments.resume();
    expect([await payments.fund(invoice), await payments.fund(equalInvoice)]).toMatchObject([
      { state: "succeeded", contradictions: [{ ...about, state: "succeeded" }] },
      { state: "accepted", contradictions: [{ ...about, result: "succeeded", state: "accepted" }] },
    ]);
    expect(service.posts).toBe(0);
  },
);

const decomposed = "Caf\u00e9-1".normalize("NFD");

it("a reference that is not composed is composed, so that the payment is not made again", async () => {
  const fingerprint = await formerFingerprint(decomposed);
  const { payments, service } = await importedWorld(
    formerLine(decomposed, { state: "unclear" }, { ...sentData, fingerprint }),
  );
  const composed = decomposed.normalize();
  expect(await payments.fund({ ...invoice, reference: composed })).toMatchObject({ state: "unclear" });
  await expect(payments.fund({ ...invoice, reference: composed, amount: "11.00" })).rejects.toThrow("another content");
  expect(await payments.decide(composed, "happened")).toMatchObject({ state: "accepted" });
  expect(service.posts).toBe(0);
});

it("refuses a call with the composed reference of a payment that has kept only a part of its request", async () => {
  const request = {
    sourceExternalUserId: "user-1",
    destinationIban: sepaInvoice.iban,
    amount: "250.00",
    currency: "eur",
  };
  const data = {
    ...sentData,
    kind: "sepa",
    operation: "createSepaTransfer",
    body: { sourceExternalUserId: "user-1", transferTitle: decomposed, amount: "250.00", currency: "eur" },
    fingerprint: await formerFingerprint(decomposed, "createSepaTransfer", { ...request, transferTitle: decomposed }),
  };
  const { payments, service } = await importedWorld(formerLine(decomposed, { state: "accepted", id: "id-1" }, data));
  const reference = decomposed.normalize();
  expect(await payments.get(reference)).toMatchObject({ state: "accepted" });
  await expect(payments.sepa({ ...sepaInvoice, reference, title: decomposed })).rejects.toThrow("another content");
  expect(service.posts).toBe(0);
});

it.each([
  ["with a control character", formerLine("in\nvoice", { state: "unclear" }, sentData), "without control characters"],
  ["that is too long", formerLine("x".repeat(201), { state: "unclear" }, sentData), "1 to 200 characters"],
  [
    "whose composed reference another payment has",
    formerLine(decomposed, { state: "unclear" }, { ...sentData, createdAt: sentAt - 1 }),
    "another payment with this reference",
  ],
])("names a payment %s, and imports all others", async (_, line, message) => {
  const otherLine = formerLine(decomposed.normalize(), { state: "unclear" }, sentData);
  const store = createMemoryStore();
  for (const count of [1, 0]) {
    const error = await importPayments(header + line + otherLine, store).catch((error) => error);
    expect(error).toBeInstanceOf(AggregateError);
    expect(error.message).toContain(`${count} payments were imported, and 1 were not. Do not pay these again before`);
    expect(error.errors).toMatchObject([{ message: expect.stringContaining(message) }]);
    const { reference } = JSON.parse(line) as { reference: string };
    expect(error.errors[0].message).toContain(JSON.stringify(reference));
  }
  expect(await store.read(decomposed.normalize())).toMatchObject({ state: "unclear" });
});

it.each([
  ["of another content", "unclear", { fingerprint: "other" }],
  ["of another time", "unclear", { createdAt: sentAt - 1 }],
  ["that was sent after the import", "unclear", { attempts: 2, sentAt: sentAt + 1 }],
  ["that was accepted after the import", "accepted", {}],
])("names a payment %s than that of the store", async (_, state, data) => {
  const { store } = await importedWorld(formerLine("invoice-1", { state: "unclear" }, sentData));
  const otherText = header + formerLine("invoice-1", { state }, { ...sentData, ...data });
  await expect(importPayments(otherText, store)).rejects.toThrow(
    "another payment with this reference, or an earlier state",
  );
});

it("can be repeated after the payments have changed", async () => {
  const line = formerLine("invoice-1", { state: "unclear" }, sentData);
  const { payments, service, store } = await importedWorld(line);
  service.now += 60_000;
  service.post = loseResponse;
  await payments.decide("invoice-1", "repeat");
  expect(await importPayments(header + line, store)).toBe(0);
  expect(await payments.get("invoice-1")).toMatchObject({ attempts: 2 });
});

it.each(["changed", "taken"] as const)("names a payment whose write gives `%s`", async (outcome) => {
  const store: PaymentStore = { ...createMemoryStore(), write: async () => outcome };
  const line = formerLine("invoice-1", { state: "unclear" }, sentData);
  await expect(importPayments(header + line, store)).rejects.toThrow('"invoice-1": the store did not take it');
});
