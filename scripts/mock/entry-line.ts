/** The line that the terminal shows for a request. */
import type { RequestEntry } from "./server.ts";

/** One line for the request, and one below it for each note. */
export function formatEntry({ method, path, status, code, milliseconds, notes }: RequestEntry): string {
  const codeText = code === undefined ? "" : ` ${code}`;
  const line = `${method} ${path ?? "(no such path)"} → ${status}${codeText} ${milliseconds.toFixed(0)} ms`;
  return [line, ...notes.map((note) => `  ! ${note}`)].join("\n");
}
