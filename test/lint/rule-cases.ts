/** For each rule of this project: one thing broken in the clean contract, and the one finding that must come of it. */
import type { Edit } from "./clean-contract.ts";

export interface RuleCase {
  rule: string;
  breaks: string;
  edits: Edit[];
  /** File and a snippet of it, after the edits, in which » marks the place of the finding. */
  at: [path: string, snippet: string];
  /** What the finding says is wrong. */
  problem: string;
  /** Rules that cannot but notice the same mistake. */
  also?: string[];
}

const root = "openapi.yaml";
const createLoan = "paths/loan/createLoan.yaml";
const getLoan = "paths/loan/getLoan.yaml";
const loan = "schemas/Loan.yaml";
const loanStatus = "schemas/LoanStatus.yaml";
const webhook = "webhooks/loanReturned.yaml";

/** A P-code that the clean contract does not have. */
function errorFile(code: string, status: number): string {
  return `title: ${code} Member is barred
description: Member is barred.
type: object
required: [errorCode, errorMessage, timestamp]
properties:
  errorCode:
    type: string
    const: ${code}
  errorMessage:
    type: string
  timestamp:
    type: string
x-error:
  status: ${status}
  meaning: Member is barred
  retry: never
  resolution: Ask the library.
x-provenance: specification
`;
}

