import type { Rule } from "../rule.ts";

export const provenance: Rule = {
  name: "provenance",
  states:
    "Every operation, webhook and P-code carries `x-provenance`. `extension-value` judges the value, as with all `x-` keys.",
  why: "A reader must always be able to tell what is stated, what was seen and what was designed here; the edition filter and the docs rely on it.",
  wrong: `
post:
  operationId: createTransfer
  summary: Create Transfer`,
  right: `
post:
  operationId: createTransfer
  summary: Create Transfer
  x-provenance: reference`,
  judge({ subjects, catalogue, extensions }, check) {
    const values = extensions.at("x-provenance", "schema", "enum").items();
    const remedy = `Add x-provenance, one of ${values.map(({ value }) => value).join(", ")}`;
    for (const { label, place } of subjects) {
      check(place.own("x-provenance").exists, place, `${label} does not say where it comes from`, remedy);
    }
    for (const place of catalogue) {
      check(place.own("x-provenance").exists, place, "The P-code does not say where it comes from", remedy);
    }
  },
};
