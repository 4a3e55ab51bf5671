import { readFileSync } from "node:fs";
import { parseYaml } from "@redocly/openapi-core";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/base/index.ts";
import contractPlugin from "../../scripts/lint/plugin.ts";
import { rules } from "../../scripts/lint/rules/index.ts";
import { editClean, lintTexts, pathOf } from "./clean-contract.ts";
import { cases, exampleOf, expectReport, lintTogether, type RuleCase } from "./rule-cases.ts";

describe("the clean contract", () => {
  it("has no findings, and at least one place for every rule to check", async () => {
    const { findings, checks } = await lintTexts(editClean({}));
    expect(findings).toEqual([]);
    expect([...checks.keys()]).toEqual(rules.map(({ name }) => name));
    expect([...checks].filter(([, count]) => count === 0)).toEqual([]);
  });
});

describe("rules.yaml", () => {
  it("has every rule, and every rule has its own case", () => {
    const names = rules.map(({ name }) => name);
    expect(names, "rules.yaml is in alphabetical order").toEqual([...names].sort());
    expect(Object.keys(cases), "rule-cases.yaml has the rules in the same order").toEqual(names);
    for (const [exampleCase, ...otherCases] of Object.values(cases)) {
      expect(exampleCase).not.toHaveProperty("edit");
      for (const otherCase of otherCases) expect(otherCase).toHaveProperty("edit");
    }
  });

  it.each(rules)("explains $name, with a short wrong and right example", ({ states, why, ...rule }) => {
    for (const sentence of [states, why]) expect(sentence).toMatch(/^[A-Z`].+\.$/);
    for (const side of ["wrong", "right"] as const) expect(exampleOf(rule, side).split("\n").length).toBeLessThan(12);
  });
});

const findingsOf = lintTogether(Object.values(cases).map(([example]) => example as RuleCase));

it.each(rules)("$name reports its own example, and no other rule does", async (rule) => {
  const [example] = cases[rule.name] ?? [];
  await expectReport(rule, example ?? expect.fail("rule-cases.yaml has no example"), findingsOf);
});

it("reads only x- keys that extensions.yaml has, and files whose form a rule checks", () => {
  const keys = Object.keys(parseYaml(editClean({}).get("extensions.yaml") ?? "") as object);
  const files = ["resources.yaml", "scenario.yaml", "probes.yaml", "open-questions.yaml"];
  expect([...keys, ...files]).toEqual(expect.arrayContaining(rules.flatMap(({ reads = [] }) => reads)));
});

describe("redocly.yaml", () => {
  const { extends: presets, rules: settings } = readSettings();

  it("has every rule of this project, with its own severity", () => {
    expect(presets).toEqual(["contract/all"]);
    expect(contractPlugin().configs?.all?.rules).toEqual(
      Object.fromEntries(rules.map(({ name, severity = "error" }) => [`contract/${name}`, severity])),
    );
  });

  it("has a remedy for every rule of Redocly", () => {
    const chosenSettings = Object.entries(settings).filter(([name]) => !name.startsWith("contract/"));
    expect(chosenSettings.length).toBeGreaterThan(0);
    for (const [name, setting] of chosenSettings) {
      expect(setting, name).toEqual({
        severity: "error",
        message: expect.stringMatching(/^\{\{message\}\} Remedy: [A-Z].+\.$/),
      });
    }
  });
});

it("reports nothing that the rules allow", async () => {
  const { findings } = await lintTexts(
    editClean({
      "mock-control.yaml": null,
      "guides/begin.yaml": "text: Call borrowBook first.\n",
      "paths/loan/getLoan.yaml": [
        "  summary: Get Loan\n",
        '  summary: "Get Loan" # as in the catalogue\n  deprecated: true\n  x-deprecation: { reason: Nobody reads it., replacement: createLoan }\n',
      ],
      "paths/loan/createLoan.yaml": [
        "  responses:\n",
        `  responses:
    "202":
      description: The book is lent later.
      content: { text/plain: { schema: { type: string }, examples: { late: { summary: A day, value: Monday } } } }
`,
        "  x-effects:\n",
        `  x-effects:
    - { moves: loan, id: $response.body#/loanId, from: LATE, to: [LATE, RETURNED] }
    - { moves: member, id: $request.body#/member, state: membership, to: barred }
    - { creates: member, id: $request.body#/member }
`,
        "  x-lookup:\n",
        "  x-lookup:\n    shownBy: [getLoan]\n",
      ],
      "schemas/LoanStatus.yaml": [
        "type: string\n",
        "type: string\ndescription: The status.\nx-provenance: reference\n",
      ],
      "schemas/LoanRequest.yaml": [
        "[string, number]",
        "[string, number]\n    minLength: 4\n    maxLength: 4",
        "    type: string\n    x-sensitive: true\n    minLength: 1\n    maxLength: 300\n",
        "    $ref: Remark.yaml\n",
      ],
      "schemas/Remark.yaml": "title: Remark\ntype: string\nx-sensitive: true\n",
      "schemas/Loan.yaml": [
        "title: Loan\n",
        `title: Loan
allOf: [{ required: [loanId] }]
not: { properties: { loanId: { const: L-0000 } } }
if: { properties: { status: { enum: [RETURNED] } } }
then: { properties: { status: true } }
`,
        "  returnedBy:\n",
        "  place: { const: { shelf: A }, examples: [{ shelf: A }] }\n  returnedBy:\n",
      ],
      "resources.yaml": [
        "  details: [getLoan]\n",
        "  details: [getLoan]\n  differs: { status: { in: [text], reason: The event is older. } }\n",
      ],
      "webhooks/loanReturned.yaml": [
        "Loan.yaml\n",
        "Loan.yaml\n          properties: { status: { $ref: ../schemas/LoanStatus.yaml, description: As returned. } }\n",
        "  responses:\n",
        "      application/xml: { schema: { type: string }, examples: { a: { summary: A, value: <a/> } } }\n  responses:\n",
      ],
    }),
  );
  expect(findings).toEqual([]);
});

it("a problem of a shared response is reported once, in responses.yaml", async () => {
  const response = `MemberNotFound:
  description: There is no such member.
  content:
    application/json:
      schema:
        anyOf:
          - $ref: errors.yaml#/P103
          - $ref: schemas/GeneralError.yaml

Unauthorized:
`;
  const ownResponse = `      description: There is no such loan. This response has no P-code.
      content:
        application/json:
          schema:
            anyOf:
              - $ref: ../../schemas/ErrorWithoutCode.yaml
              - $ref: ../../schemas/GeneralError.yaml
          examples:
            notFound:
              summary: No loan has this number
              value:
                errorMessage: Loan not found
                timestamp: "2026-03-02T10:05:00.000Z"
`;
  const { findings } = await lintTexts(
    editClean({
      "responses.yaml": ["Unauthorized:\n", response],
      "paths/loan/getLoan.yaml": [ownResponse, "      $ref: ../../responses.yaml#/MemberNotFound\n"],
    }),
  );
  expect(findings.map(({ file, rule }) => [pathOf(file), rule])).toEqual([["responses.yaml", "contract/code-status"]]);
});

it.each([
  ["refused if an operation of the specification has the response", [], ["responses.yaml"]],
  [
    "allowed if only proposed operations have it",
    ['    "401":\n      $ref: ../../responses.yaml#/Unauthorized\n', ""],
    [],
  ],
])("a link of a shared response to a proposed operation is %s", async (_case, edit, files) => {
  const link = "      links:\n        details:\n          operationId: getLoan\n          parameters:\n";
  const sharedLink = "  links: { again: { operationId: getLoan } }\n";
  const { findings } = await lintTexts(
    editClean({
      "responses.yaml": ["Unauthorized:\n", `Unauthorized:\n${sharedLink}`],
      "paths/loan/getLoan.yaml": ["x-provenance: reference", "x-provenance: proposed"],
      "paths/loan/createLoan.yaml": [`${link}            loanId: $response.body#/loanId\n`, "", ...edit],
    }),
  );
  const linkFindings = findings.filter(({ rule }) => rule === "contract/links");
  expect(linkFindings.map(({ file }) => pathOf(file))).toEqual(files);
});

function readSettings(): { extends: string[]; rules: Record<string, unknown> } {
  const { apis } = parseYaml(readFileSync(`${projectRoot}/redocly.yaml`, "utf8")) as {
    apis: { test: { extends: string[]; rules: Record<string, unknown> } };
  };
  return apis.test;
}
