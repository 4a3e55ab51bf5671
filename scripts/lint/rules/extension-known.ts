import type { Rule } from "../rule.ts";

export const extensionKnown: Rule = {
  name: "extension-known",
  states: "Every `x-` key is listed in extensions.yaml.",
  why: "Nothing reads a misspelt key, and nobody notices.",
  wrong: `
get:
  operationId: getCardLimits
  x-provenence: reference`,
  right: `
get:
  operationId: getCardLimits
  x-provenance: reference`,
  judge({ marks, extensions }, check) {
    const keys = extensions.entries().map(([key]) => key);
    for (const { key, place } of marks) {
      check(
        keys.includes(key),
        place,
        `${key} is no known key`,
        `Use one of ${keys.join(", ")}, or describe the new key in openapi/extensions.yaml`,
      );
    }
  },
};
