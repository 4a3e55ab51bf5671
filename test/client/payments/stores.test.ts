import { once } from "node:events";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from "node:fs";
import fs from "node:fs/promises";
import { createServer } from "node:net";
import { basename, dirname, join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import {
  checkPaymentStore,
  createFileStore,
  createMemoryStore,
  createPostgresStore,
  type PaymentStore,
  type StoredPayment,
} from "partner-wallet-api/payments";
import { afterEach, describe, expect, it, vi } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { slowStore, turns } from "./fixture.ts";

const folder = temporaryFolder();
let files = 0;
function newFile(): string {
  files += 1;
  return join(folder, `${files}.jsonl`);
}

async function storeWithPayment(path = newFile()) {
  const store = createFileStore(path);
  await store.write(payment);
  return { path, store };
}

const payment: StoredPayment = {
  ...{ reference: "r-1", version: 1, state: "pending", holds: true, debit: "d", credit: null, event: "e", id: null },
  ...{ leasedBy: "me", leasedUntil: 9_999_999_999_999, data: '{"iban":"GB33BUKB20201555555555"}' },
};

it("passes the conformance check, in memory and in a file", async () => {
  await checkPaymentStore(createMemoryStore, { keeps: false });
  const path = newFile();
  await checkPaymentStore(async () => createFileStore(path));
});

it("passes the conformance check with a slow store, which is reopened only after it is closed", async () => {
  const store = slowStore();
  let opened = 0;
  await checkPaymentStore(async () => {
    await turn();
    expect(opened % 2).toBe(0);
    opened += 1;
    const close = async () => {
      await turns(2);
      opened += 1;
    };
    return { ...store, close };
  });
  expect(opened).toBe(4);
});

it("fails the conformance check when it breaks a rule", async () => {
  const broken = (change: object) => () => Object.assign(createMemoryStore(), change);
  await expect(checkPaymentStore(broken({ withEvent: async () => [] }), { keeps: false })).rejects.toThrow("withEvent");
  const careless = broken({ write: async (one: StoredPayment) => createMemoryStore().write({ ...one, debit: null }) });
  await expect(checkPaymentStore(careless, { keeps: false })).rejects.toThrow("The store is wrong");
  await expect(checkPaymentStore(createMemoryStore)).rejects.toThrow("opened again");
});

it("fails the conformance check when any one of its writes returns a wrong result", async () => {
  for (let wrong = 1; wrong <= 61; wrong += 1) {
    const store = createMemoryStore();
    let writes = 0;
    const write: PaymentStore["write"] = async (one) => {
      writes += 1;
      const isWrong = writes === wrong;
      const outcome = await store.write(one);
      return isWrong ? (outcome === "written" ? "changed" : "written") : outcome;
    };
    const checked = checkPaymentStore(() => ({ ...store, write }), { keeps: false });
    await expect(checked, `write ${wrong}`).rejects.toThrow("The store is wrong");
  }
});

it("recovers from an incomplete last line, without the leases of ended processes", async () => {
  const { path, store } = await storeWithPayment();
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
  const { path, store: first } = await storeWithPayment();
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
    ["of a container that has ended, without its socket", { ...own, space: "pid:[1]", socket: "none" }],
    ["that ended while it wrote the lock", '{"pid":'],
    ["that has no number", { ...own, pid: 0 }],
  ])("is taken over: %s", async (_name, holder) => {
    const path = newFile();
    const text = typeof holder === "string" ? holder : JSON.stringify(holder);
    if (text.includes(gone)) writeFileSync(join(folder, gone), "");
    writeFileSync(`${path}.lock`, text);
    const { store } = await storeWithPayment(path);
    const socket = expect.stringMatching(/^\.payments-/);
    expect(JSON.parse(readFileSync(`${path}.lock`, "utf8"))).toMatchObject({ ...own, began, socket });
    await store.close?.();
    const left = readdirSync(folder).filter((name) => name.startsWith(`${basename(path)}.`) || name.endsWith(".sock"));
    expect(left).toEqual([]);
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
  const { path, store } = await storeWithPayment();
  await store.close?.();
  await expect(store.read("r-1")).rejects.toThrow(`${path} is closed.`);
  await expect(store.write(payment)).rejects.toThrow(`${path} is closed.`);
  for (const none of ["", undefined, 5])
    expect(() => createFileStore(none as string)).toThrow("takes the path of a file");
});

it.each(["a,b\n1,2\n", '{"a":1}'])("refuses a file with the text %j, and does not change it", async (text) => {
  const path = newFile();
  writeFileSync(path, text);
  await expect(createFileStore(path).read("r-1")).rejects.toThrow("is not a payments file");
  expect([readFileSync(path, "utf8"), existsSync(`${path}.lock`)]).toEqual([text, false]);
  await expect(createFileStore(join(folder, "none", "x")).read("r-1")).rejects.toThrow("ENOENT");
});

it.each(["{", "null", "{}", { data: undefined }, { event: undefined }, { version: 0 }, { version: undefined }])(
  "refuses a file with the damaged line %j",
  async (line) => {
    const { path, store } = await storeWithPayment();
    await store.close?.();
    appendFileSync(path, `${typeof line === "string" ? line : JSON.stringify({ ...payment, ...line })}\n`);
    await expect(createFileStore(path).read("r-1")).rejects.toThrow(/Line 3 of .* is damaged/);
  },
);

it("locks a file without a socket when the name of the socket is too long", async () => {
  const stores = ["1", "2"].map(async (end) => {
    const path = join(folder, "x".repeat(120) + end, "payments.jsonl");
    mkdirSync(dirname(path));
    const { store } = await storeWithPayment(path);
    return { store, socket: JSON.parse(readFileSync(`${path}.lock`, "utf8")).socket };
  });
  // The path is too long for a socket. Some versions of Node cut it off, so that one store still gets a socket.
  const made = await Promise.all(stores);
  expect(made.map(({ socket }) => socket)).toContain(undefined);
  for (const { store } of made) await store.close?.();
});

it("lets one of several concurrent stores take over an abandoned lock", async () => {
  const path = newFile();
  writeFileSync(`${path}.lock`, '{"pid":');
  const stores = Array.from({ length: 5 }, () => createFileStore(path));
  const reads = await Promise.allSettled(stores.map((store) => store.write(payment)));
  expect(reads.map(({ status }) => status).sort()).toEqual(["fulfilled", ...Array(4).fill("rejected")]);
  for (const one of reads) if (one.status === "rejected") expect(String(one.reason)).toContain("is in use by");
  await Promise.all(stores.map((store) => store.close?.()));
});

/** Records the file operations of a store. Each takes effect one turn of the event loop after its call. */
function traceFiles(path: string): { steps: string[]; fail: { step?: string } } {
  const steps: string[] = [];
  const fail: { step?: string } = {};
  let isBusy = false;
  const later = async (step: string, run: () => Promise<unknown>) => {
    if (isBusy) steps.push("too early:");
    isBusy = true;
    await turn();
    isBusy = false;
    if (step === fail.step) throw Object.assign(new Error(step), { code: "ENOSPC" });
    steps.push(step);
    return run();
  };
  const { open, rename, unlink } = fs;
  vi.spyOn(fs, "open").mockImplementation(async (...args) => {
    const file = await open(...args);
    const name = { [path]: "file", [`${path}.next`]: "next", [folder]: "folder" }[String(args[0])];
    const get = (_: object, member: "close") => {
      const run = file[member]?.bind(file) as ((...all: unknown[]) => Promise<unknown>) | undefined;
      return run && ((...all: unknown[]) => later(`${member} ${name}`, () => run(...all)));
    };
    return new Proxy(file, { get }) as typeof file;
  });
  vi.spyOn(fs, "rename").mockImplementation((...args) => later("rename", () => rename(...args)) as Promise<void>);
  vi.spyOn(fs, "unlink").mockImplementation((name) =>
    name === `${path}.lock` ? (later("unlock", () => unlink(name)) as Promise<void>) : unlink(name),
  );
  return { steps, fail };
}
afterEach(() => vi.restoreAllMocks());

it("flushes a write before it resolves, and the new file before it replaces the old one", async () => {
  const path = newFile();
  const { steps } = traceFiles(path);
  const store = createFileStore(path);
  const written = store.write(payment).then(() => steps.push("written"));
  while (!steps.includes("close file")) await turn();
  await store.close?.();
  await written;
  const renewed = ["appendFile next", "sync next", "rename", "sync folder", "close folder", "close file"];
  expect(steps).toEqual([...renewed, "appendFile next", "datasync next", "written", "close next", "unlock"]);
});

it("removes a failed write from the file, and rejects every use until a new store is created", async () => {
  const path = newFile();
  const { steps, fail } = traceFiles(path);
  const { store } = await storeWithPayment(path);
  fail.step = "datasync next";
  const failed = [store.write({ ...payment, version: 2 }), store.write({ ...payment, version: 3 })];
  for (const one of await Promise.allSettled(failed))
    expect(String((one as PromiseRejectedResult).reason)).toContain(`${path} cannot be written (ENOSPC)`);
  expect(steps.at(-1)).toBe("truncate next");
  await expect(store.read("r-1")).rejects.toThrow("no payment is made until a new store is created");
  await store.close?.();
  fail.step = "appendFile next";
  await expect(createFileStore(path).read("r-1")).rejects.toThrow("appendFile next");
  expect(steps.slice(-3)).toEqual(["close next", "close file", "unlock"]);
  vi.restoreAllMocks();
  const again = createFileStore(path);
  expect(await again.read("r-1")).toMatchObject({ version: 1 });
  await again.close?.();
});

it("compacts a file of more than 10,000 lines when more than three quarters are old versions", async () => {
  const path = newFile();
  const store = createFileStore(path);
  const lines = () => readFileSync(path, "utf8").split("\n").length - 1;
  const each = { ...payment, holds: false, event: null };
  const others = Array.from({ length: 2500 }, (_, index) => ({ ...each, reference: `p-${index}` }));
  const versions = Array.from({ length: 7503 }, (_, index) => ({ ...each, version: index + 1 }));
  await Promise.all([...others, ...versions].map((one) => store.write(one)));
  expect(lines()).toBe(10_004);
  await store.write({ ...each, version: 7504 });
  expect(lines()).toBe(2502);
  await store.close?.();
});

it("stores a payment in a Postgres row, and returns whether it was written", async () => {
  const row = { ...payment, version: "2", leased_by: null, leased_until: "0", leasedBy: undefined };
  let respond = async (): Promise<readonly unknown[]> => [row];
  const statements: [text: string, values: unknown[]][] = [];
  const store = createPostgresStore(async (text, values) => {
    statements.push([text, values]);
    return respond();
  });
  expect(await store.read("r-1")).toEqual({ ...payment, version: 2, leasedBy: null, leasedUntil: 0 });
  expect(await store.holders(payment)).toHaveLength(1);
  expect([await store.write(payment), await store.write({ ...payment, version: 2 })]).toEqual(["written", "written"]);
  expect([await store.withId("a"), statements[1]?.[0]]).toEqual([
    expect.objectContaining({ reference: "r-1" }),
    expect.stringContaining("where holds and (debit = $1 or credit = $2 or event = $3)"),
  ]);
  respond = async () => [];
  expect([await store.withId("a"), await store.write(payment)]).toEqual([undefined, "changed"]);
  respond = () => Promise.reject(Object.assign(new Error("duplicate key"), { code: "23505" }));
  expect(await store.write(payment)).toBe("taken");
  respond = () => Promise.reject(new Error("no connection"));
  await expect(store.write(payment)).rejects.toThrow("no connection");
  const verbs = statements.map(([text]) => text.split(" ", 1)[0]);
  expect(verbs).toEqual(["select", "select", "insert", "update", "select", "select", "insert", "insert", "insert"]);
  expect(statements[1]?.[1]).toEqual(["d", null, "e"]);
  expect(() => createPostgresStore({} as never)).toThrow("createPostgresStore takes a function");
});
