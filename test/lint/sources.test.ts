import { describe, expect, it } from "vitest";
import { type Edits, editClean, lintTexts, pathOf } from "./clean-contract.ts";

const loan = "schemas/Loan.yaml";
const createLoan = "paths/loan/createLoan.yaml";
const getLoan = "paths/loan/getLoan.yaml";
const webhook = "webhooks/loanReturned.yaml";

const malformed = (key: string) => `contract/extension-value ${key} does not have the required form:`;

const cases: { title: string; edits: Edits; findings: string[] }[] = [
  {
    title: "indentation",
    edits: { [loan]: ["  loanId:\n", " loanId:\n"] },
    findings: [`${loan}:11:3 yaml-syntax This is not valid YAML: bad indentation of a mapping entry.`],
  },
  {
    title: "a repeated key",
    edits: { [loan]: ["title: Loan\n", "title: Loan\ntitle: Loan\n"] },
    findings: [
      `${loan}:2:1 yaml-syntax This is not valid YAML: duplicated mapping key \`title\`, which is already in line 1.`,
    ],
  },
  {
    title: "a repeated key, once in quotes",
    edits: { [loan]: ["  loanId:\n", "  'status':\n    type: string\n  loanId:\n"] },
    findings: [
      `${loan}:13:3 yaml-syntax This is not valid YAML: duplicated mapping key \`status\`, which is already in line 7.`,
    ],
  },
  {
    title: "a reference without its $",
    edits: { [loan]: ["$ref: LoanStatus.yaml", "ref: LoanStatus.yaml"] },
    findings: [`${loan}:12:5 struct Property \`ref\` is not expected here. Perhaps \`$ref\` was meant.`],
  },
  {
    title: "the nullable of OpenAPI 3.0",
    edits: { [loan]: ["    $ref: LoanStatus.yaml", "    type: string\n    nullable: true"] },
    findings: [
      `${loan}:13:5 struct Property \`nullable\` is not expected here. OpenAPI 3.1 expresses this in the type: \`type: [string, "null"]\`, or a \`oneOf\` of a \`$ref\` and \`type: "null"\`.`,
    ],
  },
  {
    title: "a misspelt key of the control interface",
    edits: { "mock-control.yaml": ["summary:", "sumary:"] },
    findings: ["mock-control.yaml:8:7 struct Property `sumary` is not expected here. Perhaps summary was meant."],
  },
  {
    title: "a control interface in another version of OpenAPI",
    edits: { "mock-control.yaml": ["openapi: 3.1.1", "openapi: 3.0.3"] },
    findings: ["mock-control.yaml:1:1 openapi-version This is not an OpenAPI 3.1 document."],
  },
  {
    title: "a reference to a file in the wrong folder",
    edits: { [createLoan]: ["$ref: ../../schemas/LoanRequest.yaml", "$ref: ../schemas/LoanRequest.yaml"] },
    findings: [
      `${createLoan}:13:11 no-unresolved-refs \`$ref: ../schemas/LoanRequest.yaml\` points to nothing: there is no file test/lint/clean/paths/schemas/LoanRequest.yaml. Perhaps \`../../schemas/LoanRequest.yaml\` was meant.`,
    ],
  },
  {
    title: "several files at once",
    edits: {
      [loan]: ["  loanId:\n", "\tloanId:\n"],
      "errors.yaml": ["meaning: Book is lent", "meaning: 'Book is lent"],
      "open-questions.yaml": ["  section", "   section"],
    },
    findings: [
      "errors.yaml:44:3 yaml-syntax This is not valid YAML: deficient indentation.",
      "open-questions.yaml:5:11 yaml-syntax This is not valid YAML: bad indentation of a mapping entry.",
      `${loan}:7:1 yaml-syntax This is not valid YAML: tab characters must not be used in indentation.`,
    ],
  },
  {
    title: "a missing register",
    edits: { "extensions.yaml": null },
    findings: [
      "extensions.yaml:1:1 missing-file The file cannot be read: there is no file test/lint/clean/extensions.yaml.",
    ],
  },
  {
    title: "a missing file",
    edits: { [loan]: null },
    findings: [
      `${createLoan}:33:13 no-unresolved-refs \`$ref: ../../schemas/Loan.yaml\` points to nothing: there is no file test/lint/clean/schemas/Loan.yaml.`,
      `${getLoan}:23:13 no-unresolved-refs \`$ref: ../../schemas/Loan.yaml\` points to nothing: there is no file test/lint/clean/schemas/Loan.yaml.`,
      `${webhook}:13:11 no-unresolved-refs \`$ref: ../schemas/Loan.yaml\` points to nothing: there is no file test/lint/clean/schemas/Loan.yaml.`,
    ],
  },
  {
    title: "a reference to a missing part of a file",
    edits: { [loan]: ["$ref: LoanStatus.yaml", "$ref: LoanStatus.yaml#/nothing"] },
    findings: [`${loan}:12:5 no-unresolved-refs \`$ref: LoanStatus.yaml#/nothing\` points to nothing.`],
  },
  {
    title: "a mapping to an entry that does not exist",
    edits: {
      [createLoan]: [
        "              - $ref: ../../errors.yaml#/P103\n",
        "              - $ref: ../../errors.yaml#/P103\n            discriminator:\n              propertyName: errorCode\n              mapping:\n                P103: ../../errors.yaml#/P109\n",
      ],
    },
    findings: [`${createLoan}:56:23 no-unresolved-refs \`P103: ../../errors.yaml#/P109\` points to nothing.`],
  },
  {
    title: "a reference to another host",
    edits: { [loan]: ["$ref: LoanStatus.yaml", "$ref: https://library.example/LoanStatus.yaml"] },
    findings: [
      `${loan}:12:5 no-unresolved-refs \`$ref: https://library.example/LoanStatus.yaml\` points to nothing: it leaves this repository.`,
    ],
  },
  {
    title: "a reference to itself",
    edits: { "schemas/LoanStatus.yaml": "$ref: LoanStatus.yaml\n" },
    findings: ["schemas/LoanStatus.yaml:1:7 circular-reference A reference leads back to itself."],
  },
  {
    title: "an empty operation",
    edits: { [getLoan]: "get:\n" },
    findings: [`${getLoan}:1:1 struct Expected type \`Operation\` (object) but got \`null\`.`],
  },
  {
    title: "a root document that is not OpenAPI",
    edits: { "openapi.yaml": "hello: world\n" },
    findings: ["openapi.yaml:1:1 openapi-version This is not an OpenAPI 3.1 document."],
  },
  {
    title: "an older version of OpenAPI",
    edits: { "openapi.yaml": ["openapi: 3.1.1", "openapi: 3.0.3"] },
    findings: ["openapi.yaml:1:1 openapi-version This is not an OpenAPI 3.1 document."],
  },
  {
    title: "a misspelt keyword",
    edits: { [getLoan]: ["summary: Get Loan", "sumary: Get Loan"] },
    findings: [`${getLoan}:6:3 struct Property \`sumary\` is not expected here. Perhaps summary was meant.`],
  },
  {
    title: "a malformed object on which rules of Redocly throw",
    edits: { "openapi.yaml": ["tags:\n  - name: Loans\n    description:", "tags:\n    Loans:"] },
    findings: ["openapi.yaml:19:5 struct Expected type `TagList` (array) but got `object`."],
  },
  {
    title: "an empty file of P-codes",
    edits: { "errors.yaml": "# Nothing yet.\n" },
    findings: ["errors.yaml:1:1 missing-file The file cannot be read: it is empty."],
  },
  {
    title: "a file with two documents",
    edits: { "schemas/Loan.yaml": ["title: Loan\n", "---\ntitle: Loan\n---\n"] },
    findings: ["schemas/Loan.yaml:3:1 yaml-syntax The file contains a second YAML document."],
  },
  {
    title: "a schema that refers to itself",
    edits: { [loan]: ["    $ref: LoanStatus.yaml\n", '    $ref: "#/properties/status"\n'] },
    findings: [`${loan}:12:11 circular-reference A reference leads back to itself.`],
  },
  {
    title: "a schema that contains itself through allOf",
    edits: { [loan]: ["type: object\nrequired", 'type: object\nallOf:\n  - $ref: "#/"\nrequired'] },
    findings: [`${loan}:4:11 circular-reference A reference leads back to itself.`],
  },
  {
    title: "two schemas that contain each other through anyOf",
    edits: {
      [loan]: ["type: object\nrequired", "type: object\nanyOf:\n  - $ref: LoanRequest.yaml\nrequired"],
      "schemas/LoanRequest.yaml": ["if:", "allOf:\n  - $ref: Loan.yaml\nif:"],
    },
    findings: [
      `${loan}:4:11 circular-reference A reference leads back to itself.`,
      "schemas/LoanRequest.yaml:22:11 circular-reference A reference leads back to itself.",
    ],
  },
];

