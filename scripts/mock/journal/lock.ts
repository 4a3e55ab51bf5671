/**
 * Locks a file for one process with a lock file, which contains the process id. The process updates the lock file's modification time every
 * two seconds. A process in another container or machine, which cannot check the process id, takes over the lock when the updates stop.
 */
import * as fs from "node:fs";

const updateIntervalMs = 2_000;
/** After this time without an update, the process that holds the lock counts as ended. */
const expiryMs = 5 * updateIntervalMs;

export class LockedError extends Error {
  override readonly name = "LockedError";

  constructor(text: string) {
    const { id, namespace } = read(text);
    const isHere = namespace === undefined || namespace === processNamespace();
    const isOwn = isHere && id === process.pid;
    const other =
      id === undefined ? "another process" : `process ${id}${isHere ? "" : " of another container or machine"}`;
    super(`in use by ${isOwn ? "another mock of this process. Close it" : `${other}. Stop it`}, or give another file.`);
  }
}

/**
 * Locks a file with the lock file `FILE.lock`, and replaces the lock of an ended process. If the process id cannot be checked, this takes
 * up to 10 seconds.
 *
 * @returns a function that removes the lock.
 * @throws {LockedError} when a live process holds the lock.
 */
export function lock(file: string): () => void {
  const path = `${fs.existsSync(file) ? fs.realpathSync(file) : file}.lock`;
  const own = ownContent();
  if (!tryCreate(path, own)) {
    removeAbandoned(path);
    if (!tryCreate(path, own)) throw new LockedError(textOf(path));
  }
  // Another process may have read this lock file while it was still empty, and removed it as abandoned.
  const made = textOf(path);
  if (made !== own) throw new LockedError(made);
  const timer = setInterval(() => updateTime(path, own), updateIntervalMs).unref();
  return () => {
    clearInterval(timer);
    if (textOf(path) === own) fs.rmSync(path);
  };
}

function updateTime(path: string, own: string): void {
  const now = new Date();
  try {
    if (textOf(path) === own) fs.utimesSync(path, now, now);
  } catch {
    // Ignored, for example on a temporarily read-only file system: the next update tries again.
  }
}

function tryCreate(path: string, text: string): boolean {
  try {
    fs.writeFileSync(path, text, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function removeAbandoned(path: string): void {
  const text = textOf(path);
  if (isHeld(text, path)) throw new LockedError(text);
  const aside = `${path}.${process.pid}`;
  try {
    fs.renameSync(path, aside);
    const moved = textOf(aside);
    // Restores the lock file of another process, which was created after the check and renamed by mistake.
    if (moved !== text && isHeld(moved, aside)) {
      fs.linkSync(aside, path);
      throw new LockedError(moved);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  } finally {
    fs.rmSync(aside, { force: true });
  }
}

function textOf(path: string): string {
  try {
    return fs.readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}

function read(text: string) {
  const [number = "", startTicks, namespace] = text.trim().split(" ");
  const id = Number.parseInt(number, 10);
  return { id: id > 0 ? id : undefined, startTicks, namespace };
}

function isHeld(text: string, path: string): boolean {
  const { id, startTicks, namespace } = read(text);
  if (id === undefined) return false;
  if (namespace !== undefined && namespace !== processNamespace()) return isStillUpdated(path);
  if (!isAlive(id)) return false;
  // A different start time means that the id was reused for another process.
  if (startTicks === undefined || startTicksOf(id) === startTicks) return true;
  // If /proc belongs to another namespace, only the updates show whether the process is alive.
  return startTicksOf(process.pid) === startTicksOf("self") ? false : isStillUpdated(path);
}

function isStillUpdated(path: string): boolean {
  const timeOf = () => fs.statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.NaN;
  const first = timeOf();
  // Another machine, whose clock may differ, set the modification time, so the age of the file alone is not sufficient.
  const age = Math.max(0, Date.now() - first);
  const end = Date.now() + Math.max(expiryMs - age, 2 * updateIntervalMs);
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  while (Date.now() < end) {
    Atomics.wait(sleeper, 0, 0, 100);
    const now = timeOf();
    if (Number.isNaN(now)) return false;
    if (now !== first) return true;
  }
  return false;
}

function isAlive(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    // Any other error means that the process exists but belongs to another user.
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

function ownContent(): string {
  const parts = [process.pid, startTicksOf("self"), processNamespace()];
  return `${parts.filter((part) => part !== undefined).join(" ")}\n`;
}

/** Clock ticks between the boot and the start of a process. */
function startTicksOf(id: number | "self"): string | undefined {
  try {
    const stat = fs.readFileSync(`/proc/${id}/stat`, "utf8");
    // The program's name is in parentheses and can contain anything. The 20th field after it is the start time.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}

/** The process id namespace, which differs between containers, and the boot id of the machine. */
function processNamespace(): string | undefined {
  try {
    const boot = fs.readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${fs.readlinkSync("/proc/self/ns/pid")}@${boot}`;
  } catch {
    return undefined;
  }
}
