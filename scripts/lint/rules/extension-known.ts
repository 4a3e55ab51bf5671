import type { Rule } from "../rule.ts";

export const extensionKnown: Rule = {
  name: "extension-known",
  states: "Every `x-` key is listed in extensions.yaml, and none is written by hand that the bundle adds.",
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
    const keys = extensions.entries().map(([key, entry]) => ({ key, isGenerated: entry.own("generated").exists }));
    const choice = keys.filter(({ isGenerated }) => !isGenerated).map(({ key }) => key);
    for (const { key, place } of marks) {
      const known = keys.find((candidate) => candidate.key === key);
      check(
        known !== undefined,
        place,
        `${key} is no known key`,
        `Use one of ${choice.join(", ")}, or describe the new key in openapi/extensions.yaml`,
      );
      check(
        known?.isGenerated !== true,
        place,
        `${key} is written by the build`,
        "Remove it: the bundle gets it automatically",
      );
    }
  },
};
