import { createLoan, getLoan, loan, loanStatus, type RuleCase, root, webhook } from "./rule-case.ts";

const loanRequest = "schemas/LoanRequest.yaml";

/** The exception of the clean contract. */
const exception = "    x-lint-exceptions:\n      schema-typed: The library stores a remark of any type as it is.\n";

export const extensionsCases: RuleCase[] = [
  {
    rule: "exception-used",
    breaks: "an exception whose cause is gone",
    edits: [{ file: loanRequest, find: "  remark:\n", put: "  remark:\n    type: string\n" }],
    at: [loanRequest, "schema-typed: »The library"],
    problem: "The exception from schema-typed covers no problem.",
  },
  {
    rule: "exception-used",
    breaks: "an exception from a rule that does not exist",
    edits: [
      {
        file: loanRequest,
        find: "    x-lint-exceptions:\n",
        put: "    x-lint-exceptions:\n      schema-type: The library stores it as it is.\n",
      },
    ],
    at: [loanRequest, "schema-type: »The library"],
    problem: "The exception from schema-type covers no problem.",
  },
  {
    rule: "exception-used",
    breaks: "an exception on another object than the one concerned",
    edits: [
      { file: loanRequest, find: exception, put: "" },
      { file: loanRequest, find: "    type: number\n", put: `    type: number\n${exception}` },
    ],
    at: [loanRequest, "schema-typed: »The library"],
    problem: "The exception from schema-typed covers no problem.",
    also: ["schema-typed"],
  },
  {
    rule: "extension-known",
    breaks: "a misspelt key",
    edits: [{ file: loan, find: "title: Loan\n", put: "title: Loan\nx-provenence: proposed\n" }],
    at: [loan, "x-provenence: »proposed"],
    problem: "x-provenence is no known key.",
  },
  {
    rule: "extension-known",
    breaks: "a misspelt key beside a reference",
    edits: [{ file: loan, find: "    $ref: LoanStatus.yaml", put: "    $ref: LoanStatus.yaml\n    x-sensitiv: true" }],
    at: [loan, "x-sensitiv: »true"],
    problem: "x-sensitiv is no known key.",
  },
  {
    rule: "extension-known",
    breaks: "a key that only the build writes",
    edits: [{ file: root, find: "  version: 1.2.3", put: "  version: 1.2.3\n  x-edition: latest" }],
    at: [root, "x-edition: »latest"],
    problem: "x-edition is written by the build.",
  },
  {
    rule: "extension-place",
    breaks: "a key on the wrong kind of object",
    edits: [{ file: getLoan, find: "  operationId: getLoan", put: "  operationId: getLoan\n  x-sensitive: true" }],
    at: [getLoan, "x-sensitive: »true"],
    problem: "x-sensitive stands on an object of the kind Operation.",
  },
  {
    rule: "extension-value",
    breaks: "a value that the key cannot have",
    edits: [{ file: getLoan, find: "x-provenance: proposed", put: "x-provenance: guessed" }],
    at: [getLoan, "x-provenance: »guessed"],
    problem: "x-provenance does not have its form: it must be one of specification, proposed.",
  },
  {
    rule: "extension-value",
    breaks: "a value that lacks a part",
    edits: [{ file: "errors/P103.yaml", find: "  retry: never\n", put: "" }],
    at: ["errors/P103.yaml", "»x-error:"],
    problem: "x-error does not have its form: retry is missing.",
  },
  {
    rule: "extension-value",
    breaks: "a value that has none of several forms",
    edits: [{ file: createLoan, find: "      otherwise: P101\n", put: "" }],
    at: [createLoan, "»x-invalid-request:"],
    problem: "x-invalid-request does not have its form: it has none of the forms that it can have.",
  },
  {
    rule: "provenance",
    breaks: "an operation that does not say where it comes from",
    edits: [{ file: createLoan, find: "  x-provenance: specification\n", put: "" }],
    at: [createLoan, "»post:"],
    problem: "createLoan does not say where it comes from.",
  },
  {
    rule: "provenance",
    breaks: "a webhook that does not say where it comes from",
    edits: [{ file: webhook, find: "  x-provenance: specification\n", put: "" }],
    at: [webhook, "»post:"],
    problem: "Webhook loanReturned does not say where it comes from.",
  },
  {
    rule: "provenance",
    breaks: "a P-code that does not say where it comes from",
    edits: [{ file: "errors/P103.yaml", find: "x-provenance: specification\n", put: "" }],
    at: ["errors/P103.yaml", "»title: P103"],
    problem: "The P-code does not say where it comes from.",
  },
  {
    rule: "provenance",
    breaks: "a shared schema that claims more than the operations that use it",
    edits: [{ file: loanStatus, find: "type: string\n", put: "type: string\nx-provenance: specification\n" }],
    at: [loanStatus, "x-provenance: »specification"],
    problem: "The mark specification is not weaker than what encloses it, wherever it is used.",
  },
  {
    rule: "provenance",
    breaks: "a provenance of required fields where none is required",
    edits: [{ file: loanStatus, find: "type: string\n", put: "type: string\nx-required-provenance: proposed\n" }],
    at: [loanStatus, "x-required-provenance: »proposed"],
    problem: "x-required-provenance stands beside no required.",
  },
];
