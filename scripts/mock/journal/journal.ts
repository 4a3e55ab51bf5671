/**
 * A file of everything that was accepted, one line each, from which the same state comes about again: the mock is deterministic.
 * A line is written whole before the call is answered, so that a process that is killed loses at most calls without an answer.
 */
import { closeSync, existsSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import { crc32 } from "node:zlib";

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
  /** Where the next line begins. */
  #length: number;

  /** @param length the bytes that are kept. */
  constructor(file: string, descriptor: number, length: number) {
    this.#file = file;
    this.#descriptor = descriptor;
    this.#length = length;
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
      ftruncateSync(this.#descriptor, this.#length);
      throw new JournalError(`${this.#file} cannot be written: ${(error as Error).message}`);
    }
    this.#length += bytes.length;
  }

  /** Removes every entry. */
  clear(header: JournalHeader): void {
    ftruncateSync(this.#descriptor, 0);
    this.#length = 0;
    this.append({ ...header });
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/**
 * Opens a journal, or begins one.
 *
 * A line that is damaged is cut off with what follows it, where nothing that is whole follows: the process was ended while it
 * wrote. The caller tells it.
 *
 * @param file its path.
 * @throws {JournalError} when the file is no journal, one with another basis, or one that is damaged in its middle. It is
 *   left as it is then.
 */
export function openJournal(file: string, header: JournalHeader): OpenedJournal {
  const bytes = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
  const { entries, length } = readLines(file, bytes);
  const [first, ...rest] = entries;
  if (first === undefined && length < bytes.length && !couldBeStart(bytes)) {
    throw new JournalError(`${file} is no journal of the mock. Give another file; this one is left as it is.`);
  }
  if (first !== undefined && (first.format !== header.format || first.basis !== header.basis)) {
    throw new JournalError(
      `${file} was written by another version of the mock or with another --seed, so that it tells another story. Give another file, or remove this one to begin anew.`,
    );
  }
  let descriptor: number;
  try {
    descriptor = openSync(file, existsSync(file) ? "r+" : "w+", 0o600);
  } catch (error) {
    throw new JournalError(`${file} cannot be written: ${(error as Error).message}`);
  }
  ftruncateSync(descriptor, length);
  const journal = new Journal(file, descriptor, length);
  if (first === undefined) journal.append({ ...header });
  return { journal, entries: rest, cutBytes: bytes.length - length };
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
