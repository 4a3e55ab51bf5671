/** Findings in the forms that other tools read: `npm run lint -- --format NAME`. */
import { relative } from "node:path";
import type { Finding } from "./findings.ts";

/** Each format by its name: makes a whole document, or the lines, of the findings. Paths are relative to the current folder. */
export const reportFormats: Record<string, (findings: readonly Finding[]) => string> = {
  json: (findings) => JSON.stringify(findings.map(withPath), null, 2),

  github: (findings) =>
    findings
      .map(withPath)
      .map(({ file, line, column, severity, rule, message }) =>
        githubCommand(severity === "error" ? "error" : "warning", { file, line, col: column, title: rule }, message),
      )
      .join("\n"),

  // SARIF 2.1.0, which code scanning reads.
  sarif: (findings) => {
    const results = findings.map(withPath).map(({ file, line, column, severity, rule, message }) => ({
      ruleId: rule,
      level: severity === "error" ? "error" : "warning",
      message: { text: message },
      locations: [
        { physicalLocation: { artifactLocation: { uri: file }, region: { startLine: line, startColumn: column } } },
      ],
    }));
    const rules = [...new Set(findings.map(({ rule }) => rule))].sort().map((id) => ({ id }));
    const driver = { name: "partner-wallet-api lint", rules };
    return JSON.stringify({ version: "2.1.0", runs: [{ tool: { driver }, results }] }, null, 2);
  },

  // One test case for each finding; one that passes where there is none, since some readers refuse an empty suite.
  junit: (findings) => {
    const failures = findings.map(withPath).map(({ file, line, column, rule, message }) => {
      const text = escapeXml(`${file}:${line}:${column} ${message}`);
      return `    <testcase classname="${escapeXml(file)}" name="${escapeXml(rule)}:${line}"><failure message="${escapeXml(message)}">${text}</failure></testcase>`;
    });
    const cases = failures.length > 0 ? failures : ['    <testcase classname="openapi" name="lint"/>'];
    const suite = `  <testsuite name="lint" tests="${cases.length}" failures="${failures.length}">`;
    return [
      '<?xml version="1.0" encoding="UTF-8"?>',
      "<testsuites>",
      suite,
      ...cases,
      "  </testsuite>",
      "</testsuites>",
    ].join("\n");
  },
};

/** A workflow command of GitHub Actions, which shows a message at a line of a pull request. */
export function githubCommand(
  level: "error" | "warning" | "notice",
  about: { file: string; line: number; col?: number; title: string },
  message: string,
): string {
  const properties = Object.entries(about).map(([name, value]) => `${name}=${escapeProperty(String(value))}`);
  return `::${level} ${properties.join(",")}::${escapeData(message)}`;
}

function withPath(finding: Finding): Finding {
  return { ...finding, file: relative(process.cwd(), finding.file).replaceAll("\\", "/") };
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/** A text as it may stand in an element or an attribute of XML. */
export function escapeXml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replace(/[^\t\n\r\u0020-\uFFFD]/g, "");
}
