import { readFileSync } from "node:fs";
import { parseYaml } from "@redocly/openapi-core";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/contract/index.ts";
import { rules } from "../../scripts/lint/rules/index.ts";
import contractPlugin from "../../scripts/redocly/plugin.ts";
import { editClean, lintTexts, pathOf, placeOf } from "./clean-contract.ts";
import { ruleCases } from "./rule-cases/index.ts";

describe("the clean contract", () => {
  it("has no findings, and every rule looks at something in it", async () => {
    const { findings, checks } = await lintTexts(editClean([]));
    expect(findings).toEqual([]);
    expect([...checks.keys()].sort()).toEqual(rules.map(({ name }) => name).sort());
    expect([...checks].filter(([, count]) => count === 0)).toEqual([]);
  });
});

describe("every rule", () => {
  it("has a case", () => {
    expect([...new Set(ruleCases.map(({ rule }) => rule))].sort()).toEqual(rules.map(({ name }) => name).sort());
  });

  it.each(ruleCases)(
    "$rule notices $breaks, and no other rule does",
    async ({ rule, edits, at, problem, severity = "error", also = [] }) => {
      const texts = editClean(edits);
      const { findings } = await lintTexts(texts);
      const [path, snippet] = at;
      const own = findings.filter((finding) => finding.rule === `contract/${rule}`);
      expect(own.map(({ file, line, column }) => ({ file: pathOf(file), line, column }))).toEqual([
        { file: path, ...placeOf(texts, path, snippet) },
      ]);
      const [said, remedy] = own[0]?.message.split(" Remedy: ") ?? [];
      expect(said).toBe(problem);
      expect(remedy).toMatch(/^\S.+\.$/);
      expect(own[0]?.severity).toBe(severity);
      const others = findings.filter((finding) => !own.includes(finding));
      expect(others.map((finding) => finding.rule)).toEqual(also.map((name) => `contract/${name}`));
    },
  );

  it.each(rules)("$name is explained, with a wrong and a right example in YAML", ({ states, why, wrong, right }) => {
    for (const sentence of [states, why]) expect(sentence).toMatch(/^[A-Z`].+\.$/);
    for (const example of [wrong, right]) {
      expect(parseYaml(example)).toBeTypeOf("object");
      const lines = example.trim().split("\n");
      expect(lines.length).toBeGreaterThanOrEqual(2);
      expect(lines.length).toBeLessThanOrEqual(8);
    }
    expect(parseYaml(wrong)).not.toEqual(parseYaml(right));
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

  it("gives every rule of Redocly a remedy", () => {
    const chosen = Object.entries(settings).filter(([name]) => !name.startsWith("contract/"));
    expect(chosen.length).toBeGreaterThan(0);
    for (const [name, setting] of chosen) {
      expect(setting, name).toEqual({
        severity: "error",
        message: expect.stringMatching(/^\{\{message\}\} Remedy: [A-Z].+\.$/),
      });
    }
  });
});

it("a code needs no example in an answer, since its error file has one", async () => {
  const example = `          examples:
            P101:
              summary: The number is malformed
              value:
                errorCode: P101
                errorMessage: loanId is malformed
                timestamp: "2026-03-02T10:00:00.000Z"
`;
  const { findings } = await lintTexts(editClean([{ file: "paths/loan/getLoan.yaml", find: example, put: "" }]));
  expect(findings).toEqual([]);
});

it("the texts of a code may name an operation that both editions have, and a proposed code any operation", async () => {
  const file = "errors/P101.yaml";
  const inBoth = { file, find: "Read the log.", put: "Read the log of Create Loan, and the webhook Loan returned." };
  const proposed = [
    { file, find: "Correct the request.", put: "Call Get Loan." },
    { file, find: "x-provenance: specification", put: "x-provenance: proposed" },
  ];
  for (const edits of [[inBoth], proposed]) {
    const { findings } = await lintTexts(editClean(edits));
    expect(findings.filter(({ rule }) => rule === "contract/code-advice")).toEqual([]);
  }
});

it("what is wrong with an answer that operations share is reported once, in its file", async () => {
  const shared = "responses/MemberNotFound.yaml";
  const answer = `description: There is no such member.
content:
  application/json:
    schema:
      anyOf:
        - $ref: ../errors/P103.yaml
        - $ref: ../schemas/GeneralError.yaml
`;
  const own = `      description: There is no such loan. This answer has no P-code.
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
    editClean([
      { file: shared, write: answer },
      { file: "paths/loan/getLoan.yaml", find: own, put: `      $ref: ../../${shared}\n` },
    ]),
  );
  expect(findings.map(({ file, rule }) => [pathOf(file), rule])).toEqual([[shared, "contract/code-status"]]);
});

/** What redocly.yaml says about the rules for the whole contract. */
function readSettings(): { extends: string[]; rules: Record<string, unknown> } {
  const { apis } = parseYaml(readFileSync(`${projectRoot}/redocly.yaml`, "utf8")) as {
    apis: { test: { extends: string[]; rules: Record<string, unknown> } };
  };
  return apis.test;
}
