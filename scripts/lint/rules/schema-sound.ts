import { checkFits, type Rule } from "../rule.ts";

export const schemaSound: Rule = {
  name: "schema-sound",
  states:
    "Every schema of a body, parameter or header compiles with Ajv in strict mode: known keywords, known formats, patterns that are regular expressions.",
  why: "A keyword or format that no tool knows is silently ignored and checks nothing.",
  wrong: `
expiresAt:
  type: string
  format: datetime`,
  right: `
expiresAt:
  type: string
  format: date-time`,
  judge(contract, check) {
    for (const holder of ["MediaType", "Parameter", "Header"].flatMap((kind) => contract.nodes(kind))) {
      const schema = holder.own("schema");
      const remedy = "Correct the keyword; those of JSON Schema 2020-12 and the formats of ajv-formats are known";
      checkFits(check, schema, contract.schemas.compileErrors(schema), "The schema does not compile", remedy);
    }
  },
};
