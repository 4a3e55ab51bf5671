import { join } from "node:path";
import { UsageError } from "../../base/index.ts";
import { readYaml } from "../../contract/sources/index.ts";
import type { Judge, Rule, RuleText } from "../rule.ts";
import { answerRules } from "./answers.ts";
import { assumptionRules } from "./assumptions.ts";
import { codeRules } from "./codes.ts";
import { documentRules } from "./document.ts";
import { eventFieldRules } from "./event-fields.ts";
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
  ...answerRules,
  ...assumptionRules,
  ...responseRules,
  ...codeRules,
  ...documentRules,
  ...eventFieldRules,
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

const names = new Set([...Object.keys(texts), ...Object.keys(judges)]);

export const rules: readonly Rule[] = [...names].map((name) => {
  const { [name]: text } = texts;
  const { [name]: judge } = judges;
  if (text === undefined || judge === undefined) {
    throw new UsageError(`The rule ${name} needs an entry in scripts/lint/rules/rules.yaml, and a function beside it.`);
  }
  return { name, ...text, judge };
});
