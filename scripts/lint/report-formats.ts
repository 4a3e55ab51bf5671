import { relative } from "node:path";
import { githubCommand, junitReport, readManifest } from "../base/index.ts";
import type { Finding } from "./findings.ts";

const { name: packageName } = readManifest();

/** Paths are relative to the current folder. */
export const reportFormats: Record<string, (findings: readonly Finding[]) => string> = {
  json: (findings) => JSON.stringify(findings.map(withRelativePath), null, 2),

  github: (findings) =>
    findings
      .map(withRelativePath)
      .map(({ file, line, column, severity, rule, message }) =>
        githubCommand(severity === "error" ? "error" : "warning", { file, line, col: column, title: rule }, message),
      )
      .join("\n"),

  sarif: (findings) => {
    const results = findings.map(withRelativePath).map(({ file, line, column, severity, rule, message }) => ({
      ruleId: rule,
      level: severity === "error" ? "error" : "warning",
      message: { text: message },
      locations: [
        { physicalLocation: { artifactLocation: { uri: file }, region: { startLine: line, startColumn: column } } },
      ],
    }));
    const rules = [...new Set(findings.map(({ rule }) => rule))].sort().map((id) => ({ id }));
    const driver = { name: `${packageName} lint`, rules };
    return JSON.stringify({ version: "2.1.0", runs: [{ tool: { driver }, results }] }, null, 2);
  },

  // Some readers refuse an empty suite, so a report without findings has one passing test case.
  junit: (findings) => {
    const cases = findings.map(withRelativePath).map(({ file, line, column, rule, message }) => ({
      classname: file,
      name: `${rule}:${line}`,
      failure: { type: rule, message, text: `${file}:${line}:${column} ${message}` },
    }));
    return junitReport(
      { name: "lint", packageName },
      cases.length > 0 ? cases : [{ classname: "openapi", name: "lint" }],
    );
  },
};

function withRelativePath(finding: Finding): Finding {
  return { ...finding, file: relative(process.cwd(), finding.file).replaceAll("\\", "/") };
}
