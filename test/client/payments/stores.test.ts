import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import Database from "libsql";
import { createPartnerClient } from "partner-wallet-api";
import {
  checkPaymentStore,
  createMemoryStore,
  createPayments,
  createPostgresStore,
  createSqliteStore,
  type PaymentStore,
  type SqliteDatabase,
  type StoredPayment,
} from "partner-wallet-api/payments";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { createSlowStore, waitTurns } from "./fixture.ts";
import { createLibsqlStore } from "./sqlite.ts";
import { checkedWriteCount, expectFailureOfWrite } from "./wrong-writes.ts";

const folder = temporaryFolder();
let fileCount = 0;
function newFile(): string {
  fileCount += 1;
  return join(folder, `${fileCount}.db`);
}

const payment: StoredPayment = {
  reference: "r-1",
  version: 1,
  state: "pending",
  isOpen: true,
  holds: true,
  isRefuted: false,
  isContradicted: false,
  debit: "d",
  credit: null,
  event: "e",
  id: null,
  data: "{}",
};

/** Node 20 has no `node:sqlite`. */
const hasNodeSqlite = process.getBuiltinModule("node:sqlite") !== undefined;

function openPath(path: string): PaymentStore {
  if (hasNodeSqlite) return createSqliteStore(path);
  const { getBuiltinModule } = process;
  const getModule = (name: string) => (name === "node:sqlite" ? { DatabaseSync: Database } : getBuiltinModule(name));
  process.getBuiltinModule = getModule as typeof getBuiltinModule;
  try {
    return createSqliteStore(path);
  } finally {
    process.getBuiltinModule = getBuiltinModule;
  }
}

it("passes the conformance check, in memory and in SQLite", async () => {
  await checkPaymentStore(createMemoryStore, { keeps: false });
  const path = newFile();
  await checkPaymentStore(() => createLibsqlStore(path).store);
});

it("passes the conformance check with a slow store, which is reopened only after it is closed", async () => {
  const store = createSlowStore();
  let openAndCloseCount = 0;
  await checkPaymentStore(async () => {
    await turn();
    expect(openAndCloseCount % 2).toBe(0);
    openAndCloseCount += 1;
    const close = async () => {
      await waitTurns(2);
      openAndCloseCount += 1;
    };
    return { ...store, close };
  });
  expect(openAndCloseCount).toBe(4);
});

it("fails the conformance check when it breaks a rule", async () => {
  const storeWith = (change: object) => () => Object.assign(createMemoryStore(), change);
  await expect(checkPaymentStore(storeWith({ equal: async () => [] }), { keeps: false })).rejects.toThrow("equal");
  const storeWithoutDebit = storeWith({
    write: async (payment: StoredPayment) => createMemoryStore().write({ ...payment, debit: null }),
  });
  await expect(checkPaymentStore(storeWithoutDebit, { keeps: false })).rejects.toThrow("The store is wrong");
  await expect(checkPaymentStore(createMemoryStore)).rejects.toThrow("opened again");
});

it.each<[rule: string, key: (payment: StoredPayment) => string | null, endsHolding: boolean, message: string]>([
  ["a payment that no longer holds its key", ({ debit }) => debit, false, "begins to hold a key which is free again"],
  ["the event of payments that have a debit", ({ event }) => event, true, "with the event of one that has them"],
])("fails the conformance check when it compares %s", async (_, keyOf, endsHolding, message) => {
  const store = createMemoryStore();
  const holders = new Map<string | null, string>();
  const write: PaymentStore["write"] = async (payment) => {
    const [key, { reference, holds }] = [keyOf(payment), payment];
    if (key !== null && holds && (holders.get(key) ?? reference) !== reference) return "taken";
    const outcome = await store.write(payment);
    if (outcome === "written" && holds) holders.set(key, reference);
    if (outcome === "written" && !holds && endsHolding && holders.get(key) === reference) holders.delete(key);
    return outcome;
  };
  await expect(checkPaymentStore(() => ({ ...store, write }), { keeps: false })).rejects.toThrow(message);
});

