import { subschemasOf } from "../../contract/index.ts";
import type { Rule } from "../rule.ts";
import type { SourceContract } from "../source-contract.ts";

/** Keywords that, besides `type`, say what a value is. */
const telling = ["type", "$ref", "const", "enum", "allOf", "anyOf", "oneOf"];

export const schemaTyped: Rule = {
  name: "schema-typed",
  states: "Every schema of a whole value says what the value is: by its type, a reference, constants or alternatives.",
  why: "A schema without a type accepts everything and is `unknown` in the types; nearly always, a line is missing.",
  wrong: `
properties:
  iban:
    description: The account number.`,
  right: `
properties:
  iban:
    description: The account number.
    type: string`,
  judge(contract, check) {
    const additions = additionsIn(contract);
    for (const schema of contract.nodes("Schema").filter(({ id }) => !additions.has(id))) {
      check(
        telling.some((keyword) => schema.own(keyword).exists),
        schema,
        "The schema does not say what the value is",
        "Add type, or $ref to a schema that has one",
      );
    }
  },
};

/** The schemas that only add to the schema that they stand in, which says what the value is. */
function additionsIn(contract: SourceContract): Set<string> {
  const additions = contract
    .nodes("Schema")
    .flatMap(subschemasOf)
    .filter(({ keyword, role }) => role === "same" || keyword === "if" || keyword === "not");
  return new Set(additions.map(({ schema }) => schema.id));
}
