import { compileErrorOf, readSchema, violationsOf } from "../form-schemas.ts";
import { checkFits, type Rule } from "../rule.ts";

const questionsForm = readSchema("open-questions");
const extensionsForm = readSchema("extensions");
const resourcesForm = readSchema("resources");

export const registerForm: Rule = {
  name: "register-form",
  states:
    "The files open-questions.yaml, extensions.yaml and resources.yaml have the form that their schemas in `schemas/` describe, and the schemas within extensions.yaml compile.",
  why: "All other rules, the docs and the types read them.",
  wrong: `
x-sensitive:
  meaning: The value must never reach a log.
  on: [Property]
  schema: { const: true }
  readers: [docs, client]`,
  right: `
x-sensitive:
  meaning: The value must never reach a log.
  on: [Schema]
  schema: { const: true }
  readers: [docs, client]`,
  judge({ openQuestions, extensions, resources }, check) {
    for (const [file, form] of [
      [openQuestions, questionsForm],
      [extensions, extensionsForm],
      [resources, resourcesForm],
    ] as const) {
      const violations = violationsOf(form, file);
      checkFits(check, file, violations, "The entry does not have its form", "Follow the other entries of the file");
    }
    for (const [key, entry] of extensions.entries()) {
      const schema = entry.own("schema");
      if (typeof schema.value !== "object" || schema.value === null) continue;
      const error = compileErrorOf(schema.value);
      check(
        error === undefined,
        schema,
        `The schema of ${key} does not compile: ${error}`,
        "Write JSON Schema 2020-12",
      );
    }
  },
};
