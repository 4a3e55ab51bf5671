import { basename, dirname, relative } from "node:path";
import { styleText } from "node:util";
import { getLineColLocation, type NormalizedProblem } from "@redocly/openapi-core";

export interface Finding {
  file: string;
  line: number;
  column: number;
  severity: "error" | "warn";
  rule: string;
  message: string;
}

export function errorsIn(findings: readonly Finding[]): Finding[] {
  return findings.filter(({ severity }) => severity === "error");
}

export function sortFindings(findings: Finding[]): Finding[] {
  const findingByText = new Map(findings.map((finding) => [JSON.stringify(finding), finding]));
  return [...findingByText.values()].sort(
    (a, b) => compare(a.file, b.file) || a.line - b.line || a.column - b.column || compare(a.rule, b.rule),
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** One line for each finding: `file:line:column  error  rule  message`. Paths are relative to the current folder. */
export function formatFindings(findings: Finding[], { isColoured = false } = {}): string {
  const paint = (format: "red" | "yellow" | "dim", text: string) =>
    isColoured ? styleText(format, text, { validateStream: false }) : text;
  return findings
    .map(({ file, line, column, severity, rule, message }) => {
      const position = `${relative(process.cwd(), file)}:${line}:${column}`;
      return `${position}  ${paint(severity === "error" ? "red" : "yellow", severity)}  ${paint("dim", rule)}  ${message}`;
    })
    .join("\n");
}

export function withRemedy(problem: string, remedy: string): string {
  return `${asSentence(problem)} Remedy: ${asSentence(remedy)}`;
}

function asSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** Hints for unknown keys for which Redocly suggests a wrong key or no key. */
const hints: Readonly<Record<string, string>> = {
  ref: "Perhaps `$ref` was meant.",
  nullable:
    'OpenAPI 3.1 expresses this in the type: `type: [string, "null"]`, or a `oneOf` of a `$ref` and `type: "null"`.',
};

/** Makes a message of one line: the problem and the remedy, each as a sentence. */
export function toFinding({ location, ruleId, message, suggest, severity }: NormalizedProblem): Finding {
  const [position] = location;
  if (position === undefined) throw new Error(`Redocly reports no location for: ${message}`);
  const { source, start } = getLineColLocation(position);
  const [problem = "", remedy = ""] = joinLines(message).split(" Remedy: ");
  const [, unexpectedKey = ""] = /^Property `(.*)` is not expected/.exec(problem) ?? [];
  const suggestion = suggest[0] === undefined ? "" : ` Perhaps ${suggest[0]} was meant.`;
  const hint = Object.hasOwn(hints, unexpectedKey) ? ` ${hints[unexpectedKey]}` : suggestion;
  return {
    file: source.absoluteRef,
    line: start.line,
    column: start.col,
    severity: severity === "warn" ? "warn" : "error",
    rule: ruleId,
    message: withRemedy(quoteReference(problem, source.getLines().slice(start.line - 1)) + hint, remedy),
  };
}

function joinLines(message: string): string {
  return message.replace(/\s*\n(- )?/g, " ").replaceAll(`${process.cwd()}/`, "");
}

/**
 * Suggests a path for a missing file: the only file of the contract with the same name and the named part or, of several files, the one in
 * a folder of the same name.
 */
export function withSuggestedPath(
  finding: Finding,
  files: readonly string[],
  hasPart: (file: string, pointer: string) => boolean,
): Finding {
  const [, path = "", pointer = "#"] =
    /^`\$ref: ["']?([^"'#`]+)(#[^"'`\s]*)?.*` points to nothing: there is no file /.exec(finding.message) ?? [];
  const sameName = files.filter((file) => basename(file) === basename(path) && hasPart(file, pointer));
  const sameFolder = sameName.filter((file) => basename(dirname(file)) === basename(dirname(path)));
  const [onlyFile, ...otherFiles] = sameName.length === 1 ? sameName : sameFolder;
  if (onlyFile === undefined || otherFiles.length > 0) return finding;
  const rightPath = relative(dirname(finding.file), onlyFile);
  return { ...finding, message: finding.message.replace(" Remedy: ", ` Perhaps \`${rightPath}\` was meant. Remedy: `) };
}

/** Quotes the unresolved `$ref`. It can be below the reported line, after other keys of its object. */
function quoteReference(problem: string, lines: string[]): string {
  const line = lines.find((text) => /\$ref\b|\.yaml\b/.test(text)) ?? lines[0] ?? "";
  return problem.replace("Can't resolve $ref", () => `\`${line.trim().replace(/^- /, "")}\` points to nothing`);
}

export function findingAtStart(file: string, rule: string, problem: string, remedy: string): Finding {
  return { file, line: 1, column: 1, severity: "error", rule, message: withRemedy(problem, remedy) };
}
