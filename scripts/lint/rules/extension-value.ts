import { misfitsOf } from "../register-schemas.ts";
import { checkFits, type Rule } from "../rule.ts";

/**
 * The value of an `x-` key fits the schema that extensions.yaml gives for it.
 *
 * Why: what reads the key relies on that form.
 */
export const extensionValue: Rule = {
  name: "extension-value",
  judge({ marks, extensions }, check) {
    for (const { key, place } of marks) {
      const schema = extensions.at(key, "schema").value;
      if (typeof schema !== "object" || schema === null) continue;
      const misfits = misfitsOf(schema, place);
      checkFits(
        check,
        place,
        misfits,
        `${key} does not have its form`,
        "Write it as openapi/extensions.yaml describes",
      );
    }
  },
};
