import { UsageError } from "../base/index.ts";
import { rules } from "./rules/index.ts";

/**
 * @param name with or without `contract/`; if empty, all rules are listed.
 * @throws {UsageError} if there is no such rule.
 */
export function explainRule(name: string): string {
  if (name === "") {
    const width = Math.max(...rules.map((rule) => rule.name.length));
    return rules.map((rule) => `contract/${rule.name.padEnd(width)}  ${rule.states}`).join("\n");
  }
  const rule = rules.find((candidate) => candidate.name === name.replace(/^contract\//, ""));
  if (rule === undefined) {
    throw new UsageError(
      `This project has no rule "${name}". Without a name, --explain lists its rules; those of Redocly and Spectral are in their own documentation.`,
    );
  }
  const remedy = rule.remedy === undefined ? "" : `\nRemedy: ${rule.remedy}.`;
  const lines = rule.example.trimEnd().replace(/^/gm, "    ");
  return `contract/${rule.name}\n\n${rule.states}\nWhy: ${rule.why}${remedy}\n\nIn ${rule.file} of a library's contract, wrong with -, right with +:\n${lines}`;
}
