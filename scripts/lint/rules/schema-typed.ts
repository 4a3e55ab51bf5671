import type { Place } from "../place.ts";
import type { Rule } from "../rule.ts";

/** Keywords that, besides `type`, say what a value is. */
const telling = ["type", "$ref", "const", "enum", "allOf", "anyOf", "oneOf"];

/** Keywords whose schemas add to another one, which says what the value is. */
const additions = /\/(?:(?:allOf|anyOf|oneOf)\/\d+|not|if|then|else|dependentSchemas\/[^/]+)$/;

/**
 * Every schema of a whole value says what the value is: by its type, a reference, constants or alternatives.
 *
 * Why: a schema without a type accepts everything, is `unknown` in the types, and is nearly always a forgotten line.
 */
export const schemaTyped: Rule = {
  name: "schema-typed",
  judge(contract, check) {
    for (const schema of contract.nodes("Schema").filter(isWholeValue)) {
      check(
        telling.some((keyword) => schema.own(keyword).exists),
        schema,
        "The schema does not say what the value is",
        "Add type, or $ref to a schema that has one",
      );
    }
  },
};

function isWholeValue({ pointer }: Place): boolean {
  return !additions.test(pointer);
}
