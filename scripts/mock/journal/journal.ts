/**
 * A file of everything that was accepted, one line each, from which the same state comes about again: the mock is deterministic.
 * A line is written whole before the call is answered, so that a process that is killed loses at most calls without an answer.
 */
import { closeSync, existsSync, ftruncateSync, openSync, readFileSync, statSync, writeSync } from "node:fs";
import { crc32 } from "node:zlib";
import { LockedError, lock } from "./lock.ts";

/** An entry: plain data. */
export type JournalEntry = Readonly<Record<string, unknown>>;

/** What stands in the first line. A journal of another one tells another story. */
export interface JournalHeader {
  /** The form of the lines. */
  readonly format: 1;
  /** What the state depends on besides the entries, such as the seed and the plan. */
  readonly basis: string;
}

/** A file that cannot be taken for a journal, and what to do. */
export class JournalError extends Error {
  override readonly name = "JournalError";
}

export interface OpenedJournal {
  readonly journal: Journal;
  readonly entries: readonly JournalEntry[];
  /** Bytes at the end that were damaged and are cut off; 0 where there were none. */
  readonly cutBytes: number;
}

export class Journal {
  readonly #file: string;
  readonly #descriptor: number;
  readonly #unlock: () => void;
  /** Where the next line begins. */
  #length: number;

  /** @param kept the descriptor of the file, the bytes of it that are kept, and what is called when it is closed. */
  constructor(file: string, kept: { descriptor: number; length: number; unlock: () => void }) {
    this.#file = file;
    this.#descriptor = kept.descriptor;
    this.#length = kept.length;
    this.#unlock = kept.unlock;
  }

  /**
   * Adds an entry. When it cannot be written whole, nothing of it is left.
   *
   * @throws {JournalError} when it cannot be written, such as on a full disk.
   */
  append(entry: JournalEntry): void {
    const bytes = Buffer.from(lineOf(entry));
    try {
      for (let written = 0; written < bytes.length; ) {
        written += writeSync(this.#descriptor, bytes, written, bytes.length - written, this.#length + written);
      }
    } catch (error) {
      this.#cutOff();
      throw new JournalError(`${this.#file} cannot be written: ${(error as Error).message}`);
    }
    this.#length += bytes.length;
  }

  /** What is left of a line that was not written whole would be overwritten by the next one, if it cannot be cut off. */
  #cutOff(): void {
    try {
      ftruncateSync(this.#descriptor, this.#length);
    } catch {
      // The reason that is told is that of the writing.
    }
  }

  /** Removes every entry. */
  clear(header: JournalHeader): void {
    ftruncateSync(this.#descriptor, 0);
    this.#length = 0;
    this.append({ ...header });
  }

  /** Leaves the file to others. */
  close(): void {
    closeSync(this.#descriptor);
    this.#unlock();
  }
}

/**
 * Opens a journal, or begins one.
 *
 * A line that is damaged is cut off with what follows it, where nothing that is whole follows: the process was ended while it
 * wrote. The caller tells it.
 *
 * @param file its path.
 * @throws {JournalError} when another mock has it open, or when the file is no journal, one with another basis, or one that is
 *   damaged in its middle. It is left as it is then.
 */
export function openJournal(file: string, header: JournalHeader): OpenedJournal {
  const unlock = lockFile(file);
  try {
    return openLocked(file, header, unlock);
  } catch (error) {
    unlock();
    throw explain(file, error);
  }
}

function openLocked(file: string, header: JournalHeader, unlock: () => void): OpenedJournal {
  const bytes = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
  const { entries, length } = readLines(file, bytes);
  const [first, ...rest] = entries;
  if (first === undefined && length < bytes.length && !couldBeStart(bytes)) {
    throw new JournalError(`${file} is no journal of the mock. Give another file; this one is left as it is.`);
  }
  if (first !== undefined && (first.format !== header.format || first.basis !== header.basis)) {
    throw new JournalError(
      `${file} was written by another version of the mock, or with another choice of --seed or --scenario, so that it tells another story. Give another file, or remove this one to begin anew.`,
    );
  }
  const descriptor = openSync(file, existsSync(file) ? "r+" : "w+", 0o600);
  try {
    ftruncateSync(descriptor, length);
    const journal = new Journal(file, { descriptor, length, unlock });
    if (first === undefined) journal.append({ ...header });
    return { journal, entries: rest, cutBytes: bytes.length - length };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** @throws {JournalError} when another mock has it, or it cannot be a file. */
function lockFile(file: string): () => void {
  try {
    // Reading a device may never end.
    if (existsSync(file) && !statSync(file).isFile()) {
      throw new JournalError(`${file} is no file. Give the path of one with --state.`);
    }
    return lock(file);
  } catch (error) {
    if (!(error instanceof LockedError)) throw explain(file, error);
    const { holder } = error;
    const advice =
      holder === process.pid
        ? "another mock of this process. Close it"
        : `${holder === undefined ? "another process" : `process ${holder}`}. Stop it`;
    throw new JournalError(`${file} is in use by ${advice}, or give another file.`);
  }
}

/** What the file system refuses, as a sentence. */
function explain(file: string, error: unknown): unknown {
  if (error instanceof JournalError || (error as NodeJS.ErrnoException).syscall === undefined) return error;
  return new JournalError(`${file} cannot be written: ${(error as Error).message}`);
}

/** A line is the checksum of its text in eight hexadecimal digits, a blank, and the text. */
function lineOf(entry: JournalEntry): string {
  const text = JSON.stringify(entry);
  return `${checksumOf(text)} ${text}\n`;
}

function checksumOf(text: string): string {
  return crc32(text).toString(16).padStart(8, "0");
}

/** The lines from the start on that are whole, and how many bytes they are. */
function readLines(file: string, bytes: Buffer): { entries: JournalEntry[]; length: number } {
  const entries: JournalEntry[] = [];
  let length = 0;
  while (length < bytes.length) {
    const end = bytes.indexOf("\n", length);
    const entry = end < 0 ? undefined : parseLine(bytes.toString("utf8", length, end));
    if (entry === undefined) {
      if (end >= 0) assertNothingFollows(file, bytes, end + 1, entries.length + 1);
      return { entries, length };
    }
    entries.push(entry);
    length = end + 1;
  }
  return { entries, length };
}

function parseLine(line: string): JournalEntry | undefined {
  const text = line.slice(9);
  if (line[8] !== " " || line.slice(0, 8) !== checksumOf(text)) return undefined;
  return JSON.parse(text) as JournalEntry;
}

/** @throws {JournalError} when a whole line follows a damaged one: what is between them is lost, and only a person can decide. */
function assertNothingFollows(file: string, bytes: Buffer, from: number, line: number): void {
  const rest = bytes.toString("utf8", from).split("\n");
  if (rest.every((text) => parseLine(text) === undefined)) return;
  throw new JournalError(
    `${file} is damaged in line ${line}, and whole lines follow it. Remove that line to go on without it, or give another file; this one is left as it is.`,
  );
}

/** Whether bytes can be a first line that was not written to its end. */
function couldBeStart(bytes: Buffer): boolean {
  return bytes.length < 9 || /^[0-9a-f]{8} $/.test(bytes.toString("latin1", 0, 9));
}
