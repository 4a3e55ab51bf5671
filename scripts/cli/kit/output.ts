/** Prints without ever holding the mock up or ending it, whatever becomes of the terminal. */
import type { Writable } from "node:stream";
import { escapeControls } from "../../contract/messages/index.ts";

/** Characters that may wait for a reader; lines beyond are counted and not kept. */
const mostWaiting = 1024 * 1024;

/**
 * Makes a function that prints lines to a stream, all of one turn of the event loop at once. A stream that fails (a pipe whose
 * reader is gone) loses them; of one that is not read, lines are left out. What would control a terminal is escaped.
 *
 * @param most characters that may wait for a reader.
 */
export function linePrinter(stream: Writable, most: number = mostWaiting): (line: string) => void {
  let lines: string[] = [];
  let size = 0;
  let leftOut = 0;
  ignoreErrors(stream);
  const flush = (): void => {
    if (leftOut > 0) lines.unshift(`(${leftOut} lines were left out, because the output was not read)`);
    stream.write(`${lines.join("\n")}\n`);
    lines = [];
    size = 0;
    leftOut = 0;
  };
  return (line) => {
    if (stream.writableLength + size > most) {
      leftOut += 1;
      return;
    }
    if (lines.length === 0) setImmediate(flush);
    lines.push(escapeControls(line));
    size += line.length;
  };
}

/** The same for texts of several lines. */
export function linesPrinter(stream: Writable): (text: string) => void {
  const print = linePrinter(stream);
  return (text) => text.split("\n").forEach(print);
}

/** Lets the process live when nobody reads its output or its errors any more. */
export function survivePipes(): void {
  for (const stream of [process.stdout, process.stderr]) ignoreErrors(stream);
}

function ignore(): void {}

/** However often it is called, one listener stays. */
function ignoreErrors(stream: Writable): void {
  stream.off("error", ignore).on("error", ignore);
}
