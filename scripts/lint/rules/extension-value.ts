import { violationsOf } from "../form-schemas.ts";
import { checkFits, type Rule } from "../rule.ts";

export const extensionValue: Rule = {
  name: "extension-value",
  states: "The value of an `x-` key fits the schema that extensions.yaml gives for it.",
  why: "The readers of the key rely on that form.",
  wrong: `
get:
  operationId: getCardLimits
  x-provenance: guessed`,
  right: `
get:
  operationId: getCardLimits
  x-provenance: reference`,
  judge({ marks, extensions }, check) {
    for (const { key, place } of marks) {
      const schema = extensions.at(key, "schema").value;
      if (typeof schema !== "object" || schema === null) continue;
      const remedy = "Write it as openapi/extensions.yaml describes";
      checkFits(check, place, violationsOf(schema, place), `${key} does not have its form`, remedy);
    }
  },
};
