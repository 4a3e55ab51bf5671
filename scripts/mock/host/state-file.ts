/** One JSON file holds all changed worlds. It is replaced as a whole shortly after each change, and when the mock is closed. */
import * as fs from "node:fs";
import { hostname } from "node:os";
import type { SavedWorld } from "../tenants/tenant.ts";

/** The state file cannot be read or written, is in use, or does not match this version of the mock. The message names the file. */
export class StateFileError extends Error {
  override readonly name = "StateFileError";
}

const fileHeader = { mock: "state", format: 4 } as const;
/** Milliseconds between a change and the writing of the file: the changes of many calls are written together. */
const delayMs = 200;

export class StateFile {
  readonly #path: string;
  readonly #listWorlds: () => Iterable<SavedWorld>;
  readonly #onNote: ((note: string) => void) | undefined;
  readonly #unlock: () => void;
  #timer: NodeJS.Timeout | undefined;

  /** @throws {StateFileError} when another mock uses the file, or the file cannot be locked. */
  constructor(path: string, listWorlds: () => Iterable<SavedWorld>, onNote?: (note: string) => void) {
    this.#path = fs.existsSync(path) ? fs.realpathSync(path) : path;
    this.#listWorlds = listWorlds;
    this.#onNote = onNote;
    this.#unlock = lock(this.#path);
  }

  /**
   * Creates the file if there is none.
   *
   * @param load called with each world; throws if the world does not match this mock.
   * @throws {StateFileError} when the file cannot be used. The file is then left unchanged.
   */
  read(load: (world: SavedWorld) => void): void {
    if (!fs.existsSync(this.#path)) {
      this.save();
      return;
    }
    try {
      parseWorlds(fs.readFileSync(this.#path, "utf8")).forEach(load);
    } catch (error) {
      throw new StateFileError(
        `${this.#path} cannot be continued: ${(error as Error).message}. Give another file; this one is left as it is.`,
      );
    }
  }

  readonly scheduleSave = (): void => {
    this.#timer ??= setTimeout(() => {
      try {
        this.save();
      } catch (error) {
        this.#onNote?.((error as Error).message);
      }
    }, delayMs).unref();
  };

  /** Writes a new file and renames it, so that the state file is never incomplete. @throws {StateFileError} when it cannot be written. */
  save(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const newPath = `${this.#path}.new`;
    try {
      fs.rmSync(newPath, { force: true });
      const text = JSON.stringify({ ...fileHeader, worlds: [...this.#listWorlds()] });
      fs.writeFileSync(newPath, text, { flag: "wx", mode: 0o600 });
      fs.renameSync(newPath, this.#path);
    } catch (error) {
      throw new StateFileError(`${this.#path} cannot be written: ${(error as Error).message}.`);
    }
  }

  /** Another mock can then use the file. */
  close(): void {
    clearTimeout(this.#timer);
    this.#unlock();
  }
}

function parseWorlds(text: string): readonly SavedWorld[] {
  let content: { readonly mock?: unknown; readonly format?: unknown; readonly worlds?: readonly SavedWorld[] } | null;
  try {
    content = JSON.parse(text);
  } catch {
    throw new Error("it is damaged, or no state of a mock");
  }
  if (content?.mock !== fileHeader.mock || !Array.isArray(content.worlds)) throw new Error("it is no state of a mock");
  if (content.format !== fileHeader.format) throw new Error("it is of another version of the mock");
  return content.worlds;
}

/** Lock files that mocks of this process hold. */
const lockedFiles = new Set<string>();

/** @returns a function that unlocks the file. @throws {StateFileError} if the file is in use or cannot be locked. */
function lock(path: string): () => void {
  const file = `${path}.lock`;
  if (lockedFiles.has(file))
    throw new StateFileError(`${path} is in use by another mock of this process. Give another file.`);
  try {
    if (!createLock(file)) takeOver(path, file);
  } catch (error) {
    throw error instanceof StateFileError ? error : new StateFileError(`${path}: ${(error as Error).message}.`);
  }
  lockedFiles.add(file);
  return () => {
    lockedFiles.delete(file);
    fs.rmSync(file, { force: true });
  };
}

/** @returns false when the lock file already exists. */
function createLock(file: string): boolean {
  try {
    fs.writeFileSync(file, `${process.pid} ${hostname()}\n`, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Replaces the lock of a killed mock. A folder beside it keeps other processes out. @throws {StateFileError} if the file may be in use. */
function takeOver(path: string, file: string): void {
  const takeoverFolder = `${file}.taken`;
  const inUseError = (holder: string) =>
    new StateFileError(
      `${path} is in use by ${holder}. Stop it, or give another file. If no mock runs there, remove ${file}.`,
    );
  try {
    fs.mkdirSync(takeoverFolder);
  } catch {
    throw inUseError("a mock that is starting");
  }
  try {
    const [pid = "", host = ""] = fs.existsSync(file) ? fs.readFileSync(file, "utf8").trim().split(" ") : [];
    if (host !== "" && host !== hostname()) throw inUseError(`process ${pid} on ${host}`);
    if (isRunning(Number(pid))) throw inUseError(`process ${pid}`);
    fs.rmSync(file, { force: true });
    if (!createLock(file)) throw inUseError("a mock that is starting");
  } finally {
    fs.rmdirSync(takeoverFolder);
  }
}

/** The id of this process counts as not running: a restarted container reuses process ids. */
function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
