import { createLoan, errorFile, getLoan, type RuleCase } from "./rule-case.ts";

export const codesCases: RuleCase[] = [
  {
    rule: "code-examples",
    breaks: "a code without example",
    edits: [{ file: createLoan, find: "            P103:\n", put: "            taken:\n" }],
    at: [createLoan, "»examples:\n            P101:"],
    problem: "P103 has no example.",
  },
  {
    rule: "code-examples",
    breaks: "an answer with a code and without examples",
    edits: [
      {
        file: getLoan,
        find: `          examples:
            P101:
              summary: The number is malformed
              value:
                errorCode: P101
                errorMessage: loanId is malformed
                timestamp: "2026-03-02T10:00:00.000Z"
`,
        put: "",
      },
    ],
    at: [getLoan, "»application/json:\n          schema:\n            oneOf:"],
    problem: "P101 has no example.",
  },
  {
    rule: "code-examples",
    breaks: "an example of a code that the answer does not have",
    edits: [{ file: getLoan, find: "notFound:", put: "P102:" }],
    at: [getLoan, "»P102:"],
    problem: "There is an example of P102, which is not a code of this answer.",
  },
  {
    rule: "code-examples",
    breaks: "an example with the code of another one",
    edits: [{ file: createLoan, find: "errorCode: P103", put: "errorCode: P101" }],
    at: [createLoan, "errorCode: »P101\n                errorMessage: Emma"],
    problem: "The example P103 carries the code P101.",
  },
  {
    rule: "code-file",
    breaks: "an error file without a description",
    edits: [{ file: "errors/P103.yaml", find: "description: Book is lent.\n", put: "" }],
    at: ["errors/P103.yaml", "»title: P103"],
    problem: "This is not the form of an error file: description is missing.",
  },
  {
    rule: "code-file",
    breaks: "a file that is not named after its code",
    edits: [
      { file: "errors/P103.yaml", remove: true },
      { file: "errors/lent.yaml", write: errorFile("P103", 400) },
      { file: createLoan, find: "- $ref: ../../errors/P103.yaml", put: "- $ref: ../../errors/lent.yaml" },
      { file: createLoan, find: "            P103:\n", put: "            lent:\n" },
    ],
    at: ["errors/lent.yaml", "»title: P103"],
    problem: "lent.yaml is not named after a P-code.",
  },
  {
    rule: "code-file",
    breaks: "a constant that is not the code of the file",
    edits: [{ file: "errors/P103.yaml", find: "const: P103", put: "const: P104" }],
    at: ["errors/P103.yaml", "const: »P104"],
    problem: "The file is named P103 but holds P104.",
    also: ["examples-valid"],
  },
  {
    rule: "code-file",
    breaks: "a title without the code",
    edits: [{ file: "errors/P103.yaml", find: "title: P103 Book", put: "title: Book" }],
    at: ["errors/P103.yaml", "title: »Book"],
    problem: "The title does not start with P103.",
  },
  {
    rule: "code-mapping",
    breaks: "a oneOf with a discriminator",
    edits: [
      {
        file: getLoan,
        find: "              - $ref: ../../errors/P101.yaml\n",
        put: "              - $ref: ../../errors/P101.yaml\n            discriminator:\n              propertyName: errorCode\n",
      },
    ],
    at: [getLoan, "»discriminator:"],
    problem: "This oneOf of P-codes has a discriminator.",
  },
  {
    rule: "code-mapping",
    breaks: "a code that is listed twice",
    edits: [
      {
        file: getLoan,
        find: "              - $ref: ../../errors/P101.yaml\n",
        put: "              - $ref: ../../errors/P101.yaml\n              - $ref: ../../errors/P101.yaml\n",
      },
    ],
    at: [getLoan, "- $ref: ../../errors/P101.yaml\n              - »$ref: ../../errors/P101.yaml"],
    problem: "P101 is listed twice in this oneOf.",
    also: ["examples-valid"],
  },
  {
    rule: "code-status",
    breaks: "a code in the answer of another status",
    edits: [{ file: "errors/P103.yaml", find: "status: 400", put: "status: 409" }],
    at: [createLoan, "- »$ref: ../../errors/P103.yaml"],
    problem: "P103 has the status 409 but stands in the 400 answer of createLoan.",
  },
  {
    rule: "code-used",
    breaks: "a code that nothing returns",
    edits: [{ file: "errors/P104.yaml", write: errorFile("P104", 400) }],
    at: ["errors/P104.yaml", "»title: P104"],
    problem: "No operation returns P104.",
    severity: "warn",
  },
  {
    rule: "requires-codes",
    breaks: "a required state without its code",
    edits: [{ file: getLoan, find: "  x-provenance", put: "  x-requires:\n    - member\n  x-provenance" }],
    at: [getLoan, "»x-requires:"],
    problem: "getLoan requires member but does not list P102.",
  },
  {
    rule: "requires-codes",
    breaks: "a code without its state",
    edits: [{ file: createLoan, find: "  x-requires:\n    - member\n", put: "" }],
    at: [createLoan, "»post:"],
    problem: "createLoan lists P102 but does not require member.",
  },
  {
    rule: "requires-codes",
    breaks: "a state without code",
    edits: [{ file: "extensions.yaml", find: "  states:\n    member: P102\n", put: "" }],
    at: [createLoan, "- »member\n  x-triggers"],
    problem: "No P-code is named for the state member.",
  },
];
