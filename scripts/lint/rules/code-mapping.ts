import { codeRefsOf } from "../../contract/index.ts";
import type { Rule } from "../rule.ts";

export const codeMapping: Rule = {
  name: "code-mapping",
  states: "A `oneOf` or `anyOf` of P-codes lists each code once and has no `discriminator`.",
  why: "The bundle gets the discriminator and its mapping from the oneOf. Written by hand as well, they could differ; a code that is listed twice in a oneOf matches two branches, so that no value is valid.",
  wrong: `
oneOf:
  - $ref: ../../errors/P403.yaml
  - $ref: ../../errors/P403.yaml
discriminator:
  propertyName: errorCode`,
  right: `
oneOf:
  - $ref: ../../errors/P403.yaml
  - $ref: ../../errors/P411.yaml`,
  judge(contract, check) {
    for (const media of contract.nodes("MediaType")) {
      const schema = media.at("schema").target;
      const refs = codeRefsOf(schema);
      if (refs.length === 0) continue;
      const discriminator = schema.own("discriminator");
      const remedy = "Remove it: the bundle adds it, with the mapping of all codes";
      check(!discriminator.exists, discriminator, "This list of P-codes has a discriminator", remedy);
      const codes = refs.map(({ code }) => code);
      for (const [index, { code, place }] of refs.entries()) {
        const isFirst = codes.indexOf(code) === index;
        check(isFirst, place, `${code} is listed twice in this answer`, "Remove one of the two");
      }
    }
  },
};
