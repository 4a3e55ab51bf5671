import type { Rule } from "../rule.ts";

/**
 * Every operation, webhook and P-code says where it comes from.
 *
 * Why: a reader must always be able to tell what is stated, what was seen and what was designed here; the edition filter
 * and the docs rely on it. That the value is a known one is checked with all other `x-` keys.
 */
export const provenance: Rule = {
  name: "provenance",
  judge({ operations, webhooks, catalogue, extensions }, check) {
    const values = extensions.at("x-provenance", "schema", "enum").items();
    const remedy = `Add x-provenance, one of ${values.map(({ value }) => value).join(", ")}`;
    for (const { name, place } of [...operations, ...webhooks]) {
      check(place.own("x-provenance").exists, place, `${name} does not say where it comes from`, remedy);
    }
    for (const place of catalogue) {
      check(place.own("x-provenance").exists, place, "The P-code does not say where it comes from", remedy);
    }
  },
};
