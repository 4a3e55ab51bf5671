import type { Rule } from "../rule.ts";
import { schemasFromService } from "../source-contract.ts";
import { walkSchemas } from "../walk-schema.ts";

/**
 * No object in an answer or a webhook is closed.
 *
 * Why: the service may add a field at any time, and strict readers would break on it.
 */
export const openAnswers: Rule = {
  name: "open-answers",
  judge(contract, check) {
    walkSchemas(schemasFromService(contract), (schema) => {
      for (const keyword of ["additionalProperties", "unevaluatedProperties"]) {
        const closing = schema.own(keyword);
        check(
          closing.value !== false,
          closing,
          `${keyword}: false closes an object that the service sends`,
          "Remove it: new fields may appear in answers and webhooks",
        );
      }
    });
  },
};