export const ruleCases: RuleCase[] = [
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
    rule: "code-examples",
    breaks: "a code without example",
    edits: [{ file: createLoan, find: "            P103:\n", put: "            taken:\n" }],
    at: [createLoan, "»examples:\n            P101:"],
    problem: "P103 has no example.",
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
      { file: createLoan, find: "P103: ../../errors/P103.yaml", put: "lent: ../../errors/lent.yaml" },
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
    breaks: "a oneOf without discriminator",
    edits: [
      {
        file: getLoan,
        find: "            discriminator:\n              propertyName: errorCode\n              mapping:\n                P101: ../../errors/P101.yaml\n",
        put: "",
      },
    ],
    at: [getLoan, "»schema:\n            oneOf:"],
    problem: "The codes have no discriminator on errorCode.",
  },
  {
    rule: "code-mapping",
    breaks: "a discriminator on another property",
    edits: [{ file: getLoan, find: "propertyName: errorCode", put: "propertyName: errorMessage" }],
    at: [getLoan, "propertyName: »errorMessage"],
    problem: "The codes have no discriminator on errorCode.",
  },
  {
    rule: "code-mapping",
    breaks: "a code that is not mapped",
    edits: [{ file: createLoan, find: "                P103: ../../errors/P103.yaml\n", put: "" }],
    at: [createLoan, "»mapping:\n                P101"],
    problem: "P103 is missing in the mapping.",
  },
  {
    rule: "code-mapping",
    breaks: "a mapped code that is not in the oneOf",
    edits: [
      {
        file: createLoan,
        find: "                P103: ../../errors/P103.yaml\n",
        put: "                P103: ../../errors/P103.yaml\n                P999: ../../errors/P102.yaml\n",
      },
    ],
    at: [createLoan, "P999: »../../errors/P102.yaml"],
    problem: "P999 is mapped but not in the oneOf.",
  },
  {
    rule: "code-mapping",
    breaks: "a code that is mapped to another file",
    edits: [{ file: createLoan, find: "P103: ../../errors/P103.yaml", put: "P103: ../../errors/P102.yaml" }],
    at: [createLoan, "P103: »../../errors/P102.yaml"],
    problem: "P103 is mapped to ../../errors/P102.yaml, which is not its file in the oneOf.",
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
            discriminator:
              propertyName: errorCode
              mapping:
                P104: ../../errors/P104.yaml
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
        put: "  requestBody:\n    x-invalid-request: P101\n    content: {}\n  responses:",
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
    breaks: "an example that comes closest to one of several forms",
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
    breaks: "a default",
    edits: [{ file: "schemas/LoanRequest.yaml", find: "type: number", put: "type: number\n    default: heavy" }],
    at: ["schemas/LoanRequest.yaml", "default: »heavy"],
    problem: "The default does not fit its schema: it must be number.",
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
    rule: "file-reached",
    breaks: "a schema that nothing refers to",
    edits: [{ file: "schemas/Shelf.yaml", write: "title: Shelf\ntype: object\n" }],
    at: ["schemas/Shelf.yaml", "»title: Shelf"],
    problem: "Nothing refers to Shelf.yaml.",
  },
  {
    rule: "info-version",
    breaks: "another version than that of the package",
    edits: [{ file: root, find: "version: 1.2.3", put: "version: 1.3.0" }],
    at: [root, "version: »1.3.0"],
    problem: "The contract has the version 1.3.0, package.json has 1.2.3.",
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
    rule: "lifecycle",
    breaks: "a value that the status does not have",
    edits: [{ file: loanStatus, find: "initial: [LENT]", put: "initial: [ORDERED]" }],
    at: [loanStatus, "initial: [»ORDERED]"],
    problem: "ORDERED is no known value of this status.",
  },
  {
    rule: "lifecycle",
    breaks: "a value without a way on",
    edits: [{ file: loanStatus, find: "    LATE: [RETURNED]\n", put: "" }],
    at: [loanStatus, "»transitions:"],
    problem: "LATE is not final and has no transitions.",
  },
  {
    rule: "lifecycle",
    breaks: "a final value that goes on",
    edits: [{ file: loanStatus, find: "final: [RETURNED]", put: "final: [RETURNED, LATE]" }],
    at: [loanStatus, "»LATE: [RETURNED]"],
    problem: "LATE is final but has transitions.",
  },
  {
    rule: "links",
    breaks: "a link to nowhere",
    edits: [{ file: createLoan, find: "operationId: getLoan", put: "operationId: getLoans" }],
    at: [createLoan, "operationId: »getLoans"],
    problem: "The link leads to getLoans, which no operation has.",
  },
  {
    rule: "links",
    breaks: "a link with a parameter that the operation does not have",
    edits: [{ file: createLoan, find: "loanId: $response", put: "id: $response" }],
    at: [createLoan, "id: »$response"],
    problem: "The link fills id, which is no parameter of getLoan.",
  },
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
  },
  {
    rule: "operation-name",
    breaks: "an operation without operationId",
    edits: [{ file: createLoan, find: "  operationId: createLoan\n", put: "" }],
    at: [createLoan, "»post:"],
    problem: "The operation has no operationId.",
  },
  {
    rule: "operation-name",
    breaks: "an operationId that starts with a noun",
    edits: [{ file: createLoan, find: "operationId: createLoan", put: "operationId: loanCreate" }],
    at: [createLoan, "operationId: »loanCreate"],
    problem: '"loanCreate" is not a verb and a noun in camelCase.',
  },
  {
    rule: "operation-name",
    breaks: "a file that is not named after its operation",
    edits: [{ file: createLoan, find: "operationId: createLoan", put: "operationId: addLoan" }],
    at: [createLoan, "»post:"],
    problem: "createLoan.yaml is not named after its first operation.",
  },
  {
    rule: "operation-name",
    breaks: "a webhook that is not named after its file",
    edits: [
      { file: root, find: "  loanReturned:\n", put: "  bookReturned:\n" },
      { file: createLoan, find: "- loanReturned", put: "- bookReturned" },
    ],
    at: [webhook, "»post:"],
    problem: "loanReturned.yaml is not named after the webhook bookReturned.",
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
    rule: "question-resolves",
    breaks: "a mark without entry",
    edits: [{ file: createLoan, find: "    - Q-loan-period", put: "    - Q-loan-period\n    - Q-late-fee" }],
    at: [createLoan, "- »Q-late-fee"],
    problem: "There is no open question Q-late-fee.",
  },
  {
    rule: "question-used",
    breaks: "an entry without mark",
    edits: [{ file: createLoan, find: "  x-open-questions:\n    - Q-loan-period\n", put: "" }],
    at: ["open-questions.yaml", "»Q-loan-period:"],
    problem: "Nothing is marked with Q-loan-period.",
  },
  {
    rule: "register-form",
    breaks: "an open question without evidence",
    edits: [{ file: "open-questions.yaml", find: "  evidence: None.\n", put: "" }],
    at: ["open-questions.yaml", "»Q-loan-period:"],
    problem: "The entry does not have its form: Q-loan-period.evidence is missing.",
  },
  {
    rule: "register-form",
    breaks: "an open question with another kind of id",
    edits: [
      { file: "open-questions.yaml", find: "Q-loan-period:", put: "Q_loan_period:" },
      { file: createLoan, find: "- Q-loan-period", put: "- Q_loan_period" },
    ],
    at: ["open-questions.yaml", "»Q_loan_period:"],
    problem: 'The entry does not have its form: "Q_loan_period" must match pattern "^Q-[a-z0-9]+(-[a-z0-9]+)*$".',
  },
  {
    rule: "register-form",
    breaks: "a key on a kind of object that there is not",
    edits: [{ file: "extensions.yaml", find: "[Schema, SecurityScheme]", put: "[Scheme, SecurityScheme]" }],
    at: ["extensions.yaml", "[»Scheme, SecurityScheme]"],
    problem:
      "The entry does not have its form: x-sensitive.on.0 must be one of Root, Info, Server, ServerVariable, Tag, Paths, PathItem, Operation, Parameter, RequestBody, MediaType, Encoding, Responses, Response, Header, Example, Link, Schema, Discriminator, Components, SecurityScheme.",
  },
  {
    rule: "register-form",
    breaks: "a key whose schema does not compile",
    edits: [{ file: "extensions.yaml", find: "    const: true", put: "    konst: true" }],
    at: ["extensions.yaml", "»schema:\n    konst: true"],
    problem: 'The schema of x-sensitive does not compile: strict mode: unknown keyword: "konst".',
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
    rule: "root-form",
    breaks: "a root without the dialect",
    edits: [{ file: root, find: "jsonSchemaDialect: https://json-schema.org/draft/2020-12/schema\n", put: "" }],
    at: [root, "»openapi: 3.1.1"],
    problem: "This is not the form of the root document: jsonSchemaDialect is missing.",
  },
  {
    rule: "root-form",
    breaks: "a path without version",
    edits: [{ file: root, find: "  /v1/loans/{loanId}:", put: "  /loans/{loanId}:" }],
    at: [root, "»/loans/{loanId}:"],
    problem: String.raw`This is not the form of the root document: "/loans/{loanId}" must match pattern "^/v\d+/".`,
  },
  {
    rule: "root-form",
    breaks: "a webhook in the wrong folder",
    edits: [{ file: root, find: "$ref: webhooks/loanReturned.yaml", put: "$ref: ./webhooks/loanReturned.yaml" }],
    at: [root, "$ref: »./webhooks"],
    problem: String.raw`This is not the form of the root document: webhooks.loanReturned.$ref must match pattern "^webhooks/[a-zA-Z0-9]+\.yaml$".`,
  },
  {
    rule: "requires-codes",
    breaks: "a state without code",
    edits: [{ file: "extensions.yaml", find: "  states:\n    member: P102\n", put: "" }],
    at: [createLoan, "- »member\n  x-triggers"],
    problem: "No P-code is named for the state member.",
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
  {
    rule: "triggers",
    breaks: "a webhook that there is not",
    edits: [{ file: createLoan, find: "- loanReturned", put: "- loanLost" }],
    at: [createLoan, "- »loanLost"],
    problem: "There is no webhook loanLost.",
  },
  {
    rule: "unauthorized-answer",
    breaks: "an operation without 401",
    edits: [{ file: getLoan, find: '    "401":\n      $ref: ../../responses/Unauthorized.yaml\n', put: "" }],
    at: [getLoan, "»responses:"],
    problem: "getLoan does not document 401.",
  },
  {
    rule: "webhook-form",
    breaks: "a webhook that is no POST",
    edits: [{ file: webhook, find: "post:", put: "put:" }],
    at: [webhook, "»put:"],
    problem: "Webhook loanReturned is a PUT.",
  },
  {
    rule: "webhook-form",
    breaks: "a webhook without path",
    edits: [{ file: webhook, find: "  x-webhook-path: /loan-returned\n", put: "" }],
    at: [webhook, "»post:"],
    problem: "Webhook loanReturned has no path on the partner's server.",
  },
  {
    rule: "webhook-form",
    breaks: "a webhook without JSON",
    edits: [
      {
        file: webhook,
        find: "  requestBody:\n    required: true\n    content:\n      application/json:",
        put: "  requestBody:\n    required: true\n    content:\n      application/xml:",
      },
    ],
    at: [webhook, "»requestBody:"],
    problem: "Webhook loanReturned has no JSON body.",
  },
  {
    rule: "webhook-form",
    breaks: "a webhook that is answered otherwise",
    edits: [{ file: webhook, find: '"200":', put: '"201":' }],
    at: [webhook, "»responses:"],
    problem: "Webhook loanReturned is not answered with 200 and a JSON object.",
  },
];