it.each<[rule: string, change: (store: PaymentStore) => Partial<PaymentStore>, message: string]>([
  [
    "finds no ended payments by a key",
    ({ equal }) => ({ equal: async (...args) => (await equal(...args)).filter(({ isOpen }) => isOpen) }),
    "payments with an equal debit",
  ],
  [
    "finds no refuted payments by a key",
    ({ equal }) => ({ equal: async (...args) => (await equal(...args)).filter(({ isRefuted }) => !isRefuted) }),
    "payments with an equal debit",
  ],
  [
    "finds no ended payments by their identifier",
    ({ withId }) => ({ withId: async (id) => [await withId(id)].find((row) => row?.isOpen) }),
    "withId of a payment that has ended",
  ],
  [
    "returns at most 50 rows",
    ({ open }) => ({ open: async (after, limit) => open(after, Math.min(limit, 50)) }),
    "101 open payments",
  ],
  [
    "cuts off long references",
    ({ write }) => ({ write: (row) => write({ ...row, reference: row.reference.slice(0, 200) }) }),
    "write of a payment with long texts",
  ],
  [
    "ignores case in keys",
    ({ write, equal }) => ({
      write: (row) => write({ ...row, debit: row.debit?.toLowerCase() ?? null }),
      equal: async (column, key, limit) => equal(column, key.toLowerCase(), limit),
    }),
    "payments with a similar debit",
  ],
  [
    "ignores blanks at the end of references",
    ({ write, read }) => ({
      write: (row) => write({ ...row, reference: row.reference.trimEnd() }),
      read: (reference) => read(reference.trimEnd()),
    }),
    "a similar reference",
  ],
  [
    "compares identifiers of new rows only",
    ({ write }) => ({
      write: async (row) => {
        const outcome = await write(row);
        return outcome === "taken" && row.version > 1 && row.id !== null ? "written" : outcome;
      },
    }),
    "write of version 2 with the identifier of another payment",
  ],
  ["has a clock that returns a text", () => ({ now: async () => "1" as never }), "now() resolves to a number"],
])("fails the conformance check when it %s", async (_, change, message) => {
  const store = createMemoryStore();
  await expect(checkPaymentStore(() => ({ ...store, ...change(store) }), { keeps: false })).rejects.toThrow(message);
});

it("fails the conformance check when one of its writes returns a wrong result: every 20th", async () => {
  for (let wrongWrite = 1; wrongWrite <= checkedWriteCount; wrongWrite += 20) await expectFailureOfWrite(wrongWrite);
});

