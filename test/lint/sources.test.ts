/** Sources that are too broken for rules: one clear message with file and line, and nothing that follows from it. */
import { describe, expect, it } from "vitest";
import { type Edit, editClean, lintTexts, pathOf } from "./clean-contract.ts";

const loan = "schemas/Loan.yaml";
const createLoan = "paths/loan/createLoan.yaml";
const getLoan = "paths/loan/getLoan.yaml";
const webhook = "webhooks/loanReturned.yaml";

const cases: { broken: string; edits: Edit[]; findings: string[] }[] = [
  {
    broken: "indentation",
    edits: [{ file: loan, find: "  loanId:\n", put: " loanId:\n" }],
    findings: [`${loan}:11:3 yaml-syntax This is no YAML: bad indentation of a mapping entry.`],
  },
  {
    broken: "a key that stands twice",
    edits: [{ file: loan, find: "title: Loan\n", put: "title: Loan\ntitle: Loan\n" }],
    findings: [`${loan}:2:1 yaml-syntax This is no YAML: duplicated mapping key.`],
  },
  {
    broken: "several files at once",
    edits: [
      { file: loan, find: "  loanId:\n", put: "\tloanId:\n" },
      { file: "errors/P103.yaml", find: "title: P103", put: "title: 'P103" },
      { file: "open-questions.yaml", find: "  section", put: "   section" },
    ],
    findings: [
      "errors/P103.yaml:2:1 yaml-syntax This is no YAML: deficient indentation.",
      "open-questions.yaml:5:11 yaml-syntax This is no YAML: bad indentation of a mapping entry.",
      `${loan}:7:1 yaml-syntax This is no YAML: tab characters must not be used in indentation.`,
    ],
  },
  {
    broken: "a register that is missing",
    edits: [{ file: "extensions.yaml", remove: true }],
    findings: [
      "extensions.yaml:1:1 missing-file The file cannot be read: there is no file test/lint/clean/extensions.yaml.",
    ],
  },
  {
    broken: "a file that is missing",
    edits: [{ file: loan, remove: true }],
    findings: [
      `${createLoan}:31:13 no-unresolved-refs \`$ref: ../../schemas/Loan.yaml\` points to nothing: there is no file test/lint/clean/schemas/Loan.yaml.`,
      `${getLoan}:22:13 no-unresolved-refs \`$ref: ../../schemas/Loan.yaml\` points to nothing: there is no file test/lint/clean/schemas/Loan.yaml.`,
      `${webhook}:12:11 no-unresolved-refs \`$ref: ../schemas/Loan.yaml\` points to nothing: there is no file test/lint/clean/schemas/Loan.yaml.`,
    ],
  },
  {
    broken: "a reference to nothing in a file",
    edits: [{ file: loan, find: "$ref: LoanStatus.yaml", put: "$ref: LoanStatus.yaml#/nothing" }],
    findings: [`${loan}:12:5 no-unresolved-refs \`$ref: LoanStatus.yaml#/nothing\` points to nothing.`],
  },
  {
    broken: "a mapping to a file that there is not",
    edits: [
      {
        file: createLoan,
        find: "              - $ref: ../../errors/P103.yaml\n",
        put: "              - $ref: ../../errors/P103.yaml\n            discriminator:\n              propertyName: errorCode\n              mapping:\n                P103: ../../errors/P109.yaml\n",
      },
    ],
    findings: [
      `${createLoan}:54:23 no-unresolved-refs \`P103: ../../errors/P109.yaml\` points to nothing: there is no file test/lint/clean/errors/P109.yaml.`,
    ],
  },
  {
    broken: "a reference to another host",
    edits: [{ file: loan, find: "$ref: LoanStatus.yaml", put: "$ref: https://library.example/LoanStatus.yaml" }],
    findings: [
      `${loan}:12:5 no-unresolved-refs \`$ref: https://library.example/LoanStatus.yaml\` points to nothing: it leaves this repository.`,
    ],
  },
  {
    broken: "a reference to itself",
    edits: [{ file: "schemas/LoanStatus.yaml", write: "$ref: LoanStatus.yaml\n" }],
    findings: ["schemas/LoanStatus.yaml:1:1 circular-reference A reference leads back to itself."],
  },
  {
    broken: "a root that is no OpenAPI",
    edits: [{ file: "openapi.yaml", write: "hello: world\n" }],
    findings: ["openapi.yaml:1:1 openapi-version This is no OpenAPI 3.1 document."],
  },
  {
    broken: "an older OpenAPI",
    edits: [{ file: "openapi.yaml", find: "openapi: 3.1.1", put: "openapi: 3.0.3" }],
    findings: ["openapi.yaml:1:1 openapi-version This is no OpenAPI 3.1 document."],
  },
  {
    broken: "a misspelt keyword",
    edits: [{ file: getLoan, find: "summary: Get Loan", put: "sumary: Get Loan" }],
    findings: [`${getLoan}:5:3 struct Property \`sumary\` is not expected here. Perhaps summary was meant.`],
  },
  {
    broken: "a form on which rules of Redocly throw",
    edits: [{ file: "openapi.yaml", find: "tags:\n  - name: Loans\n    description:", put: "tags:\n    Loans:" }],
    findings: ["openapi.yaml:19:5 struct Expected type `TagList` (array) but got `object`."],
  },
  {
    broken: "an error file that is empty",
    edits: [{ file: "errors/P103.yaml", write: "# Nothing yet.\n" }],
    findings: ["errors/P103.yaml:1:1 struct Expected type `Schema` (object) but got `null`."],
  },
];

describe("broken sources", () => {
  it.each(cases)("$broken", async ({ edits, findings }) => {
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

it("follows a schema that contains itself", async () => {
  const put = "  previous:\n    $ref: Loan.yaml\n  returnedBy:\n";
  const { findings } = await lintTexts(editClean([{ file: loan, find: "  returnedBy:\n", put }]));
  expect(findings).toEqual([]);
});
