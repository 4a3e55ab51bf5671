import { expect, it } from "vitest";
import { bundleContract } from "../../../scripts/contract/bundle/index.ts";
import { clientFindings } from "../../../scripts/tools/build/index.ts";
import { type Edits, editClean, lintTexts, pathOf, sourcesOf, takeMark } from "../../lint/clean-contract.ts";

const withPart = (yaml: string): Edits => ({
  "schemas/LoanRequest.yaml": ["  book:\n    type: string\n", `  book:\n    type: string\n  part:\n    ${yaml}\n`],
});

it.each<[problem: string, edits: Edits, message: string]>([
  [
    "a constant that is an object",
    withPart("»const: { a: 1 }"),
    "The client compares no objects and lists with const. Remedy: Describe their members with properties or items.",
  ],
  [
    "a body that can be left out",
    { "paths/loan/createLoan.yaml": ["  requestBody:\n    required: true", "  »requestBody:\n    required: false"] },
    "The client always sends the body. Remedy: Write required: true.",
  ],
  [
    "a schema with a name that the client has",
    {
      ...withPart("$ref: Outcome.yaml"),
      "schemas/Outcome.yaml": "»title: Outcome\ntype: string\nenum: [a, b]\n",
    },
    "The client has Outcome for itself. Remedy: Choose another name for the schema.",
  ],
  [
    "a parameter of a shared file with a style",
    { "parameters.yaml": ["LoanId:\n", "»LoanId:\n  style: label\n"] },
    "The client writes parameters in the default style. Remedy: Leave out style, explode and allowReserved.",
  ],
  [
    "a success without the id of what is created",
    {
      "paths/loan/createLoan.yaml": [
        '    "400":\n      description: The book was not lent',
        `    »"202":
      description: The book will be lent.
      content:
        application/json:
          schema: { type: object, properties: { book: { type: string } } }
          examples: { later: { summary: A later loan, value: { book: Emma } } }
    "400":\n      description: The book was not lent`,
      ],
    },
    "x-effects creates the loan with the id loanId of the response, which this success does not have. Remedy: Add loanId to its body, or leave this success out.",
  ],
  [
    "a resource that is no name in TypeScript",
    {
      "resources.yaml": ["\nloan:\n", "\n»new:\n"],
      "paths/loan/createLoan.yaml": ["creates: loan", "creates: new", "moves: loan", "moves: new"],
      "webhooks/loanReturned.yaml": ["resource: loan", "resource: new"],
    },
    'The client names nothing "new", which has a meaning in TypeScript. Remedy: Choose another name.',
  ],
])("names the line of %s, which lint accepts", async (_problem, edits, message) => {
  const texts = editClean(edits);
  const place = takeMark(texts);
  expect((await lintTexts(texts)).findings).toEqual([]);
  const sources = sourcesOf(texts);
  const findings = await clientFindings(await bundleContract("test", sources), sources);
  expect(findings.map(({ file, line, column, ...finding }) => [`${pathOf(file)}:${line}:${column}`, finding])).toEqual([
    [place, { severity: "error", rule: "client", message }],
  ]);
});