describe("SQLite", () => {
  it("opens a path that only its owner can read", async () => {
    const path = newFile();
    await checkPaymentStore(() => openPath(path));
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("ends the waiting writes, in as many transactions as they need, before it is closed", async () => {
    const { store } = createLibsqlStore();
    const writes = Array.from({ length: 70 }, (_, index) =>
      store.write({ ...payment, reference: `r-${index}`, holds: false }),
    );
    await store.close?.();
    expect(new Set(await Promise.all(writes))).toEqual(new Set(["written"]));
  });

  it.skipIf(hasNodeSqlite)("says on Node 20 what to install for a path", () => {
    expect(() => createSqliteStore(newFile())).toThrow("On Node 20, npm install libsql and give new Database(path).");
  });

  it("refuses what is neither a path nor a database", () => {
    for (const malformedValue of ["", undefined, 5, {}])
      expect(() => createSqliteStore(malformedValue as string)).toThrow("takes a path, or a database");
  });

  it("finds open, equal and contradicted payments by an index", async () => {
    const { store, database } = createLibsqlStore();
    const texts: string[] = [];
    const prepare = database.prepare.bind(database);
    database.prepare = (sql) => {
      if (sql.startsWith("select reference") || sql.startsWith("select version")) texts.push(sql);
      return prepare(sql);
    };
    await Promise.all([store.read("r"), store.withId("i"), store.open("", 9), store.contradicted("", 9)]);
    for (const column of ["debit", "credit", "event"] as const) await store.equal(column, "k", 9);
    expect(texts).toHaveLength(7);
    const plans = texts.map((sql) => {
      const values = Array.from({ length: sql.split("?").length - 1 }, () => "1");
      return (prepare(`explain query plan ${sql}`).all(...(values as never[])) as { detail: string }[]).map(
        ({ detail }) => detail,
      );
    });
    // Each plan is a single search by index, without a table scan or sorting.
    for (const plan of plans) expect(plan).toEqual([expect.stringMatching(/^SEARCH .* USING (COVERING )?INDEX /)]);
    await store.close?.();
  });

  it("writes what is written at once in one transaction, of which a refused write is no part", async () => {
    const { store, database } = createLibsqlStore();
    await store.read("r");
    const statements: string[] = [];
    const exec = database.exec.bind(database);
    database.exec = (sql) => {
      statements.push(sql);
      return exec(sql);
    };
    const equalPayment = { ...payment, holds: false };
    const payments = [
      payment,
      { ...equalPayment, reference: "r-2" },
      { ...payment, reference: "r-3" },
      { ...equalPayment, reference: "r-4" },
    ];
    const outcomes = await Promise.all(payments.map((row) => store.write(row)));
    expect([outcomes, statements]).toEqual([
      ["written", "written", "taken", "written"],
      ["begin immediate", "commit"],
    ]);
    expect([await store.read("r-4"), await store.read("r-3")]).toEqual([
      { ...equalPayment, reference: "r-4" },
      undefined,
    ]);
  });

  it("undoes the whole transaction when the disk is full, and tries again when the database is busy", async () => {
    const { store, database } = createLibsqlStore();
    await store.read("r");
    const exec = database.exec.bind(database);
    let errors = [new Error("database is locked"), new Error("database or disk is full")];
    database.exec = (sql) => {
      const error = sql === "commit" ? errors.shift() : undefined;
      if (error !== undefined) throw error;
      return exec(sql);
    };
    await expect(store.write(payment)).rejects.toThrow("full");
    expect([await store.read("r-1"), errors]).toEqual([undefined, []]);
    errors = [Object.assign(new Error("busy"), { code: "SQLITE_BUSY" })];
    expect(await store.write(payment)).toBe("written");
  });
});

it("does not undo a transaction that other code has begun in its SQLite database", async () => {
  const { store, database } = createLibsqlStore();
  await store.read("r");
  for (const sql of ["create table other (value)", "begin", "insert into other values (1)"]) database.exec(sql);
  await expect(store.write(payment)).rejects.toThrow("within a transaction");
  database.exec("commit");
  expect(database.prepare("select value from other").all()).toHaveLength(1);
});

it.each([
  { code: "SQLITE_CONSTRAINT_UNIQUE" },
  { code: "SQLITE_CONSTRAINT_PRIMARYKEY" },
  { code: "ERR_SQLITE_ERROR", errcode: 2067 },
  { code: "ERR_SQLITE_ERROR", errcode: 1555 },
])("takes the error %j of a SQLite database for a key that is taken", async (error) => {
  const { store, database } = createLibsqlStore();
  const prepare = database.prepare.bind(database);
  const listAll = () => {
    throw Object.assign(new Error("constraint"), error);
  };
  database.prepare = (sql) => (sql.startsWith("insert") ? { all: listAll } : prepare(sql));
  expect(await store.write(payment)).toBe("taken");
});

describe("Postgres", () => {
  const createStoreWith = (respond: (text: string, values: unknown[]) => Promise<readonly unknown[]>) =>
    createPostgresStore(respond);

  it("does not take its own write for that of another when the connection is lost after it", async () => {
    let storedValues: unknown[] = [];
    const store = createStoreWith(async (text, values) => {
      if (text.startsWith("select")) return [{ written_by: storedValues.at(-2) }];
      if (storedValues.length > 0) return [];
      storedValues = values;
      throw new Error("Connection terminated unexpectedly");
    });
    expect(await store.write(payment)).toBe("written");
    storedValues = [];
  });

  it("gives each statement its values in the order of its numbered placeholders", async () => {
    const placeholders: string[][] = [];
    const counts: number[] = [];
    const store = createStoreWith(async (text, values) => {
      placeholders.push(text.match(/\$\d+/g) ?? []);
      counts.push(values.length);
      return [];
    });
    await Promise.all([store.read("r"), store.withId("i"), store.open("", 9), store.equal("debit", "k", 9)]);
    for (const version of [1, 2]) await store.write({ ...payment, version });
    expect(placeholders).toEqual(counts.map((count) => Array.from({ length: count }, (_, index) => `$${index + 1}`)));
  });

  it("has few statements, which differ in the characters that the docs give as a name", async () => {
    const texts = new Set<string>();
    const store = createStoreWith(async (text, values) => {
      texts.add(text);
      return values.length === 0 ? [{ now: 1 }] : [];
    });
    for (const name of ["name-1", "name-2"]) {
      await Promise.all([store.read(name), store.withId(name), store.open(name, 9), store.contradicted(name, 9)]);
      for (const column of ["debit", "credit", "event"] as const) await store.equal(column, name, 9);
      for (const version of [1001, 1002]) await store.write({ ...payment, version });
      await store.write({ ...payment, version: 1 });
      await store.now?.();
    }
    expect(texts.size).toBe(11);
    expect(new Set([...texts].map((text) => text.slice(-63))).size).toBe(texts.size);
  });

  it("refuses every statement while the table of version 0.1.0 has payments", async () => {
    let formerRows: object[] = [{ reference: "r-1" }];
    const texts: string[] = [];
    const store = createStoreWith(async (text) => {
      texts.push(text);
      if (text.includes("to_regclass")) return [{ found: "1" }];
      return text.includes("from partner_wallet_payments limit") ? formerRows : [];
    });
    for (const run of [
      () => store.read("r-1"),
      () => store.open("", 9),
      () => store.write(payment),
      () => store.now?.(),
    ])
      await expect(run()).rejects.toThrow("call importPostgresPayments(query) once");
    formerRows = [];
    for (const reference of ["r-1", "r-2"]) expect(await store.read(reference)).toBeUndefined();
    expect(texts.slice(-4).map((text) => text.split(" ")[1])).toEqual([
      "count(to_regclass('partner_wallet_payments'))",
      "reference",
      "version,",
      "version,",
    ]);
  });

  it("pauses before it tries a statement again", async () => {
    const startedAt = performance.now();
    const store = createStoreWith(async () => {
      if (performance.now() - startedAt > 10) return [];
      throw Object.assign(new Error("lost"), { code: "ECONNRESET" });
    });
    expect(await store.read("r")).toBeUndefined();
  });

  it.each([
    ["23505", "taken"],
    ["22001", "rejects"],
  ])("with the error %s of a write: %s", async (code, outcome) => {
    const store = createStoreWith(() => Promise.reject(Object.assign(new Error("refused"), { code })));
    const write = store.write(payment);
    if (outcome === "taken") expect(await write).toBe("taken");
    else await expect(write).rejects.toThrow("refused");
  });

  it("gives the time of its clock, and refuses what is no function", async () => {
    expect(await createStoreWith(async () => [{ now: "1767225600000" }]).now?.()).toBe(1_767_225_600_000);
    expect(() => createPostgresStore({} as never)).toThrow("createPostgresStore takes a function");
  });
});

it.each([
  ["of version 0.1.0", '{"format":"partner-wallet-api payments 1"}\n'],
  ["that is not a database", "reference,amount\ninvoice-1,10.00\n"],
])("in SQLite refuses a file %s, and names the command that imports version 0.1.0", (_, text) => {
  const path = newFile();
  writeFileSync(path, text);
  const command = `npx partner-wallet-api payments import ${path} --into payments.db`;
  expect(() => openPath(path)).toThrow(command);
});

it("is not read when a newer version has written it", async () => {
  const { store, database } = createLibsqlStore();
  await store.write({ ...payment, data: '{"form":3}' });
  const client = createPartnerClient({ baseUrl: "http://127.0.0.1:9", apiKey: "k" });
  const readResult = createPayments({ client, store }).get("r-1");
  await expect(readResult).rejects.toThrow("was stored by another version of partner-wallet-api");
  (database as SqliteDatabase).close();
});
