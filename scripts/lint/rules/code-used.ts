import { isCode } from "../../contract/index.ts";
import type { Rule } from "../rule.ts";

export const codeUsed: Rule = {
  name: "code-used",
  severity: "warn",
  states: "At least one operation returns each P-code of the catalogue.",
  why: "A code that no operation returns is left over, or is missing in the answer of an operation.",
  wrong: `
# errors/P464.yaml exists, and no operation lists it
oneOf:
  - $ref: ../../errors/P411.yaml`,
  right: `
oneOf:
  - $ref: ../../errors/P411.yaml
  - $ref: ../../errors/P464.yaml`,
  judge({ operations, catalogue }, check) {
    const used = new Set(operations.flatMap(({ answers }) => answers.flatMap(({ codes }) => codes)));
    for (const place of catalogue.filter(({ name }) => isCode(name))) {
      check(
        used.has(place.name),
        place,
        `No operation returns ${place.name}`,
        "List it in the answer of the operations that return it, or remove its file",
      );
    }
  },
};
