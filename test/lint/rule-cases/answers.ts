import { createLoan, errorFile, getLoan, type RuleCase, root, webhook } from "./rule-case.ts";

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
    edits: [{ file: webhook, find: "security: []", put: "security:\n    - apiKey: []" }],
    at: [webhook, "»security:"],
    problem: "Webhook loanReturned would require the partner's API key of the service.",
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
    at: [getLoan, "»schema:\n            $ref: ../../schemas/Problem.yaml"],
    problem: "The 404 answer of getLoan is no oneOf of P-codes.",
  },
  {
    rule: "coded-answer",
    breaks: "a P-code outside of a oneOf",
    edits: [
      { file: "errors/P104.yaml", write: errorFile("P104", 404) },
      { file: getLoan, find: "$ref: ../../schemas/ErrorWithoutCode.yaml", put: "$ref: ../../errors/P104.yaml" },
      {
        file: getLoan,
        find: "errorMessage: Loan not found",
        put: "errorCode: P104\n                errorMessage: Barred",
      },
    ],
    at: [getLoan, "»schema:\n            $ref: ../../errors/P104.yaml"],
    problem: "The 404 answer of getLoan is no oneOf of P-codes.",
    also: ["code-used"],
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
              value: { errorCode: P104, errorMessage: Barred, timestamp: "2026-03-04" }`,
      },
    ],
    at: [getLoan, '»"401":'],
    problem: "The 401 answer of getLoan carries a P-code, but a missing or wrong key has none.",
  },
  {
    rule: "invalid-request",
    breaks: "a body without x-invalid-request",
    edits: [
      { file: createLoan, find: "    x-invalid-request:\n      missing: P101\n      otherwise: P101\n", put: "" },
    ],
    at: [createLoan, "»requestBody:"],
    problem: "The request body of createLoan does not say how an invalid one is answered.",
  },
  {
    rule: "invalid-request",
    breaks: "a shared parameter without x-invalid-request",
    edits: [{ file: "parameters/LoanId.yaml", find: "x-invalid-request: P101\n", put: "" }],
    at: ["parameters/LoanId.yaml", "»name: loanId"],
    problem: "The parameter loanId does not say how an invalid one is answered.",
  },
  {
    rule: "invalid-request",
    breaks: "a parameter that can be missing",
    edits: [{ file: getLoan, find: "      in: query\n", put: "      in: query\n      required: true\n" }],
    at: [getLoan, "- »name: language"],
    problem: "The parameter language does not say how an invalid one is answered.",
  },
  {
    rule: "invalid-request",
    breaks: "an answer that the operation does not document",
    edits: [{ file: createLoan, find: "otherwise: P101", put: "otherwise: P104" }],
    at: [createLoan, "otherwise: »P104"],
    problem: "x-invalid-request names P104, which createLoan does not document.",
  },
  {
    rule: "invalid-request",
    breaks: "a shared parameter that does not suit an operation",
    edits: [{ file: "parameters/LoanId.yaml", find: "x-invalid-request: P101", put: "x-invalid-request: P103" }],
    at: [getLoan, "- »$ref: ../../parameters/LoanId.yaml"],
    problem: "x-invalid-request names P103, which getLoan does not document.",
  },
  {
    rule: "invalid-request",
    breaks: "the status of an answer that has codes",
    edits: [{ file: createLoan, find: "otherwise: P101", put: 'otherwise: "400"' }],
    at: [createLoan, 'otherwise: »"400"'],
    problem: "x-invalid-request names 400, which createLoan does not document.",
  },
  {
    rule: "unauthorized-answer",
    breaks: "an operation without 401",
    edits: [{ file: getLoan, find: '    "401":\n      $ref: ../../responses/Unauthorized.yaml\n', put: "" }],
    at: [getLoan, "»responses:"],
    problem: "getLoan does not document 401.",
  },
];
