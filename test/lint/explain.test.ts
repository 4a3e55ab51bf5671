import { describe, expect, it } from "vitest";
import { UsageError } from "../../scripts/base/index.ts";
import { explainRule } from "../../scripts/lint/index.ts";
import { rules } from "../../scripts/lint/rules/index.ts";

describe("npm run lint -- --explain", () => {
  it.each(["webhook-path", "contract/webhook-path"])(
    "%s prints the purpose of the rule, with wrong lines and right ones",
    (name) => {
      expect(explainRule(name)).toMatch(
        /^contract\/webhook-path\n\nNo two webhooks .+\.\nWhy: .+\.\nRemedy: .+\.\n\nIn openapi\.yaml .+:\n( {6}.+\n)+ {4}- .+\n {4}- .+$/,
      );
    },
  );

  it("lists all rules of this project", () => {
    const lines = explainRule("").split("\n");
    expect(lines.map((line) => line.split(/ {2,}/)[0])).toEqual(rules.map((rule) => `contract/${rule.name}`));
  });

  it("refuses a name that no rule of this project has", () => {
    expect(() => explainRule("operation-summary")).toThrow(UsageError);
  });
});
