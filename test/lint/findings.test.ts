import { describe, expect, it } from "vitest";
import { type Finding, formatFindings, sortFindings, withRemedy } from "../../scripts/lint/findings.ts";

const first: Finding = {
  file: "/contract/a.yaml",
  line: 2,
  column: 10,
  severity: "error",
  rule: "some-rule",
  message: withRemedy("This is wrong", "Do that."),
};
const second: Finding = { ...first, line: 10, column: 1 };
const third: Finding = { ...first, file: "/contract/b.yaml", line: 1 };

describe("findings", () => {
  it("stand in the order of files and lines, each once", () => {
    expect(sortFindings([third, second, first, { ...second }])).toEqual([first, second, third]);
  });

  it("are one line each", () => {
    expect(formatFindings([first, third], { folder: "/contract" })).toBe(
      "a.yaml:2:10  error  some-rule  This is wrong. Remedy: Do that.\n" +
        "b.yaml:1:10  error  some-rule  This is wrong. Remedy: Do that.",
    );
  });

  it("tell a warning from an error", () => {
    const lines = formatFindings([{ ...first, severity: "warn" }], { folder: "/contract" });
    expect(lines).toBe("a.yaml:2:10  warn  some-rule  This is wrong. Remedy: Do that.");
  });

  it("are coloured only when asked", () => {
    expect(formatFindings([first], { folder: "/contract", colour: true })).toContain("\u001b[31merror");
    const warning: Finding = { ...first, severity: "warn" };
    expect(formatFindings([warning], { folder: "/contract", colour: true })).toContain("\u001b[33mwarn");
    expect(formatFindings([first], { folder: "/contract" })).not.toContain("\u001b");
  });
});
