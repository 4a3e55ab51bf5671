/** Printing that never blocks or ends the process, even when the terminal stalls or closes. */
import type { Writable } from "node:stream";
import { escapeControls } from "../../contract/messages/index.ts";

const maxBufferedCharacters = 1024 * 1024;

/** Prints the lines of one turn of the event loop in one write, and drops lines while more than `most` characters are buffered. */
export function linePrinter(stream: Writable, most: number = maxBufferedCharacters): (line: string) => void {
  let lines: string[] = [];
  let size = 0;
  let dropped = 0;
  ignoreErrors(stream);
  const flush = (): void => {
    if (dropped > 0) lines.unshift(`(${dropped} lines were dropped, because the output was not read)`);
    stream.write(`${lines.join("\n")}\n`);
    lines = [];
    size = 0;
    dropped = 0;
  };
  return (line) => {
    if (stream.writableLength + size > most) {
      dropped += 1;
      return;
    }
    if (lines.length === 0) setImmediate(flush);
    lines.push(escapeControls(line));
    size += line.length;
  };
}

export function textPrinter(stream: Writable): (text: string) => void {
  const print = linePrinter(stream);
  return (text) => text.split("\n").forEach(print);
}

/** Keeps the process alive when the reader of stdout or stderr closes the pipe. */
export function survivePipes(): void {
  for (const stream of [process.stdout, process.stderr]) ignoreErrors(stream);
}

/** Lets a reader such as `head` close the pipe of stdout or stderr. Other failures to write, such as a full disk, stay errors. */
export function ignoreClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  }
}

function ignore(): void {}

/** Removes the listener first, so that repeated calls add only one. */
function ignoreErrors(stream: Writable): void {
  stream.off("error", ignore).on("error", ignore);
}
