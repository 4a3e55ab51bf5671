/** The file store: each write appends a line of JSON, and resolves when the line is flushed to the disk. */
import { keyColumns, type PaymentStore, type StoredPayment } from "../store.ts";
import { lockFile } from "./file-lock.ts";
import { codeOf, type FileHandle, node } from "./node.ts";
import { PaymentIndex } from "./payment-index.ts";

const mostBytes = 256 * 1024 * 1024;

const header = '{"format":"partner-wallet-api payments 1"}\n';

/** The file is compacted when it has more lines than this, and more than four lines per payment. */
const leastLines = 10_000;

interface Opened {
  readonly index: PaymentIndex;
  readonly path: string;
  readonly unlock: () => Promise<void>;
  file: FileHandle;
  lines: number;
  bytes: number;
}

interface Waiting {
  readonly line: string;
  readonly resolve: () => void;
  readonly reject: (cause: unknown) => void;
}

/**
 * Creates a store in a file, for one process at a time. The first use opens and locks the file, until `close()` or the end of the process.
 * Every write is flushed to the disk before it resolves; an incomplete last line is removed at the next start. Only the owner of the file
 * can read it. The file contains the requests of payments that may still have to be sent, with account numbers and addresses; requests that
 * are no longer needed are removed when the file is opened.
 *
 * Every use rejects with an Error that names the file and the reason: when another process has locked it, when it is damaged or larger than
 * 256 MiB, and after a failed write.
 *
 * @param path of the file; its folder must exist. A missing file is created.
 */
export function createFileStore(path: string): PaymentStore {
  if (typeof path !== "string" || path === "") throw new TypeError("createFileStore takes the path of a file.");
  let opening: Promise<Opened> | undefined;
  let broken: unknown;
  let queue: Waiting[] = [];
  let writing: Promise<void> | undefined;

  const opened = (): Promise<Opened> => {
    if (broken !== undefined) return Promise.reject(broken);
    opening ??= open(path).catch((cause) => {
      opening = undefined;
      throw cause;
    });
    return opening;
  };

  const flush = async (store: Opened): Promise<void> => {
    while (queue.length > 0) {
      const batch = queue;
      queue = [];
      const text = batch.map(({ line }) => line).join("");
      try {
        await store.file.appendFile(text);
        await store.file.datasync();
        store.bytes += new TextEncoder().encode(text).length;
        store.lines += batch.length;
        if (store.lines > leastLines && store.lines > 4 * store.index.size) await rewrite(store);
      } catch (cause) {
        await store.file.truncate(store.bytes).catch(() => {});
        broken = new Error(
          `${path} cannot be written (${codeOf(cause)}): no payment is made until a new store is created.`,
          { cause },
        );
        for (const { reject } of [...batch, ...queue]) reject(broken);
        queue = [];
        return;
      }
      for (const { resolve } of batch) resolve();
    }
  };

  return {
    read: async (reference) => (await opened()).index.read(reference),
    withId: async (id) => (await opened()).index.withId(id),
    holders: async (keys) => (await opened()).index.holders(keys),
    withEvent: async (event) => (await opened()).index.withEvent(event),
    list: async (...query) => (await opened()).index.list(...query),
    async write(payment) {
      const store = await opened();
      if (broken !== undefined) throw broken;
      const outcome = store.index.judge(payment);
      if (outcome !== "written") return outcome;
      // Indexed before the flush: writes that rely on this one follow it in the file, so none of them survives a crash without it.
      store.index.put(payment);
      const line = `${JSON.stringify(payment)}\n`;
      const done = new Promise<void>((resolve, reject) => queue.push({ line, resolve, reject }));
      writing ??= flush(store).finally(() => {
        writing = undefined;
      });
      await done;
      return outcome;
    },
    async close() {
      const store = await opening?.catch(() => undefined);
      broken ??= new Error(`${path} is closed.`);
      if (store === undefined) return;
      await writing;
      await store.file.close();
      await store.unlock();
    },
  };
}

async function open(given: string): Promise<Opened> {
  const { realpath, readFile, open: openFile } = node().getBuiltinModule("node:fs/promises");
  const path = await realpath(given).catch(() => given);
  const unlock = await lockFile(path);
  let file: FileHandle | undefined;
  try {
    file = await openFile(path, "a+", 0o600);
    const bytes = await readFile(path);
    if (bytes.length > mostBytes)
      throw new Error(`${given} is larger than 256 MiB. Keep payments in Postgres instead.`);
    // Text after the last line break is an incomplete write.
    const text = new TextDecoder().decode(bytes.subarray(0, bytes.lastIndexOf(10) + 1));
    if (bytes.length > 0 && !text.startsWith(header)) throw new Error(`${given} is not a payments file.`);
    const index = new PaymentIndex();
    for (const [number, line] of text.split("\n").slice(1, -1).entries()) {
      // The lease is dropped: if its process were alive, the file would still be locked.
      index.put({ ...parse(line, `Line ${number + 2} of ${given} is damaged`), leasedBy: null, leasedUntil: 0 });
    }
    const store = { index, path, unlock, file, lines: 0, bytes: 0 };
    await rewrite(store);
    return store;
  } catch (error) {
    await file?.close();
    await unlock();
    throw error;
  }
}

function parse(line: string, problem: string): StoredPayment {
  try {
    const payment = JSON.parse(line) as StoredPayment;
    const texts = [payment.reference, payment.state, payment.data];
    const isOne = texts.every((text) => typeof text === "string") && keyColumns.every((key) => key in payment);
    if (isOne && payment.version > 0) return payment;
  } catch {
    // The line is not JSON, which is reported below.
  }
  throw new Error(`${problem}. Restore the file from a copy; payments that are missing in it would be made again.`);
}

async function rewrite(store: Opened): Promise<void> {
  const { open: openFile, rename, unlink } = node().getBuiltinModule("node:fs/promises");
  const { dirname } = node().getBuiltinModule("node:path");
  const next = `${store.path}.next`;
  await unlink(next).catch(() => {});
  const file = await openFile(next, "ax", 0o600);
  const lines = [header, ...[...store.index.all()].map((payment) => `${JSON.stringify(payment)}\n`)];
  const text = lines.join("");
  try {
    await file.appendFile(text);
    await file.sync();
    await rename(next, store.path);
    const folder = await openFile(dirname(store.path), "r");
    // Not every system can flush a folder.
    await folder.sync().catch(() => {});
    await folder.close();
  } catch (error) {
    await file.close();
    throw error;
  }
  await store.file.close();
  Object.assign(store, { file, bytes: new TextEncoder().encode(text).length, lines: lines.length });
}
