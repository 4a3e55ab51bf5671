import type { Rule } from "../rule.ts";

export const stated: Rule = {
  name: "stated",
  states:
    "`x-stated` stands only on an operation or webhook whose provenance is weaker than `specification`; a webhook has no method of its own to state.",
  why: "It says what the specification states all the same. Where the specification states the whole, it would narrow that to a part.",
  wrong: `
operationId: createUserAccount
x-provenance: specification
x-stated: [name, method]`,
  right: `
operationId: suspendUser
x-provenance: proposed
x-stated: [name, method]`,
  judge({ subjects }, check) {
    for (const { kind, label, place, provenance } of subjects) {
      const mark = place.own("x-stated");
      check(
        !mark.exists || provenance !== "specification",
        mark,
        `${label} is stated as a whole, and x-stated names a part`,
        "Remove x-stated, or correct x-provenance",
      );
      const method = mark.items().find(({ value }) => value === "method");
      check(
        kind === "operation" || method === undefined,
        method ?? mark,
        `${label} is a webhook: all of them are POST requests`,
        "Remove method",
      );
    }
  },
};
