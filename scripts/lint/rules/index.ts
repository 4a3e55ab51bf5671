/** All rules of this project: what `rules.yaml` says of each, and the code that judges by it. */
import { readFileSync } from "node:fs";
import { parseYaml } from "@redocly/openapi-core";
import { UsageError } from "../../contract/index.ts";
import type { Judge, Rule, RuleText } from "../rule.ts";
import { answerRules } from "./answers.ts";
import { codeRules } from "./codes.ts";
import { documentRules } from "./document.ts";
import { exampleRules } from "./examples.ts";
import { machineDataRules } from "./machine-data.ts";
import { probeRules } from "./probes.ts";
import { provenanceRules } from "./provenance.ts";
import { registerRules } from "./registers.ts";
import { schemaRules } from "./schemas.ts";
import { textRules } from "./texts.ts";
import { webhookRules } from "./webhooks.ts";

const judges: Record<string, Judge> = {
  ...answerRules,
  ...codeRules,
  ...documentRules,
  ...exampleRules,
  ...machineDataRules,
  ...probeRules,
  ...provenanceRules,
  ...registerRules,
  ...schemaRules,
  ...textRules,
  ...webhookRules,
};

/** In the order of rules.yaml, which has the texts of each. */
export const rules: readonly Rule[] = Object.entries(readTexts()).map(([name, texts]) => {
  const { [name]: judge } = judges;
  if (judge === undefined)
    throw new UsageError(
      `scripts/lint/rules/rules.yaml has the rule ${name}, which no file in scripts/lint/rules/ judges by. Add its code.`,
    );
  return { name, ...texts, judge };
});

/** Rules without an entry in rules.yaml: there are none, which a test holds. */
export const undescribed: string[] = Object.keys(judges).filter((name) => rules.every((rule) => rule.name !== name));

function readTexts(): Record<string, RuleText> {
  try {
    return parseYaml(readFileSync(new URL("./rules.yaml", import.meta.url), "utf8")) as Record<string, RuleText>;
  } catch (error) {
    // What js-yaml throws holds the whole file, and not its name.
    const { reason, mark } = error as { reason?: string; mark?: { line: number; column: number } };
    if (mark === undefined) throw error;
    throw new UsageError(
      `scripts/lint/rules/rules.yaml:${mark.line + 1}:${mark.column + 1}: ${reason}. Correct the YAML.`,
    );
  }
}
