import type { Rule } from "../rule.ts";

/**
 * Every webhook that an operation triggers exists.
 *
 * Why: docs link to it and the mock sends it.
 */
export const triggers: Rule = {
  name: "triggers",
  judge(contract, check) {
    const known = contract.webhooks.map(({ key }) => key);
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
