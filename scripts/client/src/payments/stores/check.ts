import type { StoredPayment } from "../protocol.ts";
import type { PaymentStore } from "../store.ts";

/**
 * Checks that a store fulfils {@link PaymentStore}, also with concurrent writes. `now` is only checked to resolve to a number. Call
 * this function in the tests of your own store.
 *
 * @param openStore opens a store, which must be empty. Called again after `close()`, it must open the same store with its content.
 * @param options pass `{ keeps: false }` for a store that loses its content when it is closed. Default: `{ keeps: true }`.
 * @throws {Error} that describes the first violation. Errors of the store are thrown too.
 */
export async function checkPaymentStore(
  openStore: () => PaymentStore | Promise<PaymentStore>,
  { keeps = true }: { keeps?: boolean } = {},
): Promise<void> {
  const store = await openStore();
  await checkVersions(store);
  await checkEqualKeys(store);
  await checkKeysWithoutRecords(store);
  await checkIdentifiers(store);
  await checkLists(store);
  await checkSimilarTexts(store);
  await checkManyPayments(store);
  const now = await store.now?.();
  expect(now === undefined || Number.isFinite(now), true, "now() resolves to a number");
  const lastPayment = await checkConcurrentWrites(store, await checkLongText(store));
  await store.close?.();
  if (!keeps) return;
  const reopenedStore = await openStore();
  expect(await reopenedStore.read(lastPayment.reference), lastPayment, "read after it was opened again");
  await reopenedStore.close?.();
}

async function checkVersions(store: PaymentStore): Promise<void> {
  const write = writerTo(store);
  const firstVersion = paymentOf("check-version", { debit: "d0", credit: "c0", event: "e0", holds: true });
  expect(await store.read("check-version"), undefined, "read of what was never written");
  await write(firstVersion, "written", "write of a new payment");
  expect(await store.read("check-version"), firstVersion, "read of what was written");
  await write(firstVersion, "changed", "write of version 1 over version 1");
  await write({ ...firstVersion, version: 3 }, "changed", "write of version 3 over version 1");
  const secondVersion: StoredPayment = { ...firstVersion, version: 2, state: "unclear", isContradicted: true };
  await write(secondVersion, "written", "write of version 2 over version 1");
  await write({ ...secondVersion, data: "{}" }, "changed", "write of version 2 over version 2");
  expect(await store.read("check-version"), secondVersion, "read after refused writes");
}

async function checkEqualKeys(store: PaymentStore): Promise<void> {
  const write = writerTo(store);
  const storedPayment = paymentOf("check-1", { debit: "d1", credit: "c1", event: "e1", holds: true });
  await write(storedPayment, "written", "write of a payment with keys");
  for (const column of ["debit", "credit", "event"] as const) {
    const holdingPayment = { ...paymentOf(`check-${column}`, { holds: true }), [column]: storedPayment[column] };
    const freePayment = { ...holdingPayment, holds: false };
    if (column !== "event") {
      await write(holdingPayment, "taken", `write of a second payment that holds the same ${column}`);
      expect(await store.read(holdingPayment.reference), undefined, `read of a payment whose ${column} was taken`);
    }
    await write(freePayment, "written", `write of a payment with the same ${column} that does not hold it`);
    if (column !== "event")
      await write({ ...holdingPayment, version: 2 }, "taken", `write that begins to hold a ${column} which is taken`);
    const refutedPayment = { ...freePayment, reference: `check-0-${column}`, isRefuted: true, isOpen: false };
    await write(refutedPayment, "written", `write of a payment that can only contradict, with the same ${column}`);
    const key = storedPayment[column] as string;
    expect(
      await store.equal(column, key, 9),
      [storedPayment, freePayment, refutedPayment],
      `payments with an equal ${column}`,
    );
    expect(await store.equal(column, key, 1), [storedPayment], `one payment with an equal ${column}`);
  }
  expect(await store.equal("debit", "d2", 9), [], "payments with a key that nobody has");
  const endedPayment: StoredPayment = { ...storedPayment, version: 2, holds: false, isOpen: false };
  await write(endedPayment, "written", "write that ends holding");
  expect((await store.equal("debit", "d1", 9))[0], endedPayment, "a payment that has ended, with an equal debit");
  const laterHolder: StoredPayment = { ...paymentOf("check-debit", { debit: "d1", holds: true }), version: 2 };
  await write(laterHolder, "written", "write that begins to hold a key which is free again");
}

async function checkKeysWithoutRecords(store: PaymentStore): Promise<void> {
  const write = writerTo(store);
  const withRecords = paymentOf("check-shown", { debit: "d3", event: "e3", holds: true, isOpen: false });
  const withoutRecords = paymentOf("check-hidden", { event: "e3", holds: true, isOpen: false });
  await write(withRecords, "written", "write of a payment with a debit that holds");
  await write(
    withoutRecords,
    "written",
    "write of a payment without debit and credit, with the event of one that has them",
  );
  const secondHolder = { ...withoutRecords, reference: "check-hidden-2" };
  await write(secondHolder, "taken", "write of a second payment without debit and credit that holds the same event");
}

