import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { styleText } from "node:util";
import { escapePattern, githubCommand, projectRoot } from "../../base/index.ts";
import { isCode } from "../../contract/model/index.ts";
import type { Change } from "./compare.ts";
import type { Exemption } from "./exemptions.ts";
import type { Severity } from "./verdicts.ts";

const headings: Record<Severity, string> = { breaking: "Breaking", additive: "Additive", editorial: "Editorial" };

interface Group {
  readonly changes: readonly [Change, ...Change[]];
  readonly subjects: readonly string[];
}

function groupsOf(changes: readonly Change[], severity: Severity): Group[] {
  const groups = new Map<string, [Change, ...Change[]]>();
  for (const change of changes.filter((candidate) => candidate.severity === severity)) {
    const key = JSON.stringify([change.sentence, change.proposed, change.editions]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [change]);
    else group.push(change);
  }
  return [...groups.values()].map((groupChanges) => ({
    changes: groupChanges,
    subjects: [...new Set(groupChanges.map(({ subject }) => subject))],
  }));
}

const severities = Object.keys(headings) as Severity[];

interface TextOptions {
  readonly isColoured?: boolean;
  readonly exemptionByChange?: ReadonlyMap<Change, Exemption>;
}

/**
 * Two lines for each group of equal changes (the sentence, and the first id, which exemptions need). The last line has the number of
 * changes. Editorial changes are only counted.
 */
export function formatText(
  changes: readonly Change[],
  { isColoured = false, exemptionByChange = new Map() }: TextOptions = {},
): string {
  const paint = (format: "red" | "green" | "dim", text: string) =>
    isColoured ? styleText(format, text, { validateStream: false }) : text;
  const counts = severities.map((severity) => {
    const severityChanges = changes.filter((change) => change.severity === severity);
    const exemptCount = severityChanges.filter((change) => exemptionByChange.has(change)).length;
    return `${severityChanges.length} ${severity}${exemptCount === 0 ? "" : ` (${exemptCount} exempt)`}`;
  });
  const exemptionOf = (groupChanges: readonly Change[]): string => {
    const days = groupChanges.map((change) => exemptionByChange.get(change)?.expires);
    return days.includes(undefined) ? "" : `, exempt until ${days.sort()[0]}`;
  };
  const lines = (["breaking", "additive"] as const).flatMap((severity) =>
    groupsOf(changes, severity).flatMap(({ changes: groupChanges, subjects }) => [
      `${paint(severity === "breaking" ? "red" : "green", severity.padEnd(9))} ${subjects.join(", ")}: ${groupChanges[0].sentence}${markOf(groupChanges[0])}`,
      paint(
        "dim",
        `          ${groupChanges[0].id}${groupChanges.length > 1 ? ` and ${groupChanges.length - 1} more` : ""} (${groupChanges[0].provenance}, in ${groupChanges[0].editions.join(" and ")}${exemptionOf(groupChanges)})`,
      ),
    ]),
  );
  return [...lines, `${changes.length === 0 ? "No changes" : counts.join(", ")}.`].join("\n");
}

const markOf = ({ proposed, editions }: Change): string => {
  if (proposed) return " It was only proposed.";
  return editions.includes("latest") ? "" : " Edition test only.";
};

export function formatMarkdown(changes: readonly Change[]): string {
  return severities
    .flatMap((severity) => {
      const groups = groupsOf(changes, severity);
      if (groups.length === 0) return [];
      if (severity === "editorial") {
        const subjects = [...new Set(groups.flatMap((group) => group.subjects))].map((subject) => `\`${subject}\``);
        return `### Editorial changes of the contract\n\nTexts, examples or provenance of ${subjects.join(", ")}.\n`;
      }
      const lines = groups.map(({ changes: [change], subjects }) => {
        const names = subjects.map((subject) => `\`${subject}\``);
        return `- ${names.join(", ")}: ${change.sentence}${markOf(change)}\n`;
      });
      return `### ${headings[severity]} changes of the contract\n\n${lines.join("")}`;
    })
    .join("\n");
}

/**
 * The changes as annotations of GitHub: an error for a breaking change that is not exempt, nothing for an editorial one, otherwise a
 * notice.
 */
export function formatGithub(
  changes: readonly Change[],
  exemptionByChange: ReadonlyMap<Change, Exemption> = new Map(),
): string {
  return changes
    .filter(({ severity }) => severity !== "editorial")
    .map((change) => {
      const { severity, subject, sentence } = change;
      const expires = exemptionByChange.get(change)?.expires;
      const level = severity === "breaking" && expires === undefined ? "error" : "notice";
      const title = `${severity} change${expires === undefined ? "" : `, exempt until ${expires}`}`;
      return githubCommand(level, { ...sourceLineOf(change), title }, `${subject}: ${sentence}`);
    })
    .join("\n");
}

/** The file of the change's subject (default: openapi.yaml), and the first line that names the field or the subject (default: 1). */
function sourceLineOf({ subject, kind, property }: Change): { file: string; line: number } {
  const root = `${projectRoot}/openapi`;
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) =>
    /^(paths|webhooks)\/.*\.yaml$/.test(path),
  );
  const path = isCode(subject)
    ? "errors.yaml"
    : files.find((candidate) => basename(candidate, ".yaml").split("-").includes(subject));
  if (path === undefined) return { file: "openapi/openapi.yaml", line: 1 };
  const lines = readFileSync(`${root}/${path}`, "utf8").split("\n");
  const isField = kind === "field" && property !== undefined && !isCode(subject);
  const linePattern = isField ? fieldPattern(property) : subjectPattern(subject);
  const index = lines.findIndex((line) => linePattern.test(line));
  return { file: `openapi/${path}`, line: Math.max(index, 0) + 1 };
}

const fieldPattern = (name: string): RegExp => new RegExp(`^\\s*(- name: )?${escapePattern(name)}(?!\\w)`);
const subjectPattern = (subject: string): RegExp =>
  new RegExp(isCode(subject) ? `^${subject}:` : `operationId: ${subject}\\b`);
