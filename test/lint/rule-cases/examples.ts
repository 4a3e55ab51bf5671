import { createLoan, getLoan, loan, type RuleCase, webhook } from "./rule-case.ts";

export const examplesCases: RuleCase[] = [
  {
    rule: "examples-distinct",
    breaks: "an example that repeats another",
    edits: [
      {
        file: createLoan,
        find: "member: m-20\n              book: World Atlas\n              weight: 2.5",
        put: "member: m-17\n              book: Emma",
      },
    ],
    at: [createLoan, "summary: An atlas\n            »value:"],
    problem: 'The example "atlas" of createLoan repeats "novel".',
    severity: "warn",
  },
  {
    rule: "examples-present",
    breaks: "a body without example",
    edits: [
      {
        file: webhook,
        find: "          examples:\n            received:\n              summary: An empty object\n              value: {}\n",
        put: "",
      },
    ],
    at: [webhook, "»application/json:\n          schema:\n            title: Acknowledgement"],
    problem: "The body has no named example.",
  },
  {
    rule: "examples-present",
    breaks: "an answer without body",
    edits: [{ file: getLoan, find: '    "401":\n', put: '    "202":\n      description: Soon.\n    "401":\n' }],
    at: [getLoan, '»"202":'],
    problem: "The 202 answer of getLoan has no body.",
  },
  {
    rule: "examples-present",
    breaks: "a request body without content",
    edits: [
      {
        file: getLoan,
        find: "  responses:",
        put: "  requestBody:\n    content: {}\n  responses:",
      },
    ],
    at: [getLoan, "»requestBody:"],
    problem: "The request body is empty.",
  },
  {
    rule: "examples-present",
    breaks: "an example without value",
    edits: [
      { file: createLoan, find: "            value:\n              member: m-17\n              book: Emma\n", put: "" },
    ],
    at: [createLoan, "»novel:"],
    problem: 'The example "novel" has no value.',
  },
  {
    rule: "examples-present",
    breaks: "an example without summary",
    edits: [{ file: createLoan, find: "            summary: A novel\n", put: "" }],
    at: [createLoan, "»novel:"],
    problem: 'The example "novel" has no summary.',
  },
  {
    rule: "examples-present",
    breaks: "a parameter without example",
    edits: [{ file: getLoan, find: "      example: en\n", put: "" }],
    at: [getLoan, "name: »language"],
    problem: "The parameter language has no example.",
  },
  {
    rule: "examples-valid",
    breaks: "an example that lacks a property",
    edits: [{ file: createLoan, find: "              book: Emma\n", put: "" }],
    at: [createLoan, "summary: A novel\n            »value:"],
    problem: 'The example "novel" does not fit its schema: book is missing.',
  },
  {
    rule: "examples-valid",
    breaks: "an example with a misspelt property",
    edits: [{ file: createLoan, find: "weight: 2.5", put: "wight: 2.5" }],
    at: [createLoan, "wight: »2.5"],
    problem: 'The example "atlas" does not fit its schema: wight is a property that the schema does not know.',
  },
  {
    rule: "examples-valid",
    breaks: "a misspelt property in a part of the example",
    edits: [
      {
        file: webhook,
        find: "                member: m-17",
        put: "                member: m-17\n                name: Ann",
      },
    ],
    at: [webhook, "name: »Ann"],
    problem:
      'The example "returned" does not fit its schema: returnedBy.name is a property that the schema does not know.',
  },
  {
    rule: "examples-valid",
    breaks: "a value that has none of several forms, by the errors of the closest one",
    edits: [{ file: webhook, find: "                member: m-17", put: "                member: 17" }],
    at: [webhook, "member: »17"],
    problem: 'The example "returned" does not fit its schema: returnedBy.member must be string.',
  },
  {
    rule: "examples-valid",
    breaks: "the example of a code with a malformed timestamp",
    edits: [{ file: createLoan, find: '"2026-03-01T10:05:00.000Z"', put: "yesterday" }],
    at: [createLoan, "timestamp: »yesterday"],
    problem: 'The example "P103" does not fit its schema: timestamp must match format "date-time".',
  },
  {
    rule: "examples-valid",
    breaks: "the example of a parameter",
    edits: [{ file: "parameters/LoanId.yaml", find: "example: L-0002", put: "example: L-2" }],
    at: ["parameters/LoanId.yaml", "example: »L-2"],
    problem: String.raw`The example does not fit its schema: it must match pattern "^L-\d{4}$".`,
  },
  {
    rule: "examples-valid",
    breaks: "an example in a schema",
    edits: [{ file: loan, find: "- L-0003", put: "- 3" }],
    at: [loan, "- »3"],
    problem: "The example does not fit its schema: it must be string.",
  },
  {
    rule: "examples-valid",
    breaks: "an example in an error file",
    edits: [
      {
        file: "errors/P103.yaml",
        find: `    timestamp: "2026-03-01T09:00:00.000Z"\n`,
        put: "",
      },
    ],
    at: ["errors/P103.yaml", "- »errorCode: P103"],
    problem: "The example does not fit its schema: timestamp is missing.",
  },
  {
    rule: "examples-valid",
    breaks: "a default",
    edits: [{ file: "schemas/LoanRequest.yaml", find: "type: number", put: "type: number\n    default: heavy" }],
    at: ["schemas/LoanRequest.yaml", "default: »heavy"],
    problem: "The default does not fit its schema: it must be number.",
  },
];
