/**
 * The journal: a file of all changes with one line for each call, which is written completely or not at all before the response is sent. A
 * line consists of a checksum of the file up to and including this line, a space, and JSON.
 */
import * as fs from "node:fs";
import { dirname } from "node:path";
import { crc32 } from "node:zlib";
import { UnitNotStored } from "../kernel/changes.ts";
import { LockedError, lock } from "./lock.ts";

export type JournalEntry = Readonly<Record<string, unknown>>;

/** The file is not a journal, or cannot be read or written. The message says what to do. */
export class JournalError extends UnitNotStored {
  override readonly name = "JournalError";
}

export interface JournalOptions {
  readonly onNote?: ((note: string) => void) | undefined;
  readonly fsync?: boolean | undefined;
  readonly most?: number | undefined;
}

const header = { mock: "journal", format: 3 } as const;

const endOfCompaction = { anew: true } as const;

export class Journal {
  readonly #file: string;
  readonly #options: JournalOptions;
  readonly #unlock: () => void;
  #descriptor: number;
  #length = 0;
  #compactedLength = 0;
  #lines = 0;
  #checksum = 0;
  #mayHavePartialLine = false;
  #isFailing = false;
  #compaction: NodeJS.Immediate | undefined;
  contents: (() => Iterable<JournalEntry>) | undefined;

  /** @throws {JournalError} when another mock has the file open, or the file cannot be read and written. */
  constructor(file: string, options: JournalOptions = {}) {
    this.#options = options;
    this.#unlock = lockFile(file);
    try {
      // Uses the target of a symbolic link, since compaction replaces the file.
      this.#file = fs.existsSync(file) ? fs.realpathSync(file) : file;
      if (fs.existsSync(file) && fs.statSync(file).nlink > 1) {
        throw new JournalError(`${file} has another name (a hard link), by which another mock could write to it.`);
      }
      this.#descriptor = fs.openSync(this.#file, fs.existsSync(file) ? "r+" : "w+", 0o600);
    } catch (error) {
      this.#unlock();
      throw explained(file, error);
    }
  }

