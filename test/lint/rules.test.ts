import { readFileSync } from "node:fs";
import { parseYaml } from "@redocly/openapi-core";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/contract/model/index.ts";
import { assumptionFindings, type Finding } from "../../scripts/lint/index.ts";
import contractPlugin from "../../scripts/lint/plugin.ts";
import type { Rule } from "../../scripts/lint/rule.ts";
import { rules } from "../../scripts/lint/rules/index.ts";
import { type Edits, editClean, lintTexts, pathOf, replaceOnce, sourcesOf, takeMark } from "./clean-contract.ts";

/** The first lines of rule-cases.yaml describe the fields. */
interface RuleCase {
  description?: string;
  edit?: Edits;
  position?: Record<string, string>;
  problem: string;
  remedy?: string;
  otherRules?: string[];
}

const text = readFileSync(new URL("./rule-cases.yaml", import.meta.url), "utf8");
const cases = parseYaml(text) as Record<string, RuleCase[]>;

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

describe.each(rules)("$name", (rule) => {
  const mistakes = (cases[rule.name] ?? []).map(
    (mistake) => [mistake.description ?? "its own example", mistake] as const,
  );

  it.each(mistakes)("reports %s, and no other rule does", async (_description, mistake) => {
    const { problem: expectedProblem, remedy: expectedRemedy, otherRules = [] } = mistake;
    const { place } = brokenContractOf(mistake);
    const findings = await findingsOf(mistake);
    const ownFindings = findings.filter((finding) => finding.rule === `contract/${rule.name}`);
    expect(ownFindings.map(placeOf)).toEqual([place]);
    const [problem, remedy] = ownFindings[0]?.message.split(" Remedy: ") ?? [];
    expect(problem).toBe(expectedProblem);
    expect(remedy).toMatch(/^\S.+\.$/);
    if (expectedRemedy !== undefined) expect(remedy).toBe(expectedRemedy);
    expect(ownFindings[0]?.severity).toBe(rule.severity ?? "error");
    const otherFindings = findings.filter((finding) => !ownFindings.includes(finding));
    expect(otherFindings.map((finding) => finding.rule)).toEqual(otherRules.map((name) => `contract/${name}`));
  });
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
        "  summary: Get Loan\n  deprecated: true\n  x-deprecation: { reason: Nobody reads it., replacement: createLoan }\n",
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
        "    required: true\n    content:\n",
        `    required: true
    content:
      text/plain: { schema: { type: string }, examples: { title: { summary: A title, value: Emma } } }
`,
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

it("the form of mock.yaml is judged without lint too, if both of its files exist", () => {
  const rulesIn = (edits: Edits) => assumptionFindings(sourcesOf(editClean(edits))).map(({ rule }) => rule);
  expect(rulesIn({ "mock.yaml": ["days: 28", "day: 28"] })).toEqual(["contract/mock-assumptions"]);
  for (const file of ["mock.yaml", "mock-control.yaml"]) expect(rulesIn({ [file]: null })).toEqual([]);
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

interface BrokenContract {
  readonly ruleName: string;
  readonly changedFiles: ReadonlyMap<string, string | null>;
  readonly place: string;
}

const cleanTexts = editClean({});
const brokenContracts = new Map<RuleCase, BrokenContract>();

function brokenContractOf(mistake: RuleCase): BrokenContract {
  const knownContract = brokenContracts.get(mistake);
  if (knownContract !== undefined) return knownContract;
  const rule = rules.find(({ name }) => cases[name]?.includes(mistake)) as Rule;
  const { edit = exampleEdit(rule), position = {} } = mistake;
  const texts = editClean(edit);
  for (const [file, marked] of Object.entries(position)) {
    texts.set(file, replaceOnce(texts.get(file) ?? "", [marked.replace("»", ""), marked]));
  }
  const place = takeMark(texts);
  const paths = [...new Set([...cleanTexts.keys(), ...texts.keys(), ...Object.keys(position)])];
  const differingPaths = paths.filter((path) => cleanTexts.get(path) !== texts.get(path) || path in position);
  const changedFiles = new Map(differingPaths.map((path) => [path, texts.get(path) ?? null]));
  const brokenContract = { ruleName: rule.name, changedFiles, place };
  brokenContracts.set(mistake, brokenContract);
  return brokenContract;
}

const placeOf = ({ file, line, column }: Finding) => `${pathOf(file)}:${line}:${column}`;

function textsWith(mistakes: readonly RuleCase[]): Map<string, string> {
  const texts = new Map(cleanTexts);
  for (const [path, text] of mistakes.flatMap((mistake) => [...brokenContractOf(mistake).changedFiles])) {
    if (text === null) texts.delete(path);
    else texts.set(path, text);
  }
  return texts;
}

/** Batches of mistakes that are linted together. The mistakes of a batch are in different files and break different rules. */
let batches: { readonly mistakes: RuleCase[]; findings?: Promise<Finding[]> }[] | undefined;

function makeBatches() {
  const newBatches: { mistakes: RuleCase[] }[] = [];
  for (const mistake of Object.values(cases).flat()) {
    const { ruleName, changedFiles } = brokenContractOf(mistake);
    const isSuitable = ({ mistakes }: { mistakes: RuleCase[] }) =>
      mistakes.map(brokenContractOf).every((other) => {
        return other.ruleName !== ruleName && ![...other.changedFiles.keys()].some((path) => changedFiles.has(path));
      });
    const batch = newBatches.find(isSuitable);
    if (batch === undefined) newBatches.push({ mistakes: [mistake] });
    else batch.mistakes.push(mistake);
  }
  return newBatches;
}

const rulesOf = (mistake: RuleCase) =>
  [brokenContractOf(mistake).ruleName, ...(mistake.otherRules ?? [])].map((name) => `contract/${name}`);

/**
 * A mistake is linted alone if the findings of its batch are not as expected, because one mistake can hide another, or if another mistake
 * of the batch has findings of the same rules.
 */
async function findingsOf(mistake: RuleCase): Promise<Finding[]> {
  batches ??= makeBatches();
  const batch = batches.find(({ mistakes }) => mistakes.includes(mistake)) as NonNullable<typeof batches>[number];
  batch.findings ??= lintTexts(textsWith(batch.mistakes)).then(({ findings }) => findings);
  const batchFindings = await batch.findings;
  const expected = batch.mistakes.flatMap(rulesOf).sort();
  const isAsExpected = JSON.stringify(batchFindings.map(({ rule }) => rule).sort()) === JSON.stringify(expected);
  const mistakesOfSameRules = batch.mistakes.filter((other) =>
    rulesOf(other).some((rule) => rulesOf(mistake).includes(rule)),
  );
  if (!isAsExpected || mistakesOfSameRules.length > 1) return (await lintTexts(textsWith([mistake]))).findings;
  return batchFindings.filter(({ rule }) => rulesOf(mistake).includes(rule));
}

function exampleOf({ example }: Pick<Rule, "example">, side: "wrong" | "right"): string {
  const otherSign = side === "wrong" ? "+" : "-";
  const lines = example.trimEnd().split("\n");
  return lines.flatMap((line) => (line.startsWith(otherSign) ? [] : [line.slice(2)])).join("\n");
}

function readSettings(): { extends: string[]; rules: Record<string, unknown> } {
  const { apis } = parseYaml(readFileSync(`${projectRoot}/redocly.yaml`, "utf8")) as {
    apis: { test: { extends: string[]; rules: Record<string, unknown> } };
  };
  return apis.test;
}

function exampleEdit(rule: Rule): Edits {
  const [right = "", wrong = ""] = (["right", "wrong"] as const).map((side) => exampleOf(rule, side));
  const text = editClean({}).get(rule.file) ?? "";
  for (let indent = ""; indent.length < 20; indent += "  ") {
    // Removes the comments of the examples, which the files do not contain.
    const lines = [right, wrong].map((example) => `${example}\n`.replace(/^#.*\n/gm, "").replace(/^(?=.)/gm, indent));
    if (text.includes(lines[0] ?? "")) return { [rule.file]: lines };
  }
  throw new Error(`The right lines of ${rule.name} are not in ${rule.file}.`);
}
