/** Runs Redocly in this process, with rules from redocly.yaml at the top of the repository. */
import { readFileSync } from "node:fs";
import {
  type BaseResolver,
  createConfig,
  type Document,
  getLineColLocation,
  lintDocument,
  type NormalizedProblem,
  type Plugin,
  parseYaml,
} from "@redocly/openapi-core";
import { projectRoot } from "../contract/project.ts";
import { type Finding, withRemedy } from "./report.ts";

/** The setting of a rule in redocly.yaml. `message` holds `{{message}}` and the remedy. */
export interface RuleSetting {
  severity: "error";
  message: string;
}

export type RuleSettings = Record<string, RuleSetting | "error">;

/** The built-in rules that redocly.yaml chooses, by name. */
export function builtInRules(): Record<string, RuleSetting> {
  const { rules } = parseYaml(readFileSync(`${projectRoot}/redocly.yaml`, "utf8")) as {
    rules: Record<string, RuleSetting>;
  };
  return rules;
}

/** Lints an OpenAPI document with exactly the given rules. */
export async function runRedocly(
  document: Document,
  resolver: BaseResolver,
  rules: RuleSettings,
  plugins: Plugin[] = [],
): Promise<Finding[]> {
  const config = await createConfig({ extends: [], rules, plugins } as Parameters<typeof createConfig>[0]);
  const problems = await lintDocument({ document, externalRefResolver: resolver, config });
  return problems.map(toFinding);
}

function toFinding({ location, ruleId, message, suggest }: NormalizedProblem): Finding {
  const [first] = location;
  if (first === undefined) throw new Error(`Redocly names no place for: ${message}`);
  const { source, start } = getLineColLocation(first);
  const [problem = "", remedy = ""] = onOneLine(message).split(" Remedy: ");
  const hint = suggest[0] === undefined ? "" : ` Perhaps ${suggest[0]} was meant.`;
  return {
    file: source.absoluteRef,
    line: start.line,
    column: start.col,
    severity: "error",
    rule: ruleId,
    message: withRemedy(quoteReference(problem, source.getLines()[start.line - 1] ?? "") + hint, remedy),
  };
}

/** Some messages are lists of absolute paths. */
function onOneLine(message: string): string {
  return message.replace(/\s*\n(- )?/g, " ").replaceAll(`${process.cwd()}/`, "");
}

/** Redocly says that a reference leads nowhere, but not which one. */
function quoteReference(problem: string, line: string): string {
  return problem.replace("Can't resolve $ref", () => `\`${line.trim().replace(/^- /, "")}\` points to nothing`);
}