  /**
   * Reads every line. An incomplete last line belongs to a call that got no response, and is removed.
   *
   * @param load applies an entry, and throws if the entry does not match this mock.
   * @throws {JournalError} with the first line that cannot be read; the file is not changed.
   */
  read(load: (entry: JournalEntry) => void): void {
    const bytes = fs.readFileSync(this.#file);
    if (bytes.length === 0) {
      this.#compact([]);
      return;
    }
    for (let end = bytes.indexOf("\n"); end !== -1; end = bytes.indexOf("\n", this.#length)) {
      this.#readLine(bytes.subarray(this.#length, end), load);
      this.#length = end + 1;
    }
    const rest = bytes.subarray(this.#length);
    // Zeros in the incomplete line mean that the file system lost data in a power failure.
    if (this.#lines === 0 || rest.includes(0)) this.#refuse("is damaged");
    if (rest.length === 0) return;
    fs.ftruncateSync(this.#descriptor, this.#length);
    this.#options.onNote?.(
      `Of the last line of ${this.#file} only ${rest.length} bytes were written, as when the mock is killed before it answers; they are cut off.`,
    );
  }

  #readLine(line: Buffer, load: (entry: JournalEntry) => void): void {
    const text = line.subarray(9);
    const checksum = crc32(text, this.#checksum);
    if (line.toString("latin1", 0, 9) !== `${asHex(checksum)} `)
      this.#refuse("is damaged, or one before it is missing");
    const entry = JSON.parse(text.toString()) as JournalEntry;
    if (this.#lines === 0) {
      if (entry.format !== header.format) this.#refuse("is of another version of the mock");
    } else if (entry.anew === endOfCompaction.anew) this.#compactedLength = this.#length;
    else {
      try {
        load(entry);
      } catch (error) {
        this.#refuse(`does not fit this version of the mock (${(error as Error).message})`);
      }
    }
    this.#lines += 1;
    this.#checksum = checksum;
  }

  #refuse(problem: string): never {
    const number = this.#lines + 1;
    if (number === 1) {
      throw new JournalError(
        `${this.#file} is no journal of this version of the mock: line 1 cannot be read. Give another file; this one is left as it is.`,
      );
    }
    throw new JournalError(
      `${this.#file} cannot be read: line ${number} ${problem}. Put back a copy of the file, use the version of the mock that wrote it, give another file, or remove line ${number} and all after it to go on from what is before; the file is left as it is.`,
    );
  }

  /** Appends an entry, completely or not at all. @throws {JournalError} when it cannot be written, such as on a full disk. */
  append(entry: JournalEntry): void {
    const { bytes, checksum } = lineOf(entry, this.#checksum);
    try {
      this.#assertOurs();
      writeWhole(this.#descriptor, bytes, this.#length);
      if (this.#options.fsync) fs.fdatasyncSync(this.#descriptor);
    } catch (error) {
      throw this.#failed(error);
    }
    this.#isFailing = false;
    this.#length += bytes.length;
    this.#lines += 1;
    this.#checksum = checksum;
    this.#compactLater();
  }

  /** Removes a partial line. @throws when another process has changed or deleted the file. */
  #assertOurs(): void {
    if (this.#mayHavePartialLine) fs.ftruncateSync(this.#descriptor, this.#length);
    this.#mayHavePartialLine = false;
    const { nlink, size } = fs.fstatSync(this.#descriptor);
    if (nlink === 0) throw new Error("it was deleted. Stop the mock");
    if (size !== this.#length) throw new Error("another process has changed it. Stop the mock");
  }

  #failed(error: unknown): JournalError {
    const failure = new JournalError(`${this.#file} cannot be written: ${(error as Error).message}`);
    const isOfSystem = (error as NodeJS.ErrnoException).syscall !== undefined;
    try {
      if (isOfSystem) fs.ftruncateSync(this.#descriptor, this.#length);
    } catch {
      this.#mayHavePartialLine = true;
    }
    const note = `${failure.message}. No call that changes something succeeds until it can be written.`;
    if (!this.#isFailing) this.#options.onNote?.(note);
    this.#isFailing = true;
    return failure;
  }

  /** Compacts the file after the response, when the file has `most` lines or more and has doubled in size since the last compaction. */
  #compactLater(): void {
    const { most = 10_000, onNote } = this.#options;
    if (this.#lines < most || this.#length < 2 * this.#compactedLength || this.contents === undefined) return;
    this.#compaction ??= setImmediate(() => {
      this.#compaction = undefined;
      try {
        this.#assertOurs();
        this.#compact(this.contents?.() ?? []);
      } catch (error) {
        this.#compactedLength = this.#length;
        onNote?.(`${this.#file} cannot be written anew and grows on: ${(error as Error).message}`);
      }
    });
  }

  /** Writes a new file and renames it over the journal, so that a complete file always exists. */
  #compact(entries: Iterable<JournalEntry>): void {
    const path = `${this.#file}.new`;
    const descriptor = fs.openSync(path, "w+", 0o600);
    let [length, lines, checksum] = [0, 0, 0];
    const add = (entry: JournalEntry): void => {
      const line = lineOf(entry, checksum);
      writeWhole(descriptor, line.bytes, length);
      length += line.bytes.length;
      lines += 1;
      checksum = line.checksum;
    };
    try {
      add(header);
      for (const entry of entries) add(entry);
      if (lines > 1) add(endOfCompaction);
      // The new file is flushed before it replaces the old one, whose lines may already be on the disk.
      fs.fsyncSync(descriptor);
      fs.renameSync(path, this.#file);
    } catch (error) {
      fs.closeSync(descriptor);
      fs.rmSync(path);
      throw explained(this.#file, error);
    }
    fs.closeSync(this.#descriptor);
    this.#descriptor = descriptor;
    [this.#length, this.#compactedLength, this.#lines, this.#checksum] = [length, length, lines, checksum];
    if (this.#options.fsync) syncFolder(dirname(this.#file));
  }

  close(): void {
    clearImmediate(this.#compaction);
    fs.closeSync(this.#descriptor);
    this.#unlock();
  }
}

function writeWhole(descriptor: number, bytes: Buffer, at: number): void {
  for (let written = 0; written < bytes.length; ) {
    written += fs.writeSync(descriptor, bytes, written, bytes.length - written, at + written);
  }
}

function lineOf(entry: JournalEntry, before: number): { bytes: Buffer; checksum: number } {
  const text = JSON.stringify(entry);
  const checksum = crc32(text, before);
  return { bytes: Buffer.from(`${asHex(checksum)} ${text}\n`), checksum };
}

function asHex(checksum: number): string {
  return checksum.toString(16).padStart(8, "0");
}

/** Without this flush, a rename in the folder may not survive a power failure. */
function syncFolder(folder: string): void {
  const descriptor = fs.openSync(folder, "r");
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

function lockFile(file: string): () => void {
  try {
    // Reading a device, such as /dev/zero, might not end.
    if (fs.existsSync(file) && !fs.statSync(file).isFile()) {
      throw new JournalError(`${file} is no file. Give the path of one with --state.`);
    }
    return lock(file);
  } catch (error) {
    throw error instanceof LockedError ? new JournalError(`${file} is ${error.message}`) : explained(file, error);
  }
}

function explained(file: string, error: unknown): unknown {
  if ((error as NodeJS.ErrnoException).syscall === undefined) return error;
  return new JournalError(`${file} cannot be written: ${(error as Error).message}`);
}
