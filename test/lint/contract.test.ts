import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { bundleContract } from "../../scripts/contract/bundle/index.ts";
import type { Edition } from "../../scripts/contract/model/index.ts";
import { diskFiles, Sources } from "../../scripts/contract/sources/index.ts";
import { type LintResult, lintContract } from "../../scripts/lint/index.ts";
import { documentOf, sources } from "../support/contract.ts";

let lint: LintResult;

beforeAll(async () => {
  lint = await lintContract({ sources, bundle: documentOf });
});

describe("the contract", () => {
  it("passes Redocly, the rules of this project and Spectral", () => {
    expect(lint.findings).toEqual([]);
  });

  it("contains at least one place for every rule to check", () => {
    // These rules check an optional key, and may find nothing to check while no file has the key.
    const optional = {
      triggers: "x-triggers:",
      links: "links:",
    };
    const texts = lint.files
      .filter((file) => !file.endsWith("/extensions.yaml"))
      .map((file) => readFileSync(file, "utf8"));
    const absent = Object.entries(optional).flatMap(([rule, key]) =>
      texts.some((text) => new RegExp(`^ *${key}`, "m").test(text)) ? [] : [rule],
    );
    expect([...lint.checks].filter(([, count]) => count === 0).map(([rule]) => rule)).toEqual(absent.sort());
  });
});

it("Spectral does not run while the sources have errors", async () => {
  const read = (file: string) => diskFiles.read(file)?.replace("loanId: P101", "loan: P101");
  const unsound = new Sources(`${import.meta.dirname}/clean/openapi.yaml`, { ...diskFiles, read });
  const bundle = () => expect.fail("The bundle was made.");
  const { findings } = await lintContract({ sources: unsound, packageVersion: "1.2.3", bundle });
  expect(findings.map(({ rule }) => rule)).toContain("contract/invalid-request");
});

it("a finding of Spectral points to the source, in a path and in a component", async () => {
  const folder = `${import.meta.dirname}/clean`;
  const small = new Sources(`${folder}/openapi.yaml`);
  const bundle = async (edition: Edition) => {
    const changed = await bundleContract(edition, small);
    delete changed.paths["/v1/loans"]?.post?.tags;
    Object.assign(changed.components?.schemas?.LoanStatus as object, { type: "text" });
    Object.assign(changed.components?.securitySchemes?.token as object, { in: "body" });
    return changed;
  };
  const { findings } = await lintContract({ sources: small, packageVersion: "1.2.3", bundle });
  const lineOf = (file: string, text: string) =>
    readFileSync(`${folder}/${file}`, "utf8").split("\n").indexOf(text) + 1;
  for (const [rule, file, line] of [
    ["operation-tags", "paths/loan/createLoan.yaml", "post:"],
    ["oas3-schema", "schemas/LoanStatus.yaml", "type: string"],
    ["oas3-schema", "openapi.yaml", "    token:"],
  ] as const) {
    const own = findings.filter((finding) => finding.rule === rule);
    expect(own.map((found) => [found.file, found.line])).toContainEqual([`${folder}/${file}`, lineOf(file, line)]);
    expect(own[0]?.message).toMatch(/\. Remedy: .+\.$/);
  }
});
