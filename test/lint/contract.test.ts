/** The contract of this repository under its linter. */
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { bundleContract } from "../../scripts/build/bundle.ts";
import type { OpenApiDocument } from "../../scripts/contract/document.ts";
import { contractFile, projectRoot } from "../../scripts/contract/project.ts";
import { lintBundle } from "../../scripts/lint/lint-bundle.ts";
import { lintSources, type SourceLint } from "../../scripts/lint/lint-sources.ts";
import { builtInRules } from "../../scripts/lint/redocly.ts";
import type { SourceContract } from "../../scripts/lint/source-contract.ts";

let sources: SourceLint;
let document: OpenApiDocument;

beforeAll(async () => {
  sources = await lintSources(contractFile);
  document = await bundleContract("test");
});

describe("the contract", () => {
  it("is clean for Redocly and the rules of this project", () => {
    expect(sources.findings).toEqual([]);
  });

  it("is clean for Spectral", async () => {
    expect(await lintBundle(document, contract())).toEqual([]);
  });

  it("gives every rule something to look at", () => {
    // What these three judge may be absent from a contract. As soon as it is there, they have to look at it.
    const optional = { triggers: "x-triggers:", lifecycle: "x-lifecycle:", links: "links:" };
    const texts = sources.files
      .filter((file) => !file.endsWith("/extensions.yaml"))
      .map((file) => readFileSync(file, "utf8"));
    const absent = Object.entries(optional).flatMap(([rule, key]) =>
      texts.some((text) => new RegExp(`^ *${key}`, "m").test(text)) ? [] : [rule],
    );
    expect([...sources.checks].filter(([, count]) => count === 0).map(([rule]) => rule)).toEqual(absent.sort());
  });
});

describe("a finding of Spectral", () => {
  it.each([
    {
      where: "a path",
      break: (changed: OpenApiDocument) => {
        delete operationsOf(changed)[0]?.tags;
      },
      at: () => `${relative(projectRoot, sources.contract?.operations[0]?.place.file ?? "")}:1`,
      rule: "operation-tags",
    },
    {
      where: "a component",
      break: (changed: OpenApiDocument) => {
        const schema = changed.components?.schemas?.Uuid as Record<string, unknown>;
        schema.type = "text";
      },
      at: () => "openapi/schemas/common/Uuid.yaml:3",
      rule: "oas3-schema",
    },
  ])("in $where points to the source", async ({ break: breakDocument, at, rule }) => {
    const changed = structuredClone(document);
    breakDocument(changed);
    const findings = (await lintBundle(changed, contract())).filter((finding) => finding.rule === rule);
    expect(findings.map(({ file, line }) => `${relative(projectRoot, file)}:${line}`)).toEqual([at()]);
    expect(findings[0]?.message).toMatch(/\. Remedy: .+\.$/);
  });
});

it("every rule chosen from Redocly is an error with a remedy", () => {
  for (const [name, setting] of Object.entries(builtInRules())) {
    expect(setting, name).toEqual({
      severity: "error",
      message: expect.stringMatching(/^\{\{message\}\} Remedy: [A-Z].+\.$/),
    });
  }
});

function contract(): SourceContract {
  if (sources.contract === undefined) throw new Error("The sources are too broken for rules.");
  return sources.contract;
}

function operationsOf({ paths }: OpenApiDocument) {
  return Object.values(paths).flatMap((item) => Object.values(item).filter((value) => "responses" in value));
}
