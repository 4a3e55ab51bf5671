import { misfitsOf, readSchema } from "../register-schemas.ts";
import { checkFits, type Rule } from "../rule.ts";

const form = readSchema("openapi");

/**
 * The root document has the form that `schemas/openapi.schema.json` states: a table of contents, with versioned paths, each
 * path and webhook in a file of its own, and the JSON Schema dialect that makes Prism enforce all keywords.
 *
 * Why: then a change to one operation is a change to one file.
 */
export const rootForm: Rule = {
  name: "root-form",
  judge({ root }, check) {
    const remedy = "Follow the other entries; what is more than a line belongs into a file of its own";
    checkFits(check, root, misfitsOf(form, root), "This is not the form of the root document", remedy);
  },
};