describe("broken sources", () => {
  it.each(cases)("$title", async ({ edits, findings }) => {
    const result = await lintTexts(editClean(edits));
    const lines = result.findings.map(({ file, line, column, rule, message }) => {
      const [problem, remedy] = message.split(" Remedy: ");
      expect(remedy).toMatch(/^[A-Z].+\.$/);
      return `${pathOf(file)}:${line}:${column} ${rule} ${problem}`;
    });
    expect(lines).toEqual(findings);
    expect(result.checks.size).toBe(0);
  });
});

it("reports a misspelt lifecycle key without follow-up findings", async () => {
  const edits = { "resources.yaml": ["transitions:\n        LENT", "transition:\n        LENT"] };
  const { findings } = await lintTexts(editClean(edits));
  expect(findings.map(({ rule, line, message }) => `${line} ${rule} ${message.split(" Remedy: ")[0]}`)).toEqual([
    "12 contract/register-form The entry does not have the form of its schema: loan.states.status.transitions is missing.",
    "15 contract/register-form The entry does not have the form of its schema: loan.states.status.transition is not a property of the schema. Did you mean transitions?",
  ]);
});

it("reports a failed choice of a state beside the other mistakes of the file", async () => {
  const edits = {
    "resources.yaml": [
      "      schema: schemas/LoanStatus.yaml\n",
      "      schema: schemas/LoanStatus.yaml\n      meaning: How it stands.\n      suceeds: RETURNED\n",
      "initial: ordinary",
      "initial: [ordinary]",
      "      meaning: Somebody becomes a member.\n",
      "",
    ],
  };
  const { findings } = await lintTexts(editClean(edits));
  const form = "contract/register-form The entry does not have the form of its schema:";
  expect(
    findings
      .filter(({ rule }) => rule === "contract/register-form")
      .map(({ line, rule, message }) => `${line} ${rule} ${message.split(" Remedy: ")[0]}`),
  ).toEqual([
    `12 ${form} loan.states.status has more than one of its permitted forms.`,
    `15 ${form} loan.states.status.suceeds is not a property of the schema. Did you mean succeeds?`,
    `27 ${form} member.states.membership.initial must NOT have fewer than 2 items.`,
    `42 ${form} member.externalEvents.memberJoins.meaning is missing.`,
  ]);
});

