import { codeOf, node } from "./node.ts";

interface Holder {
  readonly pid: number;
  /** Start time of the process, if the system reports it: process ids are reused. */
  readonly began?: string;
  /** Identifiers of the namespace of the process id (each container has its own), and of the boot of the machine. Linux only. */
  readonly space?: string;
  readonly boot?: string;
  /** The name of a socket next to the file, on which the process listens while it is alive. */
  readonly socket?: string;
}

/** Locks a file by `FILE.lock` against other processes of this machine, including containers that share the folder. */
export async function lockFile(file: string): Promise<() => Promise<void>> {
  const path = `${file}.lock`;
  const { writeFile, readFile, unlink } = node().getBuiltinModule("node:fs/promises");
  const { socket, close } = await listen(file);
  const own = `${JSON.stringify(await describe(node().pid, socket))}\n`;
  const textOf = () => readFile(path, "utf8").catch(() => "");
  try {
    for (;;) {
      try {
        await writeFile(path, own, { flag: "wx", mode: 0o600 });
        break;
      } catch (error) {
        if (codeOf(error) !== "EEXIST") throw error;
        await takeAway(file, path, await textOf());
      }
    }
    // Another process may have removed this lock file before its text was written.
    if ((await textOf()) !== own)
      throw new Error(`${file} is in use by another process. Stop it, or give another file.`);
  } catch (error) {
    close();
    throw error;
  }
  return async () => {
    if ((await textOf()) === own) await unlink(path);
    close();
  };
}

async function takeAway(file: string, path: string, text: string): Promise<void> {
  const { rename, readFile, link, unlink } = node().getBuiltinModule("node:fs/promises");
  const holder = holderOf(text);
  await assertEnded(file, holder);
  const aside = `${path}.${node().pid}.${crypto.randomUUID().slice(0, 8)}`;
  try {
    await rename(path, aside);
    if ((await readFile(aside, "utf8")) !== text) {
      // Another process has replaced the abandoned lock in the meantime, and the rename moved the new lock: move it back.
      await link(aside, path);
      throw new Error(`${file} is in use by another process. Stop it, or give another file.`);
    }
    if (holder?.socket !== undefined) await unlink(besideOf(file, holder.socket)).catch(() => {});
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  } finally {
    await unlink(aside).catch(() => {});
  }
}

async function assertEnded(file: string, holder: Holder | undefined): Promise<void> {
  // The text is incomplete: the process ended while it wrote the lock.
  if (holder === undefined) return;
  const inUse = `${file} is in use by process ${holder.pid}`;
  const own = await describe(node().pid);
  if (holder.boot !== own.boot) {
    throw new Error(
      `${inUse} of another machine, or was left when this one stopped. Where no other uses it, remove ${file}.lock.`,
    );
  }
  const lives =
    holder.space === own.space
      ? await isAlive(holder)
      : holder.socket === undefined || (await answers(file, holder.socket));
  if (lives) throw new Error(`${inUse}. Stop it, or give another file.`);
}

async function isAlive(holder: Holder): Promise<boolean> {
  try {
    node().kill(holder.pid, 0);
  } catch (error) {
    // Any other error means that the process is alive but belongs to another user.
    if (codeOf(error) === "ESRCH") return false;
  }
  const { began } = await describe(holder.pid);
  return holder.began === undefined || began === undefined || holder.began === began;
}

async function describe(pid: number, socket?: string): Promise<Holder> {
  const { readFile, readlink } = node().getBuiltinModule("node:fs/promises");
  const read = async (path: string) => (await readFile(path, "utf8")).trim();
  const known = <T>(value: Promise<T>) => value.catch(() => undefined);
  const [stat, space, boot] = await Promise.all([
    known(read(`/proc/${pid}/stat`)),
    known(readlink("/proc/self/ns/pid")),
    known(read("/proc/sys/kernel/random/boot_id")),
  ]);
  // In `/proc/PID/stat`, the program's name is in parentheses and can contain any character. The 20th field after it is the start time.
  const began = stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  return JSON.parse(JSON.stringify({ pid, began, space, boot, socket })) as Holder;
}

function holderOf(text: string): Holder | undefined {
  try {
    const holder = JSON.parse(text) as Partial<Holder> | null;
    return typeof holder?.pid === "number" && holder.pid > 0 ? (holder as Holder) : undefined;
  } catch {
    return undefined;
  }
}

async function listen(file: string): Promise<{ socket: string | undefined; close: () => void }> {
  const socket = `.payments-${crypto.randomUUID().slice(0, 8)}.sock`;
  const server = node()
    .getBuiltinModule("node:net")
    .createServer((connection) => connection.destroy());
  const isListening = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false)).once("listening", () => resolve(true));
    server.listen(besideOf(file, socket)).unref();
  });
  return isListening ? { socket, close: () => server.close() } : { socket: undefined, close: () => {} };
}

function answers(file: string, socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = node().getBuiltinModule("node:net").connect(besideOf(file, socket));
    connection.once("connect", () => {
      resolve(true);
      connection.destroy();
    });
    connection.once("error", (error) => resolve(codeOf(error) !== "ECONNREFUSED" && codeOf(error) !== "ENOENT"));
  });
}

function besideOf(file: string, name: string): string {
  const { dirname, join } = node().getBuiltinModule("node:path");
  return join(dirname(file), name);
}
