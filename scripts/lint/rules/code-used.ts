import type { Rule } from "../rule.ts";
import { codeOfFile } from "../source-contract.ts";

/**
 * Every P-code of the catalogue is returned by at least one operation.
 *
 * Why: a code that nothing returns cannot be provoked, tested or met; it is a leftover or an operation forgot it.
 */
export const codeUsed: Rule = {
  name: "code-used",
  judge({ operations, catalogue }, check) {
    const used = new Set(
      operations.flatMap(({ answers }) => answers.flatMap(({ codes }) => codes.map(({ code }) => code))),
    );
    for (const place of catalogue) {
      const code = codeOfFile(place.file);
      check(
        used.has(code),
        place,
        `No operation returns ${code}`,
        "List it in the answer of the operations that return it, or remove its file",
      );
    }
  },
};
