/** The contract of this repository under its linter. */
import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type OpenApiDocument, projectRoot, type Ref } from "../../scripts/contract/index.ts";
import { type Lint, lintContract } from "../../scripts/lint/index.ts";
import { Sources } from "../../scripts/sources/index.ts";
import { documentOf } from "../support/contract.ts";

const sources = new Sources();
let document: OpenApiDocument;
let lint: Lint;

beforeAll(async () => {
  document = await documentOf("test");
  lint = await lintContract({ sources, bundle: documentOf });
});

describe("the contract", () => {
  it("is clean for Redocly, the rules of this project and Spectral", () => {
    expect(lint.findings).toEqual([]);
  });

  it("gives every rule something to look at", () => {
    // What these rules judge may be absent from a contract. As soon as it is there, they have to look at it.
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

it("a finding of Spectral points to the source, in a path and in a component", async () => {
  const changed = structuredClone(document);
  const [item] = Object.values(changed.paths);
  for (const value of Object.values(item ?? {})) if ("responses" in value) delete value.tags;
  Object.assign(changed.components?.schemas?.Uuid as object, { type: "text" });

  const { findings } = await lintContract({
    sources,
    bundle: async (edition) => (edition === "test" ? changed : documentOf("latest")),
  });
  const [reference] = Object.values(sources.place(sources.rootFile).own("paths").value as Record<string, Ref>);
  const path = join(dirname(sources.rootFile), reference?.$ref ?? "");
  const common = `${dirname(sources.rootFile)}/schemas/common.yaml`;
  const lineOfUuid = readFileSync(common, "utf8").split("\n").indexOf("  format: uuid");
  for (const [rule, place] of [
    ["operation-tags", `${relative(projectRoot, path)}:1`],
    ["oas3-schema", `openapi/schemas/common.yaml:${lineOfUuid}`],
  ]) {
    const own = findings.filter((finding) => finding.rule === rule);
    expect(own.map(({ file, line }) => `${relative(projectRoot, file)}:${line}`)).toEqual([place]);
    expect(own[0]?.message).toMatch(/\. Remedy: .+\.$/);
  }
});
