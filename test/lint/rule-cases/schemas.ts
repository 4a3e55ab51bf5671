import { loan, loanStatus, type RuleCase } from "./rule-case.ts";

export const schemasCases: RuleCase[] = [
  {
    rule: "open-answers",
    breaks: "a closed object in an answer",
    edits: [
      { file: loan, find: "type: object\nrequired:", put: "type: object\nadditionalProperties: false\nrequired:" },
    ],
    at: [loan, "additionalProperties: »false"],
    problem: "additionalProperties: false closes an object that the service sends.",
  },
  {
    rule: "open-answers",
    breaks: "a closed object within the body of a webhook",
    edits: [
      {
        file: loan,
        find: "      - title: Member\n",
        put: "      - title: Member\n        unevaluatedProperties: false\n",
      },
    ],
    at: [loan, "unevaluatedProperties: »false"],
    problem: "unevaluatedProperties: false closes an object that the service sends.",
  },
  {
    rule: "open-sets",
    breaks: "an open set that is closed all the same",
    edits: [{ file: loanStatus, find: "type: string\n", put: "type: string\nenum: [LENT, LATE, RETURNED]\n" }],
    at: [loanStatus, "\n»enum: [LENT"],
    problem: "enum closes a set that x-open-enum says is open.",
  },
  {
    rule: "open-sets",
    breaks: "an open set that is not of strings",
    edits: [{ file: loanStatus, find: "type: string\n", put: "type: [string]\n" }],
    at: [loanStatus, "»title: Loan status"],
    problem: "A set with x-open-enum is not a string.",
  },
  {
    rule: "open-sets",
    breaks: "a status with a closed set",
    edits: [
      { file: loanStatus, remove: true },
      { file: loan, find: "    $ref: LoanStatus.yaml", put: "    type: string\n    enum: [LENT, LATE, RETURNED]" },
    ],
    at: [loan, "»enum:"],
    problem: "enum closes the values of status.",
    also: ["resources"],
  },
  {
    rule: "schema-sound",
    breaks: "a format that there is not",
    edits: [
      {
        file: loan,
        find: "    type: string\n    examples",
        put: "    type: string\n    format: loan-id\n    examples",
      },
    ],
    at: [loan, "»loanId:\n    type"],
    problem: 'The schema does not compile: unknown format "loan-id" ignored in schema at path "#".',
  },
  {
    rule: "schema-sound",
    breaks: "a pattern that is no regular expression",
    edits: [{ file: "parameters/LoanId.yaml", find: String.raw`^L-\d{4}$`, put: '"^L-["' }],
    at: ["parameters/LoanId.yaml", "»schema:"],
    problem: "The schema does not compile: Invalid regular expression: /^L-[/u: Unterminated character class.",
  },
  {
    rule: "schema-typed",
    breaks: "a property without type",
    edits: [{ file: "schemas/LoanRequest.yaml", find: "  member:\n    type: string\n", put: "  member: {}\n" }],
    at: ["schemas/LoanRequest.yaml", "»member: {}"],
    problem: "The schema does not say what the value is.",
  },
];
