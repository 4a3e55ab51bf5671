/** Explains the rules of this project: `npm run lint -- --explain RULE`. */
import { UsageError } from "../contract/index.ts";
import { rules } from "./rules/index.ts";

/**
 * What a rule is for, with a wrong and a right example.
 *
 * @param name of the rule, with or without `contract/`; for an empty one, every rule with what it states.
 * @throws {UsageError} when this project has no such rule.
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
  return [
    `contract/${rule.name}`,
    "",
    rule.states,
    `Why: ${rule.why}`,
    "",
    "Wrong:",
    indent(rule.wrong),
    "",
    "Right:",
    indent(rule.right),
  ].join("\n");
}

function indent(text: string): string {
  return text.replace(/^\n|\n\s*$/g, "").replace(/^/gm, "    ");
}
