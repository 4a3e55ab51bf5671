/** Explains the rules of this project: `npm run lint -- --explain RULE`. */
import { UsageError } from "../contract/index.ts";
import type { RuleText } from "./rule.ts";
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
  const { states, why, file } = rule;
  const examples = (["wrong", "right"] as const).map((which) => indent(exampleOf(rule, which)));
  return [
    `contract/${rule.name}`,
    "",
    states,
    `Why: ${why}`,
    ...(rule.remedy === undefined ? [] : [`Remedy: ${rule.remedy}.`]),
    "",
    `Wrong, in ${file} of a library's contract:`,
    examples[0],
    "",
    "Right:",
    examples[1],
  ].join("\n");
}

/** The lines of the example of a rule that break it, or those that do not. */
export function exampleOf({ example }: Pick<RuleText, "example">, which: "wrong" | "right"): string {
  const other = which === "wrong" ? "+" : "-";
  const lines = example.trimEnd().split("\n");
  return lines.flatMap((line) => (line.startsWith(other) ? [] : [line.slice(2)])).join("\n");
}

function indent(text: string): string {
  return text.replace(/^/gm, "    ");
}
