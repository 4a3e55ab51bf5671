import { readSchema, violationsOf } from "../form-schemas.ts";
import { checkFits, type Rule } from "../rule.ts";

const form = readSchema("openapi");

export const rootForm: Rule = {
  name: "root-form",
  states:
    "The root document has the form that `schemas/openapi.schema.json` describes: a table of contents with versioned paths, each path and webhook in a file of its own, and the JSON Schema dialect that makes Prism enforce all keywords.",
  why: "Then a change to one operation is a change to one file.",
  wrong: `
paths:
  /card/block:
    $ref: paths/blockCard.yaml`,
  right: `
paths:
  /v1/card/block:
    $ref: paths/card/blockCard.yaml`,
  judge({ root }, check) {
    const remedy = "Follow the other entries; put whatever takes more than a line into a file of its own";
    checkFits(check, root, violationsOf(form, root), "This is not the form of the root document", remedy);
  },
};
