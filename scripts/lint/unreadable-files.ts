/** Findings of files that are missing, empty or not valid YAML. */
import { YamlParseError } from "@redocly/openapi-core";
import type { Sources, UnreadableFile } from "../contract/sources/index.ts";
import { type Finding, findingAtStart, withRemedy } from "./findings.ts";

export function unreadableFinding({ file, error }: UnreadableFile, sources: Sources): Finding {
  if (error instanceof YamlParseError) {
    // The parser reports no line if a file contains two documents.
    if (Number.isNaN(error.line)) {
      const earlierDocuments = sources.text(file).split(/^---/m);
      const line = earlierDocuments
        .slice(0, earlierDocuments[0]?.trim() === "" ? 2 : 1)
        .join("---")
        .split("\n").length;
      const remedy = "Remove the line `---`, or put the second document into a separate file";
      return { ...findingAtStart(file, "yaml-syntax", "The file contains a second YAML document", remedy), line };
    }
    const lines = sources.text(file).split("\n");
    const line = lines[error.line - 1] ?? "";
    const problem = `This is not valid YAML: ${error.message.replace(/ in ".*$| \(\d+:\d+\)$/, "")}${repeatedKey(error, lines)}`;
    const remedy = /^[\s-]*[\w$-]+: +[^\s"'|>[{#].*:(\s|$)/.test(line)
      ? "Put a text that contains a colon and a space in quotes"
      : "Correct the indentation, quotes or keys here or just above";
    const message = withRemedy(problem, remedy);
    return { file, line: error.line, column: error.col, severity: "error", rule: "yaml-syntax", message };
  }
  const remedy = sources.has(file)
    ? "Write its content, or remove the file and the references to it"
    : "Restore the file, or remove the references to it";
  return findingAtStart(file, "missing-file", `The file cannot be read: ${error.message}`, remedy);
}

/** The key and, if found, the line of its previous occurrence; for any other error, an empty text. */
function repeatedKey({ message, line }: YamlParseError, lines: readonly string[]): string {
  const [, indent = "", key] = keyLine.exec(lines[line - 1] ?? "") ?? [];
  if (!message.startsWith("duplicated mapping key") || key === undefined) return "";
  for (const [index, text] of [...lines.slice(0, line - 1).entries()].reverse()) {
    const [, otherIndent = "", otherKey] = keyLine.exec(text) ?? [];
    if (otherKey !== undefined && otherIndent.length < indent.length) break;
    if (otherIndent.length === indent.length && removeQuotes(otherKey) === removeQuotes(key))
      return ` \`${removeQuotes(key)}\`, which is already in line ${index + 1}`;
  }
  return ` \`${removeQuotes(key)}\``;
}

/** Groups: the spaces and dashes before the key, and the key with its quotes. */
const keyLine = /^([\s-]*)("[^"]*"|'[^']*'|[^\s#:"'][^:]*?) *:(?: |$)/;
const removeQuotes = (key = ""): string => key.replace(/^(["'])(.*)\1$/, "$2");
