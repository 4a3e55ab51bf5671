import { join } from "node:path";
import { UsageError } from "../../contract/model/index.ts";
import { readYaml } from "../../contract/sources/index.ts";
import type { Judge, Rule, RuleText } from "../rule.ts";
import { assumptionRules } from "./assumptions.ts";
import { codeRules } from "./codes.ts";
import { documentRules } from "./document.ts";
import { exampleRules } from "./examples.ts";
import { lookupRules } from "./lookups.ts";
import { machineDataRules } from "./machine-data.ts";
import { probeRules } from "./probes.ts";
import { provenanceRules } from "./provenance.ts";
import { registerRules } from "./registers.ts";
import { responseRules } from "./responses.ts";
import { schemaRules } from "./schemas.ts";
import { textRules } from "./texts.ts";
import { webhookRules } from "./webhooks.ts";

const judges: Record<string, Judge> = {
  ...assumptionRules,
  ...responseRules,
  ...codeRules,
  ...documentRules,
  ...exampleRules,
  ...lookupRules,
  ...machineDataRules,
  ...probeRules,
  ...provenanceRules,
  ...registerRules,
  ...schemaRules,
  ...textRules,
  ...webhookRules,
};

const texts = readYaml<Record<string, RuleText>>(join(import.meta.dirname, "rules.yaml"), "The file of the rules");

export const rules: readonly Rule[] = Object.entries(texts).map(([name, text]) => {
  const { [name]: judge } = judges;
  if (judge === undefined)
    throw new UsageError(
      `scripts/lint/rules/rules.yaml has the rule ${name}, which no file in scripts/lint/rules/ judges by. Add its code.`,
    );
  return { name, ...text, judge };
});

/** A test requires that this list is empty. */
export const rulesWithoutEntry: string[] = Object.keys(judges).filter((name) =>
  rules.every((rule) => rule.name !== name),
);
