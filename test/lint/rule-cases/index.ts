/** The cases of all rules, by area. */
import { answersCases } from "./answers.ts";
import { codesCases } from "./codes.ts";
import { documentCases } from "./document.ts";
import { examplesCases } from "./examples.ts";
import { extensionsCases } from "./extensions.ts";
import { machineDataCases } from "./machine-data.ts";
import type { RuleCase } from "./rule-case.ts";
import { schemasCases } from "./schemas.ts";
import { webhooksCases } from "./webhooks.ts";

export const ruleCases: RuleCase[] = [
  ...answersCases,
  ...codesCases,
  ...documentCases,
  ...examplesCases,
  ...extensionsCases,
  ...machineDataCases,
  ...schemasCases,
  ...webhooksCases,
];
