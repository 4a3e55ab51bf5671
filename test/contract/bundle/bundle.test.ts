import { relative } from "node:path";
import { describe, expect, it } from "vitest";
import { editions, UsageError } from "../../../scripts/base/index.ts";
import { bundleContract, bundleEditions, toJson, toYaml } from "../../../scripts/contract/bundle/index.ts";
import { Sources } from "../../../scripts/contract/sources/index.ts";
import { diskFiles } from "../../../scripts/contract/sources/source-files.ts";
import { copyOf, documentOf } from "../../support/contract.ts";
import { memorySources } from "../../support/memory-sources.ts";

it.each(editions)("the bundle of the edition %s refers to its own components only", async (edition) => {
  const document = await documentOf(edition);
  const references = [...toJson(document).matchAll(/"\$ref": "([^"]*)"/g)].map(([, reference]) => reference);
  expect(references.length).toBeGreaterThan(0);
  expect(references.filter((reference) => !reference?.startsWith("#/components/"))).toEqual([]);
});

it("the YAML of a bundle repeats shared values, without anchors", async () => {
  const document = await copyOf("latest");
  Object.assign(document, { "x-first": document.info, "x-second": document.info });
  expect(toYaml(document)).not.toMatch(/: [&*]\w+$/m);
});

describe("a contract that cannot be bundled is refused with the name of the file", () => {
  const root = {
    openapi: "3.1.1",
    info: { title: "A contract", version: "1.0.0" },
    servers: [],
    paths: { "/item": { $ref: "paths/item.yaml" } },
  };

  const operation = { summary: "Get Item", "x-provenance": "proposed", responses: {} };
  const P101 = { allOf: [{ $ref: "#/nothing" }], properties: { errorCode: { const: "P101" } } };
  const responseWith = (schema: object) => ({ description: "No.", content: { "application/json": { schema } } });
  const item = relative(process.cwd(), "/contract/paths/item.yaml");
  const rootFile = relative(process.cwd(), "/contract/openapi.yaml");

  it.each([
    ["broken YAML", { "paths/item.yaml": "get: [unclosed\nx: 1\n" }, `${item}:2:1: deficient indentation`],
    [
      "broken YAML that several references name",
      {
        "paths/item.yaml": { parameters: ["A", "B"].map((name) => ({ $ref: `../parameters.yaml#/${name}` })) },
        "parameters.yaml": "A: [unclosed\nx: 1\n",
      },
      `${relative(process.cwd(), "/contract/parameters.yaml")}:2:1: deficient indentation`,
    ],
    [
      "an empty file that several references name",
      {
        "paths/item.yaml": { parameters: ["A", "B"].map((name) => ({ $ref: `../parameters.yaml#/${name}` })) },
        "parameters.yaml": "",
      },
      `${relative(process.cwd(), "/contract/parameters.yaml")}: it is empty`,
    ],
    ["a missing file", {}, `${rootFile}:1:98: Can't resolve $ref: there is no file ${item}`],
    [
      "a reference to nothing in the schema of a P-code",
      {
        "paths/item.yaml": {
          get: { ...operation, responses: { 400: { $ref: "#/x-parts/no" } } },
          "x-parts": { no: responseWith({ $ref: "#/x-parts/P101" }), P101 },
        },
      },
      `${item}:1:224: Can't resolve $ref (#/nothing)`,
    ],
    [
      "a reference to nothing in a file",
      { "paths/item.yaml": { get: { ...operation, parameters: [{ $ref: "#/nothing" }] } } },
      `${item}:1:85: Can't resolve $ref (#/nothing)`,
    ],
  ])("%s, in one line", async (_name, files, line) => {
    const bundling = bundleContract("test", memorySources({ "openapi.yaml": root, ...files }));
    await expect(bundling).rejects.toThrow(UsageError);
    await expect(bundling).rejects.toThrow(`The contract cannot be bundled:\n  ${line}`);
    await expect(bundling).rejects.toThrow(/^[^\n]*\n[^\n]*$/);
  });

  it("a reference that leads back to itself, with its line and a remedy, however often it is used", async () => {
    const parameters = [1, 2].map((number) => ({ name: `p${number}`, in: "query", schema: { $ref: "#/outer" } }));
    const get = `get: ${JSON.stringify({ ...operation, parameters })}\nouter: { $ref: '#/a' }\n`;
    const files = { "openapi.yaml": root, "paths/item.yaml": `${get}a: { $ref: '#/b' }\nb: { $ref: '#/a' }\n` };
    const bundling = bundleEditions(memorySources(files));
    await expect(bundling).rejects.toThrow(UsageError);
    await expect(bundling).rejects.toThrow(`${item}:3:12: The reference leads back to itself. Refer to`);
  });

  it("a schema that OpenAPI 3.0 cannot express, with its line", async () => {
    const read = (file: string) => diskFiles.read(file)?.replace("\nIban:\n", "\nIban:\n  contentEncoding: base64\n");
    const sources = new Sources(new Sources().rootFile, { ...diskFiles, read });
    const line = sources.text(`${sources.layout.folder}/schemas/common.yaml`).split("\nIban:")[0]?.split("\n").length;
    await expect(bundleEditions(sources)).rejects.toThrow(
      `openapi/schemas/common.yaml:${(line ?? 0) + 1}:1: #/components/schemas/Iban has the keyword contentEncoding, which the OpenAPI 3.0 form cannot express.`,
    );
  });

  it("a missing root document", async () => {
    const bundling = bundleContract("latest", new Sources("/nowhere/openapi.yaml"));
    await expect(bundling).rejects.toThrow(UsageError);
    await expect(bundling).rejects.toThrow(/nowhere\/openapi\.yaml/);
  });

  it("another version of OpenAPI", async () => {
    const bundling = bundleContract("latest", memorySources({ "openapi.yaml": { ...root, openapi: "4.0.0" } }));
    await expect(bundling).rejects.toThrow(UsageError);
    await expect(bundling).rejects.toThrow(/4\.0\.0/);
  });

  it("but not an error of the program", async () => {
    const read = () => {
      throw new RangeError("A mistake.");
    };
    const bundling = bundleContract("latest", new Sources("/a/openapi.yaml", { list: () => [], read }));
    await expect(bundling).rejects.toThrow(RangeError);
  });

  it("but not an error of a decorator", async () => {
    const nameOf = () => {
      throw new RangeError("A mistake.");
    };
    const registers = { "extensions.yaml": {}, "open-questions.yaml": {}, "resources.yaml": {} };
    const sources = memorySources({ ...registers, "openapi.yaml": { ...root, paths: {}, tags: [null] } });
    const bundling = bundleContract("test", Object.assign(sources, { nameOf }));
    await expect(bundling).rejects.toThrow(RangeError);
    await expect(bundling).rejects.toHaveProperty("stack", expect.stringContaining("refuse-malformed.ts"));
  });
});
