import type { Rule } from "../rule.ts";

export const triggers: Rule = {
  name: "triggers",
  states:
    "Every webhook under `x-triggers` exists, and the operation creates or moves the resource that it tells of (`x-effects`).",
  why: "The docs link to it, and a mock can send it after the effect.",
  wrong: `
operationId: createSepaTransfer
x-effects:
  - { creates: transfer, id: $response.body#/transferId }
x-triggers: [sepaTransfer]`,
  right: `
operationId: createSepaTransfer
x-effects:
  - { creates: sepaTransfer, id: $response.body#/transferId }
x-triggers: [sepaTransfer]`,
  judge({ operations, webhooks }, check) {
    const known = webhooks.map(({ name }) => name);
    for (const { label, effects, triggers: entries } of operations) {
      for (const { webhook: key, place: item } of entries) {
        const webhook = webhooks.find(({ name }) => name === key);
        const remedy = `Name one of ${known.join(", ")}`;
        check(webhook !== undefined, item, `There is no webhook ${key}`, remedy);
        // A webhook without x-event is reported by the rule `events`.
        const resource = webhook?.event?.resource;
        if (resource === undefined) continue;
        check(
          effects.some((effect) => effect.resource === resource),
          item,
          `${label} leads to ${key}, which tells of a ${resource}, but neither creates nor moves one`,
          "Add the effect to x-effects, with `later: true` when it happens after the answer, or remove the webhook",
        );
      }
    }
  },
};
