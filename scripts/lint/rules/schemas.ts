/** Rules about schemas. */
import { type Place, subschemasOf, walkSchema } from "../../contract/index.ts";
import type { Judge } from "../rule.ts";
import type { SourceContract } from "../source-contract.ts";

/** Keywords that, besides `type`, say what a value is. */
const telling = ["type", "$ref", "const", "enum", "allOf", "anyOf", "oneOf"];

export const schemaRules: Record<string, Judge> = {
  "open-answers"(contract, check) {
    forEachSent(contract, (schema) => {
      for (const keyword of ["additionalProperties", "unevaluatedProperties"]) {
        const closing = schema.own(keyword);
        check(closing.value !== false, closing, `${keyword}: false closes an object that the service sends`);
      }
    });
  },

  "open-sets"(contract, check) {
    for (const { key, holder: schema } of contract.marks) {
      if (key !== "x-open-enum") continue;
      const isText = schema.at("type").value === "string";
      check(isText, schema, "A set with x-open-enum is not a string", "Add type: string");
      for (const keyword of ["enum", "const"]) {
        const closing = schema.own(keyword);
        check(!closing.exists, closing, `${keyword} closes a set that x-open-enum says is open`);
      }
    }
    forEachSent(contract, (schema, property) => {
      if (!/(^s|S)tatus$/.test(property) || schema.own("x-open-enum").exists) return;
      check(!schema.own("enum").exists, schema.own("enum"), `enum closes the values of ${property}`);
    });
  },

  "schema-sound"({ nodes, schemas }, check) {
    for (const holder of nodes("MediaType", "Parameter", "Header")) {
      const schema = holder.own("schema");
      check.fits(schemas.compileErrors(schema), schema, "The schema does not compile");
    }
  },

  "schema-typed"({ nodes }, check) {
    // Those that only add to the schema that they stand in, which says what the value is.
    const additions = nodes("Schema")
      .flatMap(subschemasOf)
      .filter(({ keyword, role }) => role === "same" || keyword === "if" || keyword === "not");
    const added = new Set(additions.map(({ schema }) => schema.id));
    for (const schema of nodes("Schema").filter(({ id }) => !added.has(id))) {
      const tells = telling.some((keyword) => schema.own(keyword).exists);
      check(tells, schema, "The schema does not say what the value is");
    }
  },
};

/**
 * Visits every schema of what the service sends, its answers and webhooks, and of the answers to these, with the name of
 * the property that it describes; conditions are left out.
 */
function forEachSent({ subjects, webhooks }: SourceContract, visit: (schema: Place, property: string) => void): void {
  const answers = subjects.flatMap((subject) => subject.answers.flatMap(({ bodies }) => bodies));
  const events = webhooks.flatMap(({ requestBody }) => requestBody?.bodies ?? []);
  for (const { place } of [...answers, ...events]) {
    const judged = (schema: Place, { path }: { path: string[] }) => visit(schema, path.at(-1) ?? "");
    walkSchema(place.own("schema"), judged, { conditions: false });
  }
}
