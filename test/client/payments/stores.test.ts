/** The payment stores in memory and in a file: persistence despite incomplete lines, full disks and concurrent use. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  checkPaymentStore,
  createFileStore,
  createMemoryStore,
  createPostgresStore,
  type StoredPayment,
} from "partner-wallet-api/payments";
import { afterAll, expect, it } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "payments-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
function newFile(): string {
  files += 1;
  return join(folder, `${files}.jsonl`);
}

const payment: StoredPayment = {
  ...{ reference: "r-1", version: 1, state: "pending", holds: true, debit: "d", credit: null, event: "e", id: null },
  ...{ leasedBy: "me", leasedUntil: 9_999_999_999_999, data: '{"iban":"GB33BUKB20201555555555"}' },
};

it("passes the check of stores, in memory and in a file", async () => {
  await checkPaymentStore(createMemoryStore, { keeps: false });
  const path = newFile();
  await checkPaymentStore(() => createFileStore(path));
});

it("is noticed by the check when it breaks a rule", async () => {
  const broken = (change: object) => () => Object.assign(createMemoryStore(), change);
  await expect(checkPaymentStore(broken({ withEvent: async () => [] }), { keeps: false })).rejects.toThrow("withEvent");
  const { write } = createMemoryStore();
  const careless = broken({ write: async (one: StoredPayment) => write({ ...one, debit: null }) });
  await expect(checkPaymentStore(careless, { keeps: false })).rejects.toThrow("The store is wrong");
  await expect(checkPaymentStore(createMemoryStore)).rejects.toThrow("opened again");
});

it("goes on after a line that was not written to its end, without leases of processes that have ended", async () => {
  const path = newFile();
  const store = createFileStore(path);
  await store.write(payment);
  await store.close?.();
  appendFileSync(path, JSON.stringify({ ...payment, version: 2 }).slice(0, -5));
  const again = createFileStore(path);
  expect(await again.read("r-1")).toEqual({ ...payment, leasedBy: null, leasedUntil: 0 });
  expect(await again.write({ ...payment, version: 2, state: "refused", holds: false, data: "{}" })).toBe("written");
  await again.close?.();
  const last = createFileStore(path);
  expect((await last.read("r-1"))?.state).toBe("refused");
  await last.close?.();
  expect(readFileSync(path, "utf8")).not.toContain("GB33");
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it("is locked against a second use, and says so", async () => {
  const path = newFile();
  const first = createFileStore(path);
  await first.write(payment);
  const second = createFileStore(path);
  await expect(second.read("r-1")).rejects.toThrow(/is in use by process \d+\. Stop it, or give another file\./);
  await first.close?.();
  expect((await second.read("r-1"))?.reference).toBe("r-1");
  await second.close?.();
});

it("takes over the lock of a process that has ended, and not one of another machine", async () => {
  const path = newFile();
  const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  const dead = { pid: 4_194_000, began: "1", space: "pid:[1]", boot, socket: ".payments-gone.sock" };
  writeFileSync(`${path}.lock`, JSON.stringify(dead));
  const store = createFileStore(path);
  await store.write(payment);
  await store.close?.();
  writeFileSync(`${path}.lock`, JSON.stringify({ ...dead, boot: "another" }));
  await expect(createFileStore(path).read("r-1")).rejects.toThrow("of another machine");
  rmSync(`${path}.lock`);
});

it("refuses a file that is damaged or no file of payments", async () => {
  const path = newFile();
  writeFileSync(path, "a,b\n1,2\n");
  await expect(createFileStore(path).read("r-1")).rejects.toThrow("is not a payments file");
  const store = createFileStore(`${path}2`);
  await store.write(payment);
  await store.close?.();
  appendFileSync(`${path}2`, "{}\n");
  await expect(createFileStore(`${path}2`).read("r-1")).rejects.toThrow(/Line 3 of .* is damaged/);
  await expect(createFileStore(join(folder, "none", "x")).read("r-1")).rejects.toThrow("ENOENT");
});

it("keeps a payment in a row of Postgres, and says whether it was written", async () => {
  const row = { ...payment, version: "2", leased_by: null, leased_until: "0", leasedBy: undefined };
  let answer = async (): Promise<readonly unknown[]> => [row];
  const asked: [text: string, values: unknown[]][] = [];
  const store = createPostgresStore(async (text, values) => {
    asked.push([text, values]);
    return answer();
  });
  expect(await store.read("r-1")).toEqual({ ...payment, version: 2, leasedBy: null, leasedUntil: 0 });
  expect(await store.holders(payment)).toHaveLength(1);
  expect([await store.write(payment), await store.write({ ...payment, version: 2 })]).toEqual(["written", "written"]);
  answer = async () => [];
  expect([await store.withId("a"), await store.write(payment)]).toEqual([undefined, "changed"]);
  answer = () => Promise.reject(Object.assign(new Error("duplicate key"), { code: "23505" }));
  expect(await store.write(payment)).toBe("taken");
  answer = () => Promise.reject(new Error("no connection"));
  await expect(store.write(payment)).rejects.toThrow("no connection");
  const verbs = asked.map(([text]) => text.split(" ", 1)[0]);
  expect(verbs).toEqual(["select", "select", "insert", "update", "select", "insert", "insert", "insert"]);
  expect(asked[1]?.[1]).toEqual(["d", null, "e"]);
  expect(() => createPostgresStore({} as never)).toThrow("createPostgresStore takes a function");
});
