import { describe, expect, it } from "vitest";
import {
  type Finding,
  formatFindings,
  sortFindings,
  withRemedy,
  withSuggestedPath,
} from "../../scripts/lint/findings.ts";
import { reportFormats } from "../../scripts/lint/report-formats.ts";
import { nameOneOf } from "../../scripts/lint/rule.ts";

const firstFinding: Finding = {
  file: "/contract/a.yaml",
  line: 2,
  column: 10,
  severity: "error",
  rule: "some-rule",
  message: withRemedy("This is wrong", "Do that."),
};
const secondFinding: Finding = { ...firstFinding, line: 10, column: 1 };
const thirdFinding: Finding = { ...firstFinding, file: "/contract/b.yaml", line: 1 };

describe("findings", () => {
  it("are sorted by file and line, without duplicates", () => {
    const laterColumn: Finding = { ...firstFinding, column: 11 };
    const otherRule: Finding = { ...firstFinding, rule: "some-rule-more" };
    const sortedList = [firstFinding, otherRule, laterColumn, secondFinding, thirdFinding];
    expect(
      sortFindings([thirdFinding, secondFinding, laterColumn, otherRule, firstFinding, { ...secondFinding }]),
    ).toEqual(sortedList);
    expect(sortFindings(sortedList)).toEqual(sortedList);
  });

  it.each([
    ["of the only file with the name", ["/contract/x/Loan.yaml"], "x/Loan.yaml"],
    ["of none of several files with the name", ["/contract/x/Loan.yaml", "/contract/y/Loan.yaml"], undefined],
    ["of the file in the named folder", ["/contract/x/Loan.yaml", "/contract/schemas/Loan.yaml"], "schemas/Loan.yaml"],
    ["of no file without the named part", ["/contract/examples/Loan.yaml"], undefined],
  ])("suggest the path %s", (_description, files, path) => {
    const problem = "`$ref: ../schemas/Loan.yaml#/Loan` points to nothing: there is no file Loan.yaml";
    const finding: Finding = { ...firstFinding, message: withRemedy(problem, "Do that.") };
    const hasPart = (file: string, pointer: string) => pointer === "#/Loan" && !file.includes("/examples/");
    const suggestion = path === undefined ? "" : ` Perhaps \`${path}\` was meant.`;
    expect(withSuggestedPath(finding, files, hasPart).message).toBe(
      finding.message.replace(" Remedy:", `${suggestion} Remedy:`),
    );
  });

  it("list up to 20 known names", () => {
    const names = Array.from({ length: 21 }, (_, index) => `name${index}`);
    expect(nameOneOf(names.slice(1))).toMatch(/^Name one of name1, .+, name20$/);
    expect(nameOneOf(names)).toBe("Correct the name");
  });

  it("are one line each, with colours only on request", () => {
    const file = `${process.cwd()}/a.yaml`;
    const findings: Finding[] = [
      { ...firstFinding, file },
      { ...firstFinding, file, severity: "warn" },
    ];
    const lines = ["error", "warn"].map(
      (severity) => `a.yaml:2:10  ${severity}  some-rule  This is wrong. Remedy: Do that.`,
    );
    expect(formatFindings(findings)).toBe(lines.join("\n"));
    const colouredText = formatFindings(findings, { isColoured: true });
    expect(colouredText).toContain("\u001b[31merror");
    expect(colouredText).toContain("\u001b[33mwarn");
  });

  describe("in the formats of other tools", () => {
    const errorFinding: Finding = {
      ...firstFinding,
      file: `${process.cwd()}/a,b.yaml`,
      message: 'Not <this> & "that", 100%.\nOr so.',
    };
    const warning: Finding = { ...errorFinding, severity: "warn" };
    const report = (format: string, findings: Finding[] = [errorFinding, warning]) =>
      reportFormats[format]?.(findings) ?? "";

    it("are JSON with relative paths", () => {
      expect(JSON.parse(report("json"))).toEqual(
        [errorFinding, warning].map((finding) => ({ ...finding, file: "a,b.yaml" })),
      );
    });

    it("are one GitHub command each, with escaped properties and lines", () => {
      const command = 'file=a%2Cb.yaml,line=2,col=10,title=some-rule::Not <this> & "that", 100%25.%0AOr so.';
      expect(report("github").split("\n")).toEqual([`::error ${command}`, `::warning ${command}`]);
    });

    it("are results of SARIF, each with its rule and place", () => {
      const [run] = JSON.parse(report("sarif")).runs;
      expect(run.tool.driver.rules).toEqual([{ id: "some-rule" }]);
      expect(run.results.map(({ level }: { level: string }) => level)).toEqual(["error", "warning"]);
      const { artifactLocation, region } = run.results[0].locations[0].physicalLocation;
      expect([artifactLocation.uri, region]).toEqual(["a,b.yaml", { startLine: 2, startColumn: 10 }]);
    });

    it("are JUnit failures, and a single passed case when there are none", () => {
      expect(report("junit")).toContain('tests="2" failures="2"');
      expect(report("junit")).toContain('message="Not &#60;this&#62; &#38; &#34;that&#34;, 100%.');
      expect(report("junit", [])).toContain('tests="1" failures="0"');
    });
  });
});
