import { createLoan, errorFile, getLoan, mock, type RuleCase, root, webhook } from "./rule-case.ts";

export const answersCases: RuleCase[] = [
  {
    rule: "answer-status",
    breaks: "an answer for every other status",
    edits: [{ file: getLoan, find: '    "200":', put: "    default:" }],
    at: [getLoan, "»default:"],
    problem: 'getLoan documents an answer "default", which is no definite status.',
  },
  {
    rule: "answer-status",
    breaks: "a range of statuses",
    edits: [{ file: webhook, find: "  x-provenance", put: '    "5XX":\n      description: Later.\n  x-provenance' }],
    at: [webhook, '»"5XX":'],
    problem: 'Webhook loanReturned documents an answer "5XX", which is no definite status.',
  },
  {
    rule: "api-key",
    breaks: "a way around the key",
    edits: [{ file: root, find: "  - apiKey: []", put: "  - apiKey: []\n  - {}" }],
    at: [root, "»security:"],
    problem: "The document does not require exactly one security scheme.",
  },
  {
    rule: "api-key",
    breaks: "another header",
    edits: [{ file: root, find: "name: x-api-key", put: "name: api-key" }],
    at: [root, "»apiKey:\n"],
    problem: "The security scheme is not the header x-api-key.",
  },
  {
    rule: "api-key",
    breaks: "an operation without key",
    edits: [{ file: getLoan, find: "  operationId: getLoan", put: "  operationId: getLoan\n  security: []" }],
    at: [getLoan, "»security: []"],
    problem: "getLoan has a security of its own.",
  },
  {
    rule: "api-key",
    breaks: "a webhook with the partner's key",
    edits: [{ file: webhook, find: "{ token: [] }", put: "{ token: [] }, { apiKey: [] }" }],
    at: [webhook, "»security:"],
    problem: "Webhook loanReturned would require the partner's API key of the service.",
  },
  {
    rule: "api-key",
    breaks: "a webhook that requires the token",
    edits: [{ file: webhook, find: "[{ token: [] }, {}]", put: "[{ token: [] }]" }],
    at: [webhook, "»security:"],
    problem: "The token of Webhook loanReturned is not optional.",
  },
  {
    rule: "coded-answer",
    breaks: "an error without body",
    edits: [{ file: getLoan, find: '    "404":\n', put: '    "405":\n      description: Not so.\n    "404":\n' }],
    at: [getLoan, '»"405":'],
    problem: "The 405 answer of getLoan is not JSON only.",
    also: ["examples-present"],
  },
  {
    rule: "coded-answer",
    breaks: "an error with a schema of its own",
    edits: [
      { file: "schemas/Problem.yaml", write: "title: Problem\ntype: object\nadditionalProperties: true\n" },
      { file: getLoan, find: "$ref: ../../schemas/ErrorWithoutCode.yaml", put: "$ref: ../../schemas/Problem.yaml" },
    ],
    at: [getLoan, "»schema:\n            anyOf:\n              - $ref: ../../schemas/Problem.yaml"],
    problem: "The 404 answer of getLoan is no anyOf of P-codes and GeneralError.",
  },
  {
    rule: "coded-answer",
    breaks: "a P-code outside of a oneOf",
    edits: [
      {
        file: createLoan,
        find: "            oneOf:\n              - $ref: ../../errors/P102.yaml",
        put: "            $ref: ../../errors/P102.yaml",
      },
    ],
    at: [createLoan, "»schema:\n            $ref: ../../errors/P102.yaml"],
    problem: "The 404 answer of createLoan is no oneOf of P-codes.",
    also: ["code-used", "code-examples", "requires-codes"],
  },
  {
    rule: "coded-answer",
    breaks: "a closed answer where the codes are not stated",
    edits: [
      {
        file: getLoan,
        find: "            anyOf:\n              - $ref: ../../errors/P101.yaml\n              - $ref: ../../schemas/GeneralError.yaml",
        put: "            oneOf:\n              - $ref: ../../errors/P101.yaml",
      },
    ],
    at: [getLoan, "»schema:\n            oneOf:\n              - $ref: ../../errors/P101.yaml"],
    problem: "The 400 answer of getLoan is no anyOf of P-codes and GeneralError.",
  },
  {
    rule: "coded-answer",
    breaks: "a 401 with a P-code",
    edits: [
      { file: "errors/P104.yaml", write: errorFile("P104", 401) },
      {
        file: getLoan,
        find: "      $ref: ../../responses/Unauthorized.yaml",
        put: `      description: No.
      content:
        application/json:
          schema:
            oneOf:
              - $ref: ../../errors/P104.yaml
          examples:
            P104:
              summary: Barred
              value: { errorCode: P104, errorMessage: Barred, timestamp: "2026-03-04T10:00:00.000Z" }`,
      },
    ],
    at: [getLoan, '»"401":'],
    problem: "The 401 answer of getLoan carries a P-code, but a missing or wrong key has none.",
  },
  {
    rule: "invalid-request",
    breaks: "a body without an answer",
    edits: [{ file: mock, find: "code: P101", put: "code: P104" }],
    at: [createLoan, "»requestBody:"],
    problem: "Nothing says how an invalid body of createLoan is answered.",
  },
  {
    rule: "invalid-request",
    breaks: "an operation that there is not",
    edits: [{ file: mock, find: "getLoan:", put: "getBook:" }],
    at: [mock, "»getBook:"],
    problem: "There is no operation getBook.",
  },
  {
    rule: "invalid-request",
    breaks: "a parameter that there is not",
    edits: [{ file: mock, find: "loanId: P101", put: "bookId: P101" }],
    at: [mock, "bookId: »P101"],
    problem: "getLoan has no parameter bookId that can be invalid.",
  },
  {
    rule: "invalid-request",
    breaks: "a body that there is not",
    edits: [{ file: mock, find: "parameters: { loanId: P101 }", put: "body: { missing: P101 }" }],
    at: [mock, "»body:"],
    problem: "getLoan has no request body.",
  },
  {
    rule: "invalid-request",
    breaks: "an answer that the operation does not document",
    edits: [{ file: mock, find: "loanId: P101", put: "loanId: P103" }],
    at: [mock, "loanId: »P103"],
    problem: "getLoan does not document P103.",
  },
  {
    rule: "invalid-request",
    breaks: "the status of an answer that has codes",
    edits: [{ file: mock, find: "loanId: P101", put: 'loanId: "400"' }],
    at: [mock, 'loanId: »"400"'],
    problem: "getLoan does not document 400.",
  },
  {
    rule: "unauthorized-answer",
    breaks: "an operation without 401",
    edits: [{ file: getLoan, find: '    "401":\n      $ref: ../../responses/Unauthorized.yaml\n', put: "" }],
    at: [getLoan, "»responses:"],
    problem: "getLoan does not document 401.",
  },
];
