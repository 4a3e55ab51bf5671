import { writeFileSync } from "node:fs";
import { join } from "node:path";
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

it("imports the payments of a former file into a database", async () => {
  const [file, database] = [join(folder, "former.jsonl"), join(folder, "payments.db")];
  const body = { destinationExternalUserId: "u", amount: "10.00", currency: "eur" };
  const data = { kind: "fund", operation: "createTransfer", body, attempts: 1, createdAt: 1, sentAt: 1 };
  const payment = { reference: "inv-1", version: 3, state: "unclear", id: null, data: JSON.stringify(data) };
  writeFileSync(file, `{"format":"partner-wallet-api payments 1"}\n${JSON.stringify(payment)}\n`);
  expect(await run("import", file, "--into", database)).toEqual([0, expect.stringContaining("1 payments of")]);
  expect(await run("import", file, "--into", database)).toEqual([0, expect.stringContaining("0 payments of")]);
  const { store } = createLibsqlStore(database);
  expect(await store.read("inv-1")).toMatchObject({ state: "unclear", isOpen: true });
  await store.close?.();
});

it("names what is missing or wrong", async () => {
  expect(await run("import")).toEqual([2, expect.stringContaining("payments import FILE --into DATABASE")]);
  const resultWithoutFile = await run("import", join(folder, "none"), "--into", join(folder, "new.db"));
  expect(resultWithoutFile).toEqual([1, expect.stringContaining("could not be imported: ENOENT")]);
  const file = join(folder, "empty.jsonl");
  writeFileSync(file, "");
  const [code, line] = await run("import", file, "--into", join(folder, "no-folder/p.db"));
  expect([code, line]).toEqual([1, expect.stringMatching(/no-folder\/p\.db cannot be opened: /)]);
  expect(line).not.toContain("npm install");
});