it("reports a missing initial value of a status once", async () => {
  const { findings } = await lintTexts(editClean({ "resources.yaml": ["initial: LENT", "initial: LENTT"] }));
  expect(findings.map(({ line, rule, message }) => `${line} ${rule} ${message.split(" Remedy: ")[0]}`)).toEqual([
    "12 contract/resources LENTT is not a known value of LoanStatus.",
  ]);
});

it.each<[key: string, edits: Edits, findings: string[]]>([
  [
    "x-event",
    {
      [webhook]: ["  x-event:\n    resource: loan\n    after: [RETURNED]\n    body: { loanId: loanId }", "  x-event:"],
    },
    [`${webhook}:36 contract/extension-value x-event does not have the required form: it must be object.`],
  ],
  [
    "x-event.body",
    { [webhook]: ["body: { loanId: loanId }", "body:"] },
    [`${webhook}:39 contract/extension-value x-event does not have the required form: body must be object.`],
  ],
  [
    "invalidRequests.operations",
    { "mock.yaml": ["    getLoan: { parameters: { loanId: P101 } }\n", ""] },
    [
      "mock.yaml:3 contract/mock-assumptions invalidRequests does not have the required form: operations must be object.",
    ],
  ],
  [
    "webhookDelivery",
    { "resources.yaml": ["  provenance: reference\n  attempts: 3\n  delays: [5, 10]\n  healthPath: /health\n", ""] },
    [
      "resources.yaml:1 contract/register-form The entry does not have the form of its schema: webhookDelivery must be object.",
    ],
  ],
  [
    "x-effects.creates",
    { [createLoan]: ["{ creates: loan,", "{ create: loan,"] },
    [`${createLoan}:89 ${malformed("x-effects")} 0 has none of its permitted forms.`],
  ],
  [
    "one of the two in x-effects",
    { [createLoan]: ["{ creates: loan,", "{ creates: loan, moves: loan,"] },
    [`${createLoan}:89 ${malformed("x-effects")} 0 has more than one of its permitted forms.`],
  ],
  [
    "x-event.resource",
    { [webhook]: ["resource: loan", "resorce: loan"] },
    [`${webhook}:36 ${malformed("x-event")} resource is missing.`],
  ],
  [
    "x-compared-as",
    {
      "schemas/Loan.yaml": [
        "          member:\n            type: string",
        "          member:\n            type: string\n            x-compared-as: iban",
      ],
      "schemas/LoanRequest.yaml": [
        "  member:\n    type: string",
        "  member:\n    type: string\n    x-compared-as: ibann",
      ],
    },
    [`schemas/LoanRequest.yaml:9 ${malformed("x-compared-as")} it must be one of iban.`],
  ],
  [
    "x-webhook-path.path",
    { [webhook]: ["    path: /loan-returned", "    paht: /loan-returned"] },
    [`${webhook}:34 ${malformed("x-webhook-path")} path is missing.`],
  ],
  [
    "x-error.status",
    { "errors.yaml": ["status: 404", "staus: 404"] },
    [`errors.yaml:25 ${malformed("x-error")} status is missing.`],
  ],
  [
    "x-sensitive",
    {
      "openapi.yaml": [
        "      name: Authorization\n      x-sensitive: true",
        "      name: Authorization\n      x-sensitive: yes",
      ],
    },
    [`openapi.yaml:47 ${malformed("x-sensitive")} it must be true.`],
  ],
  [
    "x-open-questions",
    { [createLoan]: ["  x-open-questions:\n    - Q-loan-period", "  x-open-questions: Q-loan-period"] },
    [`${createLoan}:93 ${malformed("x-open-questions")} it must be array.`],
  ],
  [
    "scenario.timeline.operation",
    { "scenario.yaml": ["    operation: createLoan\n    request", "    oparation: createLoan\n    request"] },
    [
      "scenario.yaml:2 contract/register-form The entry does not have the form of its schema: timeline.0.operation is missing.",
      "scenario.yaml:3 contract/register-form The entry does not have the form of its schema: timeline.0.oparation is not a property of the schema. Did you mean operation?",
    ],
  ],
])("reports %s without value or misspelt at its line, and nothing else", async (_key, edits, expectedFindings) => {
  const { findings } = await lintTexts(editClean(edits));
  const lines = findings.map(({ file, line, rule, message }) => {
    return `${pathOf(file)}:${line} ${rule} ${message.split(" Remedy: ")[0]}`;
  });
  expect(lines).toEqual(expectedFindings);
});

it("reports a text with a colon as one that needs quotes", async () => {
  const { findings } = await lintTexts(editClean({ [loan]: ["title: Loan\n", "title: Loan: repaid\n"] }));
  expect(findings.map(({ message }) => message)).toEqual([
    "This is not valid YAML: bad indentation of a mapping entry. Remedy: Put a text that contains a colon and a space in quotes.",
  ]);
});

it("accepts a schema that contains itself", async () => {
  const replacement = "  previous:\n    $ref: Loan.yaml\n  returnedBy:\n";
  const { findings } = await lintTexts(editClean({ [loan]: ["  returnedBy:\n", replacement] }));
  expect(findings).toEqual([]);
});
