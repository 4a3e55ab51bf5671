/** Reads the output of the partner's program: its statements about payments, its last lines, and secrets printed in plain text. */

import { escapeControls } from "../contract/messages/index.ts";

/** A value that must not appear in the program's output or state. */
export interface Secret {
  readonly name: string;
  readonly text: string;
  /** Whether the secret may be stored in the program's state. */
  readonly mayBeKept: boolean;
}

const longestLine = 4096;
const tailLength = 2048;
/** Maximum number of statements about payments; further output is ignored. */
const mostStatements = 10_000;

export class Output {
  /** References of payments that the program calls `unclear` or `failed`. */
  readonly unclear = new Set<string>();
  readonly failed = new Set<string>();
  readonly leaks: Set<string>;
  readonly #secrets: readonly Secret[];
  readonly #overlap: number;
  #ends = { stdout: "", stderr: "" };
  #line = "";
  #tail = "";

  constructor(secrets: readonly Secret[], leaks = new Set<string>()) {
    this.#secrets = secrets;
    this.leaks = leaks;
    this.#overlap = Math.max(0, ...secrets.map(({ text }) => 2 * text.length));
  }

  /** Adds a chunk of output. Only a few kilobytes are kept. */
  readonly add = (text: string, stream: "stdout" | "stderr"): void => {
    const joined = this.#ends[stream] + text;
    for (const { name } of secretsIn(joined, this.#secrets)) this.leaks.add(name);
    this.#ends[stream] = joined.slice(-this.#overlap);
    this.#tail = (this.#tail + text).slice(-tailLength);
    if (stream === "stdout") this.#readLines(text);
  };

  /** Makes an output for a further run: its statements about payments do not count, but the secrets that it prints do. */
  withoutStatements(): Output {
    return new Output(this.#secrets, this.leaks);
  }

  /** The last lines, without secrets and control characters. @param most maximum number of lines. */
  lastLines(most: number): readonly string[] {
    this.#readLines("\n");
    // Drops the first line if its beginning was cut off, since it could contain half of a secret.
    const whole = this.#tail.length < tailLength ? this.#tail : this.#tail.slice(this.#tail.indexOf("\n") + 1);
    const safe = this.#secrets.reduce((text, { name, text: secret }) => text.replaceAll(secret, `[${name}]`), whole);
    const lines = safe.split("\n").map((line) => escapeControls(line.trim()).slice(0, 200));
    const said = lines.filter((line) => line !== "");
    // If an error was printed, shows its message instead of the stack.
    const error = said.findLastIndex((line) => /^[\w.]*(Error|Exception)\b/.test(line));
    return error < 0 ? said.slice(-most) : said.slice(error, error + 1);
  }

  /** Must be called at the end of the output: reads a last line that has no newline. */
  end(): void {
    this.#readLines("\n");
  }

  #readLines(text: string): void {
    const lines = (this.#line + text).split("\n");
    this.#line = (lines.pop() ?? "").slice(0, longestLine);
    for (const line of lines) {
      const [, word, reference = ""] = /^\s*(unclear|failed)\s+(\S{1,200})\s*$/.exec(line) ?? [];
      const statements = word === "unclear" ? this.unclear : word === "failed" ? this.failed : undefined;
      if (statements !== undefined && statements.size < mostStatements) statements.add(reference);
    }
  }
}

/** The secrets that a text contains, including secrets written with a space after every four characters. */
export function secretsIn(text: string, secrets: readonly Secret[]): readonly Secret[] {
  return secrets.filter(({ text: secret }) => {
    const grouped = secret.replace(/(.{4})(?=.)/g, "$1 ");
    return text.includes(secret) || text.includes(grouped);
  });
}
