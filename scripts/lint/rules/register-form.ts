import { faultOf, misfitsOf, readSchema } from "../register-schemas.ts";
import { checkFits, type Rule } from "../rule.ts";

const questionsForm = readSchema("open-questions");
const extensionsForm = readSchema("extensions");

/**
 * open-questions.yaml and extensions.yaml have the form that their schemas in `schemas/` state, and the schemas that
 * extensions.yaml gives compile.
 *
 * Why: all other rules, the docs and the types read them.
 */
export const registerForm: Rule = {
  name: "register-form",
  judge({ openQuestions, extensions }, check) {
    for (const [file, form] of [
      [openQuestions, questionsForm],
      [extensions, extensionsForm],
    ] as const) {
      const misfits = misfitsOf(form, file);
      checkFits(check, file, misfits, "The entry does not have its form", "Follow the other entries of the file");
    }
    for (const [key, entry] of extensions.entries()) {
      const schema = entry.own("schema");
      if (typeof schema.value !== "object" || schema.value === null) continue;
      const fault = faultOf(schema.value);
      check(
        fault === undefined,
        schema,
        `The schema of ${key} does not compile: ${fault}`,
        "Write JSON Schema 2020-12",
      );
    }
  },
};
