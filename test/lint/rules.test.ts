import { describe, expect, it } from "vitest";
import { rules } from "../../scripts/lint/rules/index.ts";
import { editClean, lintTexts, pathOf, placeOf } from "./clean-contract.ts";
import { ruleCases } from "./rule-cases.ts";

describe("the clean contract", () => {
  it("has no findings, and every rule looks at something in it", async () => {
    const { findings, checks } = await lintTexts(editClean([]));
    expect(findings).toEqual([]);
    expect([...checks].filter(([, count]) => count === 0)).toEqual([]);
  });
});

describe("every rule", () => {
  it("has a case that fires it", () => {
    expect([...new Set(ruleCases.map(({ rule }) => rule))].sort()).toEqual(rules.map(({ name }) => name).sort());
  });

  it.each(ruleCases)(
    "$rule notices $breaks, and no other rule does",
    async ({ rule, edits, at, problem, also = [] }) => {
      const texts = editClean(edits);
      const { findings } = await lintTexts(texts);
      const [path, snippet] = at;
      const own = findings.filter((finding) => finding.rule === rule);
      expect(own.map(({ file, line, column }) => ({ file: pathOf(file), line, column }))).toEqual([
        { file: path, ...placeOf(texts, path, snippet) },
      ]);
      const [said, remedy] = own[0]?.message.split(" Remedy: ") ?? [];
      expect(said).toBe(problem);
      expect(remedy).toMatch(/^\S.+\.$/);
      expect(findings.filter((finding) => finding.rule !== rule).map((finding) => finding.rule)).toEqual(also);
    },
  );
});
