import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { editions } from "../../scripts/base/index.ts";
import { bundleContract, toYaml } from "../../scripts/contract/bundle/index.ts";
import { Sources } from "../../scripts/contract/sources/index.ts";
import { type Finding, lintContract } from "../../scripts/lint/index.ts";
import { runCommand } from "../support/command.ts";
import { bundles } from "../support/contract.ts";
import { ProjectCopy } from "../support/project-copy.ts";

async function runForJson<Json>(
  tool: string,
  args: string[],
  { folder }: ProjectCopy,
): Promise<{ code: number | null; json: Json }> {
  const { code, output } = await runCommand(`${folder}/node_modules/.bin/${tool}`, args, folder);
  const [text = ""] = /^[[{]\n[\s\S]*?\n[\]}]/m.exec(output) ?? expect.fail(output);
  return { code, json: JSON.parse(text) as Json };
}

describe("with defects in the contract", () => {
  let copy: ProjectCopy;
  let sources: Sources;
  beforeAll(() => {
    copy = new ProjectCopy();
    sources = new Sources(join(copy.folder, "openapi/openapi.yaml"));
  });
  afterAll(() => copy.remove());

  const packageVersion = "1.2.3";
  const lineOfFinding = ({ file, line, column, severity, rule }: Finding) =>
    `${file.slice(copy.folder.length + 1)}:${line}:${column} ${severity} ${rule}`;

  it("npx spectral lint reports in the bundle what npm run lint reports", async () => {
    copy.edit("openapi/schemas/Loan.yaml", "  returnedBy:\n", "  shelves:\n    type: array\n  returnedBy:\n");
    const { document } = await bundleContract("test", sources);
    copy.createFolder("generated/test");
    copy.write("generated/test/openapi.yaml", toYaml(document));
    const { code, json } = await runForJson<{ code: string; severity: number }[]>(
      "spectral",
      ["lint", "--format=json", "generated/test/openapi.yaml"],
      copy,
    );

    const { findings } = await lintContract({
      sources,
      packageVersion,
      bundle: (edition) => bundleContract(edition, sources),
    });
    const expectedRules = ["array-items error", "info-description warn"];
    expect(findings.map(({ rule, severity }) => `${rule} ${severity}`).sort()).toEqual(expectedRules);
    const foundRules = json.map((result) => `${result.code} ${result.severity === 0 ? "error" : "warn"}`);
    expect(foundRules.sort()).toEqual(expectedRules);
    expect(code).toBe(1);
  });

  it("npx redocly lint reports the same problems as npm run lint, at the same places", async () => {
    copy.edit("openapi/paths/loan/createLoan.yaml", "member: m-20", "members: m-20");
    copy.edit("openapi/paths/loan/createLoan.yaml", "  x-open-questions:\n    - Q-loan-period\n", "");
    copy.edit("openapi/paths/loan/getLoan.yaml", "summary: Get Loan", 'summary: ""');
    for (const path of sources.paths) sources.forget(path);
    const { code, json } = await runForJson<{
      problems: {
        ruleId: string;
        severity: string;
        message: string;
        location: { source: { ref: string }; start: { line: number; col: number } }[];
      }[];
    }>("redocly", ["lint", "--format=json"], copy);

    const { findings } = await lintContract({ sources, packageVersion });
    expect(findings.map(lineOfFinding)).toEqual([
      "openapi/open-questions.yaml:1:1 warn contract/question-used",
      expect.stringMatching(/^openapi\/paths\/loan\/createLoan\.yaml:\d+:13 error contract\/examples-valid$/),
      expect.stringMatching(/^openapi\/paths\/loan\/getLoan\.yaml:\d+:3 error operation-summary$/),
    ]);
    const foundLines = json.problems.map(({ ruleId, severity, location: [location] }) => {
      const { source, start } = location ?? expect.fail(`${ruleId} has no place`);
      return `${source.ref}:${start.line}:${start.col} ${severity} ${ruleId}`;
    });
    expect(foundLines.sort()).toEqual(findings.map(lineOfFinding).sort());
    expect(json.problems.map(({ message }) => message).sort()).toEqual(findings.map(({ message }) => message).sort());
    expect(code).toBe(1);
  });
});

it("npx redocly bundle writes bundles identical to those of npm run build", async () => {
  const copy = new ProjectCopy("whole");
  try {
    const { code, output } = await runCommand(`${copy.folder}/node_modules/.bin/redocly`, ["bundle"], copy.folder);
    expect(code, output).toBe(0);
    for (const edition of editions) {
      expect(copy.read(`generated/${edition}/openapi.yaml`), edition).toBe((await bundles())[edition].yaml);
    }
  } finally {
    copy.remove();
  }
});

it("npx redocly bundle refuses an operation without provenance, with its line, in place of leaving it out", async () => {
  const copy = new ProjectCopy();
  try {
    copy.edit("openapi/paths/loan/getLoan.yaml", "  x-provenance: reference\n", "");
    const { code, output } = await runCommand(`${copy.folder}/node_modules/.bin/redocly`, ["bundle"], copy.folder);
    expect(code, output).not.toBe(0);
    expect(output).toMatch(/openapi\/paths\/loan\/getLoan\.yaml:\d+:1: #\/get has no x-provenance\./);
  } finally {
    copy.remove();
  }
});

it("npm run guides reports a part that names nothing, after it has written the others", async () => {
  const copy = new ProjectCopy();
  try {
    const guide = "openapi/guides/how-to-call.md";
    const parts = ["codes createLoan", "codes createLoann"].map(
      (call) => `\n<!-- ${call} -->\n<!-- /${call.split(" ")[0]} -->\n`,
    );
    copy.write(guide, copy.read(guide) + parts.join(""));
    const { code, output } = await runCommand("node", ["--import", "tsx", "scripts/cli/npm/guides.ts"], copy.folder);
    expect([code, output]).toEqual([1, expect.stringContaining(`Written: ${guide}`)]);
    expect(output).toContain('The block codes cannot show "createLoann": the contract has no such thing.');
    expect(output).not.toContain("    at ");
    expect(copy.read(guide)).toMatch(/<!-- codes createLoan -->\n\|.*Code/);
  } finally {
    copy.remove();
  }
}, 120_000);
