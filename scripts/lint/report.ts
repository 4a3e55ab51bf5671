/** What the linter finds, and how it is printed. */
import { relative } from "node:path";
import { styleText } from "node:util";

export interface Finding {
  /** Absolute path. */
  file: string;
  line: number;
  column: number;
  /** Every finding is an error: what nobody has to mend is no finding. */
  severity: "error";
  rule: string;
  /** What is wrong, and what to do about it. */
  message: string;
}

/** Findings in the order of a reader, each once. */
export function sortFindings(findings: Finding[]): Finding[] {
  const unique = new Map(findings.map((finding) => [JSON.stringify(finding), finding]));
  return [...unique.values()].sort(
    (a, b) => compare(a.file, b.file) || a.line - b.line || a.column - b.column || compare(a.rule, b.rule),
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * One line for each finding: `file:line:column  error  rule  message`.
 *
 * @param options.folder what the paths are relative to; the current folder by default.
 * @param options.colour whether to colour the lines, for a terminal.
 */
export function formatFindings(findings: Finding[], options: { folder?: string; colour?: boolean } = {}): string {
  const { folder = process.cwd(), colour = false } = options;
  const paint = (format: "red" | "dim", text: string) =>
    colour ? styleText(format, text, { validateStream: false }) : text;
  return findings
    .map(({ file, line, column, severity, rule, message }) => {
      const place = `${relative(folder, file)}:${line}:${column}`;
      return `${place}  ${paint("red", severity)}  ${paint("dim", rule)}  ${message}`;
    })
    .join("\n");
}

/** The message of a finding: the problem, then the remedy, each a sentence. */
export function withRemedy(problem: string, remedy: string): string {
  return `${asSentence(problem)} Remedy: ${asSentence(remedy)}`;
}

function asSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
