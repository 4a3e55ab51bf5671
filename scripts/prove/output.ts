import { escapeControls } from "../base/index.ts";

export interface Secret {
  readonly name: string;
  readonly text: string;
  /** Whether the secret may be stored in the program's state. */
  readonly mayBeKept: boolean;
}

const maxLineLength = 4096;
const tailLength = 2048;
/** Maximum number of rows that can be reported as unclear, and of rows that can be reported as failed. Further reports are ignored. */
const maxReportedRows = 10_000;

export class Output {
  readonly unclearReferences = new Set<string>();
  readonly failedReferences = new Set<string>();
  readonly leaks: Set<string>;
  readonly #secrets: readonly Secret[];
  readonly #overlapLength: number;
  #lastTexts = { stdout: "", stderr: "" };
  #line = "";
  #tail = "";

  constructor(secrets: readonly Secret[], leaks = new Set<string>()) {
    this.#secrets = secrets;
    this.leaks = leaks;
    this.#overlapLength = Math.max(0, ...secrets.map(({ text }) => 2 * text.length));
  }

  readonly add = (text: string, stream: "stdout" | "stderr"): void => {
    const joinedText = this.#lastTexts[stream] + text;
    for (const { name } of secretsIn(joinedText, this.#secrets)) this.leaks.add(name);
    this.#lastTexts[stream] = joinedText.slice(-this.#overlapLength);
    this.#tail = (this.#tail + text).slice(-tailLength);
    if (stream === "stdout") this.#readLines(text);
  };

  /** Makes a separate output for a run whose reported rows do not count. Secrets that the run prints are added to the same {@link leaks}. */
  withoutReportedRows(): Output {
    return new Output(this.#secrets, this.leaks);
  }

  /** The last line with an error message; without one, the last lines that are not empty. Secrets are replaced by their names. */
  lastLines(maxLines: number): readonly string[] {
    // If the beginning of the output was cut off, the first line is dropped, because it could begin with a part of a secret.
    const wholeLines = this.#tail.length < tailLength ? this.#tail : this.#tail.replace(/^.*(\n|$)/, "");
    const maskedText = this.#secrets.reduce(
      (text, secret) => formsOf(secret).reduce((result, form) => result.replaceAll(form, `[${secret.name}]`), text),
      wholeLines,
    );
    const lines = maskedText.split("\n").map((line) => escapeControls(line.trim()).slice(0, 200));
    const nonEmptyLines = lines.filter((line) => line !== "");
    const errorIndex = nonEmptyLines.findLastIndex((line) => /^[\w.]*(Error|Exception)\b/.test(line));
    return errorIndex < 0 ? nonEmptyLines.slice(-maxLines) : nonEmptyLines.slice(errorIndex, errorIndex + 1);
  }

  /** Must be called at the end of the output, because the last line may have no newline. */
  end(): void {
    this.#readLines("\n");
  }

  #readLines(text: string): void {
    const lines = (this.#line + text).split("\n");
    this.#line = (lines.pop() ?? "").slice(0, maxLineLength);
    for (const line of lines) {
      const [, word, reference = ""] = /^\s*(unclear|failed)\s+(\S{1,200})\s*$/.exec(line) ?? [];
      const references =
        word === "unclear" ? this.unclearReferences : word === "failed" ? this.failedReferences : undefined;
      if (references !== undefined && references.size < maxReportedRows) references.add(reference);
    }
  }
}

export function secretsIn(text: string, secrets: readonly Secret[]): readonly Secret[] {
  return secrets.filter((secret) => formsOf(secret).some((form) => text.includes(form)));
}

/** The printed forms of a secret: its text, and its text in groups of four characters, as for an IBAN or a card number. */
function formsOf({ text }: Secret): readonly string[] {
  return [text, text.replace(/(.{4})(?=.)/g, "$1 ")];
}
