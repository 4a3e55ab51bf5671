import type { PaymentStore, StoredPayment } from "../store.ts";

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
  const second: StoredPayment = {
    ...first,
    version: 2,
    state: "unclear",
    leasedBy: "check",
    leasedUntil: 1_767_225_600_000,
  };
  await write(second, "written", "write of version 2 over version 1");
  await write({ ...second, data: "{}" }, "changed", "write of version 2 over version 2");
  expect(await store.read("check-1"), second, "read after refused writes");

  for (const column of ["debit", "credit", "event"] as const) {
    const same = { ...paymentOf(`check-${column}`, { holds: true }), [column]: first[column] };
    await write(same, "taken", `write of a second payment that holds the same ${column}`);
    expect(await store.read(same.reference), undefined, `read of a payment whose ${column} was taken`);
    await write(
      { ...same, holds: false },
      "written",
      `write of a payment with the same ${column} that does not hold it`,
    );
    await write({ ...same, version: 2 }, "taken", `write that begins to hold a ${column} which is taken`);
    expect(
      await store.holders({ debit: null, credit: null, event: null, [column]: first[column] }),
      [second],
      `holders of a ${column}`,
    );
  }
  expect(await store.holders({ debit: "d2", credit: null, event: null }), [], "holders of a key that nobody holds");
  await write({ ...second, version: 3, holds: false }, "written", "write that ends holding");
  const held: StoredPayment = { ...paymentOf("check-debit", { debit: "d1", holds: true }), version: 2 };
  await write(held, "written", "write that begins to hold a key which is free again");

  const named = paymentOf("check-id", { id: "id-1", event: "e2" });
  await write(named, "written", "write of a payment with an identifier");
  await write(paymentOf("check-id-2", { id: "id-1" }), "taken", "write of a second payment with the same identifier");
  expect(await store.withId("id-1"), named, "withId");
  expect(await store.withId("id-2"), undefined, "withId of none");
  const waiting = paymentOf("check-waiting", { event: "e2" });
  await write(waiting, "written", "write of a payment without an identifier");
  expect(await store.withEvent("e2"), [waiting], "withEvent: those without an identifier only");

  await write(paymentOf("check-ended", { state: "succeeded" }), "written", "write of a payment that has ended");
  const page = await store.list(["pending", "unclear"], "", 2);
  const rest = await store.list(["pending", "unclear"], page[1]?.reference ?? "", 100);
  const order = ["check-1", "check-credit", "check-debit", "check-event", "check-id", "check-waiting"];
  const listed = [...page, ...rest].map(({ reference }) => reference);
  expect(listed, order, "list in the order of references");

  const text = `${'\u{1f600}\u00e9 "\\\n'}${"x".repeat(20_000)}`;
  const long = { ...paymentOf("check-long \u00fc'\"\\", {}), data: text };
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
    ...{ reference, version: 1, state: "pending", holds: false, debit: null, credit: null, event: null, id: null },
    ...{ leasedBy: null, leasedUntil: 0, data: "{}" },
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
