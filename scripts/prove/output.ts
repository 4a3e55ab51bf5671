import { escapeControls } from "../contract/messages/index.ts";

export interface Secret {
  readonly name: string;
  readonly text: string;
  /** Whether the secret may be stored in the program's state. */
  readonly mayBeKept: boolean;
}

const maxLine = 4096;
const tailLength = 2048;
/** Maximum number of rows reported as unclear, and of rows reported as failed; reports of further rows are ignored. */
const maxStatements = 10_000;

export class Output {
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

  readonly add = (text: string, stream: "stdout" | "stderr"): void => {
    const joined = this.#ends[stream] + text;
    for (const { name } of secretsIn(joined, this.#secrets)) this.leaks.add(name);
    this.#ends[stream] = joined.slice(-this.#overlap);
    this.#tail = (this.#tail + text).slice(-tailLength);
    if (stream === "stdout") this.#readLines(text);
  };

  /** The returned output ignores reported rows, and adds printed secrets to {@link leaks} of this output. */
  withoutStatements(): Output {
    return new Output(this.#secrets, this.leaks);
  }

  /** The last lines that are not empty, or only the last line with an error message. Secrets are replaced by their names. */
  lastLines(most: number): readonly string[] {
    this.#readLines("\n");
    // If the beginning of the first line was cut off, the line could begin with half a secret, so it is dropped.
    const whole = this.#tail.length < tailLength ? this.#tail : this.#tail.slice(this.#tail.indexOf("\n") + 1);
    const safe = this.#secrets.reduce(
      (text, secret) => formsOf(secret).reduce((masked, form) => masked.replaceAll(form, `[${secret.name}]`), text),
      whole,
    );
    const lines = safe.split("\n").map((line) => escapeControls(line.trim()).slice(0, 200));
    const said = lines.filter((line) => line !== "");
    const error = said.findLastIndex((line) => /^[\w.]*(Error|Exception)\b/.test(line));
    return error < 0 ? said.slice(-most) : said.slice(error, error + 1);
  }

  /** Must be called at the end of the output, because the last line may have no newline. */
  end(): void {
    this.#readLines("\n");
  }

  #readLines(text: string): void {
    const lines = (this.#line + text).split("\n");
    this.#line = (lines.pop() ?? "").slice(0, maxLine);
    for (const line of lines) {
      const [, word, reference = ""] = /^\s*(unclear|failed)\s+(\S{1,200})\s*$/.exec(line) ?? [];
      const statements = word === "unclear" ? this.unclear : word === "failed" ? this.failed : undefined;
      if (statements !== undefined && statements.size < maxStatements) statements.add(reference);
    }
  }
}

export function secretsIn(text: string, secrets: readonly Secret[]): readonly Secret[] {
  return secrets.filter((secret) => formsOf(secret).some((form) => text.includes(form)));
}

/** The text of a secret, and its text with a space after every four characters, as an IBAN or a card number is printed. */
function formsOf({ text }: Secret): readonly string[] {
  return [text, text.replace(/(.{4})(?=.)/g, "$1 ")];
}
