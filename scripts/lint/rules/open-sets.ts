import { walkSchema } from "../../contract/index.ts";
import type { Rule } from "../rule.ts";
import { schemasFromService } from "../source-contract.ts";

export const openSets: Rule = {
  name: "open-sets",
  states:
    "A set that can grow is listed under `x-open-enum` on a string, never under `enum` or `const`. Every status that the service sends is such a set.",
  why: "The specification leaves these sets open, and a client that knows only yesterday's values must still read today's.",
  wrong: `
status:
  type: string
  enum: [PENDING, APPROVED]`,
  right: `
status:
  type: string
  x-open-enum:
    PENDING: { meaning: No decision was made yet }
    APPROVED: { meaning: The files were accepted }`,
  judge(contract, check) {
    const remedy = "List the known values with their meaning under x-open-enum, and nothing else";
    for (const { holder: schema } of contract.marksOf("x-open-enum")) {
      check(schema.at("type").value === "string", schema, "A set with x-open-enum is not a string", "Add type: string");
      for (const keyword of ["enum", "const"]) {
        const closing = schema.own(keyword);
        check(!closing.exists, closing, `${keyword} closes a set that x-open-enum says is open`, remedy);
      }
    }
    for (const sent of schemasFromService(contract)) {
      walkSchema(
        sent,
        (schema, { path }) => {
          const property = path.at(-1) ?? "";
          if (!/(^s|S)tatus$/.test(property) || schema.own("x-open-enum").exists) return;
          check(!schema.own("enum").exists, schema.own("enum"), `enum closes the values of ${property}`, remedy);
        },
        { conditions: false },
      );
    }
  },
};