async function checkIdentifiers(store: PaymentStore): Promise<void> {
  const write = writerTo(store);
  const identifiedPayment = paymentOf("check-id", { id: "id-1" });
  await write(identifiedPayment, "written", "write of a payment with an identifier");
  await write(paymentOf("check-id-2", { id: "id-1" }), "taken", "write of a second payment with the same identifier");
  const laterIdentified = { ...paymentOf("check-id-3", { id: "id-1", isOpen: false }), version: 2 };
  await write({ ...laterIdentified, version: 1, id: null }, "written", "write of a payment without an identifier");
  await write(laterIdentified, "taken", "write of version 2 with the identifier of another payment");
  expect(await store.withId("id-1"), identifiedPayment, "withId");
  expect(await store.withId("id-2"), undefined, "withId of none");
  const endedPayment: StoredPayment = { ...identifiedPayment, version: 2, state: "succeeded", isOpen: false };
  await write(endedPayment, "written", "write of the end of a payment with an identifier");
  expect(await store.withId("id-1"), endedPayment, "withId of a payment that has ended");
}

async function checkLists(store: PaymentStore): Promise<void> {
  const write = writerTo(store);
  const [prefix, ended, ...open] = [
    "check-list-",
    "check-list-0",
    "check-list-1",
    "check-list-2",
    "check-list-3",
  ] as const;
  await write(
    paymentOf(ended, { isOpen: false, isContradicted: true }),
    "written",
    "write of a payment that has ended",
  );
  for (const reference of open) await write(paymentOf(reference, {}), "written", "write of an open payment");
  const listedIn = (payments: readonly StoredPayment[]) =>
    payments.map(({ reference }) => reference).filter((reference) => reference.startsWith(prefix));
  const page = await store.open(prefix, 2);
  const otherPayments = await store.open(page.at(-1)?.reference ?? "", 100);
  expect(page.length, 2, "the length of a page");
  expect(listedIn([...page, ...otherPayments]).sort(), open, "open payments, in pages");
  expect(listedIn(await store.contradicted(prefix, 100)), [ended], "contradicted payments");
}

async function checkSimilarTexts(store: PaymentStore): Promise<void> {
  const write = writerTo(store);
  // Two texts are equal only if all their characters are: databases can ignore case, accents or blanks at the end.
  for (const name of ["CHECK-A", "check-\u00e1", "check-a ", "check-a"]) {
    await write(paymentOf(name, { debit: name, id: name, isOpen: false }), "written", "write of a similar reference");
    expect((await store.read(name))?.reference, name, "read of a similar reference");
    expect((await store.withId(name))?.id, name, "withId of a similar identifier");
    expect((await store.equal("debit", name, 9)).length, 1, "payments with a similar debit");
  }
}

async function checkManyPayments(store: PaymentStore): Promise<void> {
  const write = writerTo(store);
  const longName = `check-${"x".repeat(1000)}`;
  const manyRows = Array.from({ length: 150 }, (_, index) =>
    paymentOf(`${longName}-${1000 + index}`, { event: longName, id: `${longName}-${index}`, isContradicted: true }),
  );
  for (const row of manyRows) await write(row, "written", "write of a payment with long texts");
  expect((await store.equal("event", longName, 101)).length, 101, "101 payments with an equal event");
  expect((await store.open(longName, 101)).length, 101, "101 open payments");
  expect((await store.contradicted(longName, 101)).length, 101, "101 contradicted payments");
}

async function checkLongText(store: PaymentStore): Promise<StoredPayment> {
  const write = writerTo(store);
  const text = `${'\u{1f600}\u00e9 "\\\n'}${"x".repeat(20_000)}`;
  const longPayment = { ...paymentOf("check-long \u00fc'\"\\\n", {}), data: text };
  await write(longPayment, "written", "write of a long text with any characters");
  expect(await store.read(longPayment.reference), longPayment, "read of a long text with any characters");
  return longPayment;
}

async function checkConcurrentWrites(store: PaymentStore, payment: StoredPayment): Promise<StoredPayment> {
  const contestedPayments = Array.from({ length: 20 }, (_, index) =>
    paymentOf(`check-race-${index}`, { debit: "race", holds: true }),
  );
  const outcomes = await Promise.all(contestedPayments.map((payment) => store.write(payment)));
  expect(outcomes.filter((outcome) => outcome === "written").length, 1, "20 writes at once that hold the same key");
  const versions = Array.from({ length: 20 }, (_, index) => ({ ...payment, version: 2, data: String(index) }));
  const writtenVersions = await Promise.all(versions.map((payment) => store.write(payment)));
  expect(writtenVersions.filter((outcome) => outcome === "written").length, 1, "20 writes at once of the same version");
  const lastPayment = await store.read(payment.reference);
  expect(
    lastPayment?.data,
    String(writtenVersions.indexOf("written")),
    "read after writes at once: the one that was written",
  );
  return lastPayment as StoredPayment;
}

function writerTo(
  store: PaymentStore,
): (payment: StoredPayment, expected: string, description: string) => Promise<void> {
  return async (payment, expected, description) => expect(await store.write(payment), expected, description);
}

function paymentOf(reference: string, values: Partial<StoredPayment>): StoredPayment {
  return {
    reference,
    version: 1,
    state: "pending",
    isOpen: true,
    holds: false,
    isRefuted: false,
    isContradicted: false,
    debit: null,
    credit: null,
    event: null,
    id: null,
    data: "{}",
    ...values,
  };
}

function expect(actual: unknown, expected: unknown, description: string): void {
  const [expectedText, actualText] = [textOf(expected), textOf(actual)];
  if (actualText === expectedText) return;
  const [wanted, got] = [expectedText.slice(0, 300), actualText.slice(0, 300)];
  throw new Error(`The store is wrong: ${description}. Expected ${wanted}, got ${got}.`);
}

function textOf(value: unknown): string {
  const sortMembers = (_: string, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort())
      : value;
  return String(JSON.stringify(value, sortMembers));
}
