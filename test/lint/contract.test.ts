import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import type { Edition } from "../../scripts/base/index.ts";
import { bundleContract } from "../../scripts/contract/bundle/index.ts";
import { diskFiles, Sources } from "../../scripts/contract/sources/index.ts";
import { type LintResult, lintContract } from "../../scripts/lint/index.ts";
import { bundledContractOf, sources } from "../support/contract.ts";

let lintResult: LintResult;

beforeAll(async () => {
  lintResult = await lintContract({ sources, bundle: bundledContractOf });
});

describe("the contract", () => {
  it("passes Redocly, the rules of this project and Spectral", () => {
    expect(lintResult.findings).toEqual([]);
  });

  it("contains a place to check for every rule, except for rules of optional keys that no file has", () => {
    const optionalKeys = {
      triggers: "x-triggers:",
      links: "links:",
    };
    const texts = lintResult.files
      .filter((file) => !file.endsWith("/extensions.yaml"))
      .map((file) => readFileSync(file, "utf8"));
    const absentRules = Object.entries(optionalKeys).flatMap(([rule, key]) =>
      texts.some((text) => new RegExp(`^ *${key}`, "m").test(text)) ? [] : [rule],
    );
    expect([...lintResult.checks].filter(([, count]) => count === 0).map(([rule]) => rule)).toEqual(absentRules.sort());
  });
});

it("Spectral does not run while the sources have errors", async () => {
  const read = (file: string) => diskFiles.read(file)?.replace("loanId: P101", "loan: P101");
  const unsoundSources = new Sources(`${import.meta.dirname}/clean/openapi.yaml`, { ...diskFiles, read });
  const bundle = () => expect.fail("The bundle was made.");
  const { findings } = await lintContract({ sources: unsoundSources, packageVersion: "1.2.3", bundle });
  expect(findings.map(({ rule }) => rule)).toContain("contract/invalid-request");
});

describe("an error of the program is no finding", () => {
  const fail = () => {
    throw new TypeError("A mistake.");
  };
  const lintWith = (change: (sources: Sources) => object, ...edit: [string, string] | []) => {
    const [replacedText = "", replacement = ""] = edit;
    const read = (file: string) => diskFiles.read(file)?.replace(replacedText, replacement);
    const smallSources = new Sources(`${import.meta.dirname}/clean/openapi.yaml`, { ...diskFiles, read });
    change(smallSources);
    return lintContract({ sources: smallSources, packageVersion: "1.2.3" });
  };
  const failInRule = ({ layout }: Sources) => Object.defineProperty(layout, "guides", { get: fail });
  const failInModel = (smallSources: Sources) => Object.assign(smallSources, { registers: fail });

  it.each([
    ["a rule", failInRule, "lint/rules/"],
    ["the model", failInModel, "lint/source-contract.ts"],
  ])("in %s", async (_place, change, file) => {
    const linting = lintWith(change);
    await expect(linting).rejects.toThrow(TypeError);
    await expect(linting).rejects.toHaveProperty("stack", expect.stringContaining(file));
  });

  it.each([
    ["a rule", failInRule, ["loanId: P101", "loan: P101"], "contract/invalid-request"],
    ["the model", failInModel, ["servers:", "server:"], "struct"],
  ] as const)(
    "in %s, but a mistake in the contract that can be its cause is one",
    async (_place, change, edit, rule) => {
      const { findings } = await lintWith(change, ...edit);
      expect(findings.map((finding) => finding.rule)).toContain(rule);
      expect(findings.map(({ message }) => message).join("\n")).not.toContain("A mistake");
    },
  );
});

it("a finding of Spectral points to the source, in a path and in a component", async () => {
  const folder = `${import.meta.dirname}/clean`;
  const smallSources = new Sources(`${folder}/openapi.yaml`);
  const bundle = async (edition: Edition) => {
    const contract = await bundleContract(edition, smallSources);
    const changedDocument = contract.document;
    delete changedDocument.paths["/v1/loans"]?.post?.tags;
    Object.assign(changedDocument.components?.schemas?.LoanStatus as object, { type: "text" });
    Object.assign(changedDocument.components?.securitySchemes?.token as object, { in: "body" });
    return contract;
  };
  const { findings } = await lintContract({ sources: smallSources, packageVersion: "1.2.3", bundle });
  const lineOf = (file: string, text: string) =>
    readFileSync(`${folder}/${file}`, "utf8").split("\n").indexOf(text) + 1;
  for (const [severity, rule, file, line] of [
    ["warn", "operation-tags", "paths/loan/createLoan.yaml", "post:"],
    ["error", "oas3-schema", "schemas/LoanStatus.yaml", "type: string"],
    ["error", "oas3-schema", "openapi.yaml", "    token:"],
  ] as const) {
    const ownFindings = findings.filter((finding) => finding.rule === rule);
    expect(ownFindings).toContainEqual(
      expect.objectContaining({ severity, file: `${folder}/${file}`, line: lineOf(file, line) }),
    );
    expect(ownFindings[0]?.message).toMatch(/\. Remedy: .+\.$/);
  }
});

it("Spectral reads the published document, with the address for questions", async () => {
  const findingsWith = async (support: string) => {
    const read = (file: string) =>
      file.endsWith("/publishing.yaml")
        ? `{ registry: null, repository: null, status: null, support: "${support}" }`
        : diskFiles.read(file);
    const smallSources = new Sources(`${import.meta.dirname}/clean/openapi.yaml`, { ...diskFiles, read });
    const bundle = (edition: Edition) => bundleContract(edition, smallSources);
    return (await lintContract({ sources: smallSources, packageVersion: "1.2.3", bundle })).findings;
  };
  expect(await findingsWith("https://library.example/help")).toMatchObject([{ rule: "info-description" }]);
  expect(await findingsWith("mailto:help@")).toContainEqual(
    expect.objectContaining({
      rule: "oas3-schema",
      message: expect.stringContaining('"email" property must match format "email"'),
    }),
  );
});
