import { createLoan, errorFile, getLoan, type RuleCase } from "./rule-case.ts";

export const codesCases: RuleCase[] = [
  {
    rule: "code-advice",
    breaks: "an operation that is not there",
    edits: [{ file: "errors/P103.yaml", find: "[getLoan]", put: "[getLoan, createBook]" }],
    at: ["errors/P103.yaml", "[getLoan, »createBook]"],
    problem: "There is no operation createBook.",
  },
  {
    rule: "code-advice",
    breaks: "a resolution that names what resolvedBy lists",
    edits: [
      { file: "errors/P103.yaml", find: "Borrow another book.", put: "Borrow another book (Create Loan)." },
      { file: "errors/P103.yaml", find: "[getLoan]", put: "[createLoan]" },
    ],
    at: ["errors/P103.yaml", "resolution: »Borrow another book (Create Loan)."],
    problem: "resolution of P103 names Create Loan, which resolvedBy lists.",
  },
  {
    rule: "code-examples",
    breaks: "an example that repeats the message of the error file",
    edits: [{ file: createLoan, find: "errorMessage: Emma is lent", put: "errorMessage: The book is lent" }],
    at: [createLoan, "errorMessage: »The book is lent"],
    problem: "The example P103 has the message of its error file.",
  },
  {
    rule: "code-examples",
    breaks: "an error file whose example carries another code",
    edits: [{ file: "errors/P103.yaml", find: "- errorCode: P103", put: "- errorCode: P101" }],
    at: ["errors/P103.yaml", "- errorCode: »P101"],
    problem: "The example of P103 carries the code P101.",
    also: ["examples-valid"],
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
    problem: "The example of P103 carries the code P101.",
  },
  {
    rule: "code-file",
    breaks: "an error file without a title",
    edits: [{ file: "errors/P103.yaml", find: "title: P103 Book is lent\n", put: "" }],
    at: ["errors/P103.yaml", "»description: Book"],
    problem: "This is not the form of an error file: title is missing.",
  },
  {
    rule: "code-file",
    breaks: "an error file without an example",
    edits: [
      {
        file: "errors/P103.yaml",
        find: `examples:
  - errorCode: P103
    errorMessage: The book is lent
    timestamp: "2026-03-01T09:00:00.000Z"
`,
        put: "",
      },
    ],
    at: ["errors/P103.yaml", "»title: P103"],
    problem: "This is not the form of an error file: examples is missing.",
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
    also: ["examples-valid", "examples-valid"],
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
        find: "              - $ref: ../../schemas/GeneralError.yaml\n          examples:\n            P101",
        put: "              - $ref: ../../schemas/GeneralError.yaml\n            discriminator:\n              propertyName: errorCode\n          examples:\n            P101",
      },
    ],
    at: [getLoan, "»discriminator:"],
    problem: "This list of P-codes has a discriminator.",
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
    problem: "P101 is listed twice in this answer.",
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
    breaks: "a condition without its code",
    edits: [
      {
        file: getLoan,
        find: "  x-provenance",
        put: "  x-requires:\n    memberExists: $request.path.loanId\n  x-provenance",
      },
    ],
    at: [getLoan, "memberExists: »$request"],
    problem: "getLoan requires memberExists but does not list P102.",
  },
  {
    rule: "requires-codes",
    breaks: "a code without its condition",
    edits: [{ file: createLoan, find: "  x-requires:\n    memberExists: $request.body#/member\n", put: "" }],
    at: [createLoan, "»post:"],
    problem: "createLoan lists P102 but does not require memberExists.",
  },
  {
    rule: "requires-codes",
    breaks: "a condition that is not declared",
    edits: [
      {
        file: createLoan,
        find: "    memberExists: $request",
        put: "    memberExists: $request.body#/member\n    bookFree: $request",
      },
    ],
    at: [createLoan, "bookFree: »$request"],
    problem: "There is no condition bookFree.",
  },
  {
    rule: "requires-codes",
    breaks: "a parameter that the operation does not have",
    edits: [
      { file: createLoan, find: "memberExists: $request.body#/member", put: "memberExists: $request.path.member" },
    ],
    at: [createLoan, "memberExists: »$request.path.member"],
    problem: "createLoan has no parameter member in its path.",
  },
  {
    rule: "requires-codes",
    breaks: "a field that the body does not have",
    edits: [
      {
        file: createLoan,
        find: "memberExists: $request.body#/member",
        put: "memberExists: [$request.body#/member, $request.body#/reader]",
      },
    ],
    at: [createLoan, "»memberExists:"],
    problem: "The request body of createLoan has no field reader.",
  },
];
