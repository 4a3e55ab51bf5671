import { referenceObject } from "../collect.ts";
import type { Rule } from "../rule.ts";

/** The keys of a Reference Object (OpenAPI 3.1, 4.8.23). */
const allowed = ["$ref", "summary", "description"];

export const referenceAlone: Rule = {
  name: "reference-alone",
  states:
    "Beside the `$ref` of a parameter, body, response, header or example stands nothing but summary and description.",
  why: "Only schemas and path items take keys beside a reference; everywhere else OpenAPI ignores them.",
  wrong: `
parameters:
  - $ref: ../../parameters/CardId.yaml
    x-open-questions: [Q-unknown-ids]`,
  right: `
parameters:
  - $ref: ../../parameters/CardId.yaml`,
  judge(contract, check) {
    for (const place of contract.nodes(referenceObject)) {
      const beside = Object.keys(place.value as object).filter((key) => !allowed.includes(key));
      check(
        beside.length === 0,
        place.own(beside[0] ?? "$ref"),
        `${beside.join(", ")} beside a $ref is ignored`,
        "Put it into the file that is referred to, or write the object here instead of the reference",
      );
    }
  },
};
