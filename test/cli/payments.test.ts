import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { afterEach, expect, it, vi } from "vitest";
import { paymentsCommands } from "../../scripts/cli/package/payments.ts";
import { loadPlan } from "../../scripts/mock/make-plan/index.ts";
import { createLibsqlStore } from "../client/payments/sqlite.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder();
afterEach(() => vi.restoreAllMocks());

const run = async (...args: string[]) => {
  const lines: unknown[] = [];
  for (const name of ["log", "error"] as const) vi.spyOn(console, name).mockImplementation((text) => lines.push(text));
  const code = await paymentsCommands.payments?.run(args, { usage: "payments", loadPlan });
  return [code, ...lines];
};

const header = '{"format":"partner-wallet-api payments 1"}\n';

function writeFormerFile(reference: string, values = {}, name = reference): string {
  const body = { destinationExternalUserId: reference, amount: "10.00", currency: "eur" };
  const data = { kind: "fund", operation: "createTransfer", body, attempts: 1, createdAt: 1, sentAt: 1 };
  const payment = { reference, version: 3, state: "unclear", id: null, data: JSON.stringify(data), ...values };
  const file = join(folder, `${name}.jsonl`);
  writeFileSync(file, `${header}${JSON.stringify(payment)}\n`);
  return file;
}

it("imports the payments of former files into a database", async () => {
  const [files, database] = [
    ["inv-1", "inv-2"].map((reference) => writeFormerFile(reference)),
    join(folder, "payments.db"),
  ];
  const lines = (count: number) => files.map((file) => expect.stringContaining(`${count} payments of ${file}`));
  expect(await run("import", ...files, "--into", database)).toEqual([0, ...lines(1)]);
  expect(await run("import", ...files, "--into", database)).toEqual([0, ...lines(0)]);
  const { store } = createLibsqlStore(database);
  for (const reference of ["inv-1", "inv-2"])
    expect(await store.read(reference)).toMatchObject({ state: "unclear", isOpen: true });
  await store.close?.();
});

it("goes on with the next file when a payment of one cannot be imported, and ends with 1", async () => {
  const files = [writeFormerFile("in\nv", {}, "inv-6"), writeFormerFile("inv-7")];
  const database = join(folder, "partial.db");
  for (const count of [1, 0]) {
    expect(await run("import", ...files, "--into", database)).toEqual([
      1,
      expect.stringMatching(
        /inv-6\.jsonl: 0 payments were imported, and 1 were not\..+\n"in\\nv": .+control characters/s,
      ),
      expect.stringContaining(`${count} payments of ${files[1]}`),
    ]);
  }
});

it("names the payments that a person has to look at", async () => {
  const values = { state: "succeeded", id: "id-1" };
  const files = ["inv-8", "inv-9"].map((reference) => writeFormerFile(reference, values));
  expect(await run("import", ...files, "--into", join(folder, "contradicted.db"))).toEqual([
    0,
    ...files.map((file) => expect.stringContaining(`1 payments of ${file}`)),
    expect.stringContaining('A person has to look at "inv-8", "inv-9"'),
  ]);
});

it("closes the database once, because node:sqlite throws when it is closed again", async () => {
  const builtin = process.getBuiltinModule("node:sqlite") as { DatabaseSync: typeof Database } | undefined;
  const close = vi.spyOn((builtin?.DatabaseSync ?? Database).prototype, "close");
  expect(await run("import", writeFormerFile("inv-3"), "--into", join(folder, "closed.db"))).toMatchObject([0, {}]);
  expect(close).toHaveBeenCalledOnce();
});

it("creates no database when a file is damaged", async () => {
  const [damagedFile, database] = [join(folder, "damaged.jsonl"), join(folder, "unwritten.db")];
  writeFileSync(damagedFile, `${header}{}\n`);
  const result = await run("import", writeFormerFile("inv-4"), damagedFile, "--into", database);
  expect(result).toEqual([1, expect.stringContaining("damaged.jsonl could not be imported: Line 2 is damaged")]);
  expect(existsSync(database)).toBe(false);
});

it("names what is missing or wrong", async () => {
  expect(await run("import")).toEqual([2, expect.stringContaining("payments import FILE --into DATABASE")]);
  const resultWithoutFile = await run("import", join(folder, "none"), "--into", join(folder, "new.db"));
  expect(resultWithoutFile).toEqual([1, expect.stringContaining("could not be imported: ENOENT")]);
  const [code, line] = await run("import", writeFormerFile("inv-5"), "--into", join(folder, "no-folder/p.db"));
  expect([code, line]).toEqual([1, expect.stringMatching(/no-folder\/p\.db cannot be opened: /)]);
  expect(line).not.toContain("npm install");
});
