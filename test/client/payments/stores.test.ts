/** The memory store and the file store of payments, with incomplete lines, full disks and concurrent use. */
import { once } from "node:events";
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import {
  checkPaymentStore,
  createFileStore,
  createMemoryStore,
  createPostgresStore,
  type StoredPayment,
} from "partner-wallet-api/payments";
import { afterAll, describe, expect, it } from "vitest";

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

it("passes the conformance check, in memory and in a file", async () => {
  await checkPaymentStore(createMemoryStore, { keeps: false });
  const path = newFile();
  await checkPaymentStore(() => createFileStore(path));
});

it("fails the conformance check when it breaks a rule", async () => {
  const broken = (change: object) => () => Object.assign(createMemoryStore(), change);
  await expect(checkPaymentStore(broken({ withEvent: async () => [] }), { keeps: false })).rejects.toThrow("withEvent");
  const { write } = createMemoryStore();
  const careless = broken({ write: async (one: StoredPayment) => write({ ...one, debit: null }) });
  await expect(checkPaymentStore(careless, { keeps: false })).rejects.toThrow("The store is wrong");
  await expect(checkPaymentStore(createMemoryStore)).rejects.toThrow("opened again");
});

it("recovers from an incomplete last line, without the leases of ended processes", async () => {
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

it("is locked against a second use, with a clear error", async () => {
  const path = newFile();
  const first = createFileStore(path);
  await first.write(payment);
  const second = createFileStore(path);
  await expect(second.read("r-1")).rejects.toThrow(/is in use by process \d+\. Stop it, or give another file\./);
  await first.close?.();
  expect((await second.read("r-1"))?.reference).toBe("r-1");
  await second.close?.();
});

describe("the lock of another process", () => {
  const read = (path: string) => readFileSync(path, "utf8").trim();
  const boot = read("/proc/sys/kernel/random/boot_id");
  const own = { pid: process.pid, space: readlinkSync("/proc/self/ns/pid"), boot };
  const began = read("/proc/self/stat").replace(/.*\) /s, "").split(" ")[19];
  const gone = ".payments-gone.sock";

  it.each<[string, object | string]>([
    ["that has ended", { ...own, pid: 4_194_000, began: "1" }],
    ["whose number another process has now", { ...own, began: "1" }],
    ["of a container that has ended", { ...own, space: "pid:[1]", socket: gone }],
    ["that ended while it wrote the lock", '{"pid":'],
    ["that has no number", { ...own, pid: 0 }],
  ])("is taken over: %s", async (_name, holder) => {
    const path = newFile();
    writeFileSync(`${path}.lock`, typeof holder === "string" ? holder : JSON.stringify(holder));
    const store = createFileStore(path);
    await store.write(payment);
    expect(JSON.parse(readFileSync(`${path}.lock`, "utf8"))).toMatchObject({ ...own, began });
    await store.close?.();
    expect(readdirSync(folder).filter((name) => name.startsWith(`${basename(path)}.`))).toEqual([]);
  });

  it.each<[string, object, string]>([
    ["of another machine", { ...own, boot: "another" }, "of another machine"],
    ["that runs", { ...own, began }, `is in use by process ${process.pid}. Stop it`],
    ["that runs where no start is known", own, "is in use by process"],
    ["of a container without a socket", { ...own, space: "pid:[1]" }, "is in use by process"],
    ["of a container that runs", { ...own, space: "pid:[1]", socket: "live.sock" }, "is in use by process"],
  ])("is respected: %s", async (_name, holder, message) => {
    const server = createServer((socket) => socket.destroy()).listen(join(folder, "live.sock"));
    await once(server, "listening");
    const path = newFile();
    const text = JSON.stringify(holder);
    writeFileSync(`${path}.lock`, text);
    await expect(createFileStore(path).read("r-1")).rejects.toThrow(message);
    expect(readFileSync(`${path}.lock`, "utf8")).toBe(text);
    server.close();
    await once(server, "close");
  });
});

it("throws when it is closed, and when it is made without a path", async () => {
  const path = newFile();
  const store = createFileStore(path);
  await store.write(payment);
  await store.close?.();
  await expect(store.read("r-1")).rejects.toThrow(`${path} is closed.`);
  await expect(store.write(payment)).rejects.toThrow(`${path} is closed.`);
  for (const none of ["", undefined, 5])
    expect(() => createFileStore(none as string)).toThrow("takes the path of a file");
});

it("refuses a damaged file, and a file that holds no payments", async () => {
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

it("stores a payment in a Postgres row, and returns whether it was written", async () => {
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
