import type { Rule } from "../rule.ts";

export const triggers: Rule = {
  name: "triggers",
  states: "Every webhook under `x-triggers` exists.",
  why: "The docs link to it.",
  wrong: `
post:
  operationId: createSepaTransfer
  x-triggers:
    - sepaTransferStatus`,
  right: `
post:
  operationId: createSepaTransfer
  x-triggers:
    - sepaTransfer`,
  judge(contract, check) {
    const known = contract.webhooks.map(({ name }) => name);
    for (const { place } of contract.marksOf("x-triggers")) {
      for (const item of place.items()) {
        check(
          known.includes(String(item.value)),
          item,
          `There is no webhook ${item.value}`,
          `Name one of ${known.join(", ")}`,
        );
      }
    }
  },
};
