import { once } from "node:events";
import { writeFileSync } from "node:fs";
import type { Writable } from "node:stream";
import { escapeControls } from "../../base/index.ts";
import { ArgumentError } from "./arguments.ts";

const maxBufferedCharacters = 1024 * 1024;

/**
 * Prints the lines of a command that keeps running, with control characters escaped. All lines of one turn of the event loop are written
 * together. While more than `maxCharacters` characters are buffered, lines are dropped, because a reader that stalls must not fill the
 * memory. The next write tells how many were dropped. Write errors are ignored.
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
 * Prints the texts of a command that ends by itself, with control characters escaped. Nothing is dropped: the process ends when the reader
 * has taken everything.
 */
export function textPrinter(stream: Writable): (text: string) => void {
  return (text) => void stream.write(`${text.split("\n").map(escapeControls).join("\n")}\n`);
}

/**
 * Prints lines whose loss would matter, with control characters escaped. The promise resolves when the reader can take more: a caller that
 * waits does not fill the memory. Write errors are ignored.
 */
export function waitingPrinter(stream: Writable): (line: string) => Promise<void> {
  ignoreErrors(stream);
  return async (line) => {
    if (stream.write(`${escapeControls(line)}\n`)) return;
    // A closed pipe emits no `drain`.
    const events = new AbortController();
    await Promise.race(["drain", "close"].map((name) => once(stream, name, { signal: events.signal }))).catch(() => {});
    events.abort();
  };
}

/**
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

/** The process continues after the reader has closed the pipe of stdout or stderr. */
export function ignoreWriteErrors(): void {
  for (const stream of [process.stdout, process.stderr]) ignoreErrors(stream);
}

/** A reader such as `head` may close the pipe of stdout or stderr. Other write errors, such as a full disk, are still thrown. */
export function ignoreClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  }
}

function doNothing(): void {}

/** Removes the listener first, so that repeated calls add only one. */
function ignoreErrors(stream: Writable): void {
  stream.off("error", doNothing).on("error", doNothing);
}
