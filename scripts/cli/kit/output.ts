/** Helpers for output, also to a pipe whose reader stalls or closes it. */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import type { Writable } from "node:stream";
import { escapeControls } from "../../contract/messages/index.ts";
import { ArgumentError } from "./arguments.ts";

const maxBufferedCharacters = 1024 * 1024;

/**
 * Makes the function with which a command that keeps running prints a line, with its control characters escaped. All lines of one turn of
 * the event loop are written together. While more than `maxCharacters` characters are buffered, lines are dropped, so that a reader that
 * stalls does not fill the memory; the next write says how many. Write errors are ignored.
 */
export function linePrinter(stream: Writable, maxCharacters: number = maxBufferedCharacters): (line: string) => void {
  let lines: string[] = [];
  let size = 0;
  let droppedCount = 0;
  ignoreErrors(stream);
  const flush = (): void => {
    if (droppedCount > 0) lines.unshift(`(${droppedCount} lines were dropped, because the output was not read)`);
    stream.write(`${lines.join("\n")}\n`);
    lines = [];
    size = 0;
    droppedCount = 0;
  };
  return (line) => {
    if (stream.writableLength + size > maxCharacters) {
      droppedCount += 1;
      return;
    }
    if (lines.length === 0) setImmediate(flush);
    lines.push(escapeControls(line));
    size += line.length;
  };
}

/**
 * Makes the function with which a command that ends by itself prints a text, with the control characters of each line escaped. Nothing is
 * dropped: the process ends when the reader has taken everything.
 */
export function textPrinter(stream: Writable): (text: string) => void {
  return (text) => void stream.write(`${text.split("\n").map(escapeControls).join("\n")}\n`);
}

/**
 * Makes the function with which a command that keeps running prints a line whose loss would matter, with its control characters escaped. Its
 * promise resolves when the reader can take more, so that the caller does not fill the memory. Write errors are ignored.
 */
export function waitingPrinter(stream: Writable): (line: string) => Promise<void> {
  ignoreErrors(stream);
  return async (line) => {
    if (stream.write(`${escapeControls(line)}\n`)) return;
    // A closed pipe has no `drain`.
    const events = new AbortController();
    await Promise.race(["drain", "close"].map((name) => once(stream, name, { signal: events.signal }))).catch(() => {});
    events.abort();
  };
}

/**
 * Writes a file that the command line names.
 *
 * @param remark the end of the error message, such as `: the report is above`.
 * @throws {ArgumentError} when the file cannot be written.
 */
export function writeNamedFile(file: string, text: string, remark = ""): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new ArgumentError(`${file} cannot be written (${(error as NodeJS.ErrnoException).code})${remark}.`);
  }
}

/** Ignores all errors of writing to stdout or stderr, so that the process continues after the reader has closed the pipe. */
export function ignoreWriteErrors(): void {
  for (const stream of [process.stdout, process.stderr]) ignoreErrors(stream);
}

/** Ignores that a reader such as `head` has closed the pipe of stdout or stderr. Other write errors, such as a full disk, are still thrown. */
export function ignoreClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  }
}

function doNothing(): void {}

/** Ignores the errors of a stream. The listener is removed first, so that repeated calls add only one. */
function ignoreErrors(stream: Writable): void {
  stream.off("error", doNothing).on("error", doNothing);
}
