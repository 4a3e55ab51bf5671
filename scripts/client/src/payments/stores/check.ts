import type { StoredPayment } from "../protocol.ts";
import type { PaymentStore } from "../store.ts";

/**
 * Checks that a store fulfils {@link PaymentStore}, also with concurrent writes. Call it in the tests of your own store.
 *
 * @param make opens a store, which is empty the first time. Called again after `close()`, it must reopen the same store with its content.
 * For a store that does not persist, pass `{ keeps: false }`.
 * @throws {Error} that describes the first violation.
 */
export async function checkPaymentStore(
  make: () => PaymentStore | Promise<PaymentStore>,
  { keeps = true }: { keeps?: boolean } = {},
): Promise<void> {
  let store = await make();
  const write = async (payment: StoredPayment, expected: string, what: string) =>
    expect(await store.write(payment), expected, what);

  const first = paymentOf("check-1", { debit: "d1", credit: "c1", event: "e1", holds: true });
  expect(await store.read("check-1"), undefined, "read of what was never written");
  await write(first, "written", "write of a new payment");
  expect(await store.read("check-1"), first, "read of what was written");
  await write(first, "changed", "write of version 1 over version 1");
  await write({ ...first, version: 3 }, "changed", "write of version 3 over version 1");
  const second: StoredPayment = { ...first, version: 2, state: "unclear", isContradicted: true };
  await write(second, "written", "write of version 2 over version 1");
  await write({ ...second, data: "{}" }, "changed", "write of version 2 over version 2");
  expect(await store.read("check-1"), second, "read after refused writes");

  for (const column of ["debit", "credit", "event"] as const) {
    const same = { ...paymentOf(`check-${column}`, { holds: true }), [column]: first[column] };
    const free = { ...same, holds: false };
    if (column !== "event") {
      await write(same, "taken", `write of a second payment that holds the same ${column}`);
      expect(await store.read(same.reference), undefined, `read of a payment whose ${column} was taken`);
    }
    await write(free, "written", `write of a payment with the same ${column} that does not hold it`);
    if (column !== "event")
      await write({ ...same, version: 2 }, "taken", `write that begins to hold a ${column} which is taken`);
    const refuted = { ...free, reference: `check-0-${column}`, isRefuted: true };
    await write(refuted, "written", `write of a payment that can only contradict, with the same ${column}`);
    const key = first[column] as string;
    expect(await store.equal(column, key, 9), [second, free, refuted], `payments with an equal ${column}`);
    expect(await store.equal(column, key, 1), [second], `one payment with an equal ${column}`);
  }
  expect(await store.equal("debit", "d2", 9), [], "payments with a key that nobody has");
  await write({ ...second, version: 3, holds: false }, "written", "write that ends holding");
  const held: StoredPayment = { ...paymentOf("check-debit", { debit: "d1", holds: true }), version: 2 };
  await write(held, "written", "write that begins to hold a key which is free again");

  const shown = paymentOf("check-shown", { debit: "d3", event: "e3", holds: true, isOpen: false });
  const hidden = paymentOf("check-hidden", { event: "e3", holds: true, isOpen: false });
  await write(shown, "written", "write of a payment with a debit that holds");
  await write(hidden, "written", "write of a payment without debit and credit, with the event of one that has them");
  const other = { ...hidden, reference: "check-hidden-2" };
  await write(other, "taken", "write of a second payment without debit and credit that holds the same event");

  const named = paymentOf("check-id", { id: "id-1" });
  await write(named, "written", "write of a payment with an identifier");
  await write(paymentOf("check-id-2", { id: "id-1" }), "taken", "write of a second payment with the same identifier");
  expect(await store.withId("id-1"), named, "withId");
  expect(await store.withId("id-2"), undefined, "withId of none");

  await write(paymentOf("check-ended", { isOpen: false }), "written", "write of a payment that has ended");
  const page = await store.open("", 3);
  const rest = await store.open(page.at(-1)?.reference ?? "", 100);
  const listed = [...page, ...rest].map(({ reference }) => reference);
  const open = ["0-credit", "0-debit", "0-event", "1", "credit", "debit", "event", "id"].map((name) => `check-${name}`);
  expect(page.length, 3, "the length of a page");
  expect([...listed].sort(), open, "open payments, in pages");
  const contradicted = (await store.contradicted("", 100)).map(({ reference }) => reference);
  expect(contradicted, ["check-1"], "contradicted payments");

  const text = `${'\u{1f600}\u00e9 "\\\n'}${"x".repeat(20_000)}`;
  const long = { ...paymentOf("check-long \u00fc'\"\\\n", {}), data: text };
  await write(long, "written", "write of a long text with any characters");
  expect(await store.read(long.reference), long, "read of a long text with any characters");

  const contested = Array.from({ length: 20 }, (_, index) =>
    paymentOf(`check-race-${index}`, { debit: "race", holds: true }),
  );
  const outcomes = await Promise.all(contested.map((payment) => store.write(payment)));
  expect(outcomes.filter((outcome) => outcome === "written").length, 1, "20 writes at once that hold the same key");
  const versions = Array.from({ length: 20 }, (_, index) => ({ ...long, version: 2, data: String(index) }));
  const written = await Promise.all(versions.map((payment) => store.write(payment)));
  expect(written.filter((outcome) => outcome === "written").length, 1, "20 writes at once of the same version");
  const last = await store.read(long.reference);
  expect(last?.data, String(written.indexOf("written")), "read after writes at once: the one that was written");

  await store.close?.();
  if (!keeps) return;
  store = await make();
  expect(await store.read(long.reference), last, "read after it was opened again");
  await store.close?.();
}

function paymentOf(reference: string, some: Partial<StoredPayment>): StoredPayment {
  return {
    ...{ reference, version: 1, state: "pending", isOpen: true, holds: false, isRefuted: false, isContradicted: false },
    ...{ debit: null, credit: null, event: null, id: null, data: "{}" },
    ...some,
  };
}

function expect(actual: unknown, expected: unknown, what: string): void {
  if (textOf(actual) === textOf(expected)) return;
  throw new Error(`The store is wrong: ${what}. Expected ${textOf(expected)}, got ${textOf(actual)}.`);
}

function textOf(value: unknown): string {
  const sorted = (_: string, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort())
      : part;
  return String(JSON.stringify(value, sorted)).slice(0, 300);
}
