import { walkSchema } from "../../contract/index.ts";
import type { Rule } from "../rule.ts";
import { schemasFromService } from "../source-contract.ts";

export const openAnswers: Rule = {
  name: "open-answers",
  states: "No object in an answer or a webhook is closed.",
  why: "The service may add a field at any time, and strict readers would fail on it.",
  wrong: `
type: object
additionalProperties: false
properties:
  userId:
    type: string`,
  right: `
type: object
properties:
  userId:
    type: string`,
  judge(contract, check) {
    for (const schema of schemasFromService(contract)) {
      walkSchema(
        schema,
        (place) => {
          for (const keyword of ["additionalProperties", "unevaluatedProperties"]) {
            const closing = place.own(keyword);
            check(
              closing.value !== false,
              closing,
              `${keyword}: false closes an object that the service sends`,
              "Remove it: new fields may appear in answers and webhooks",
            );
          }
        },
        { conditions: false },
      );
    }
  },
};
