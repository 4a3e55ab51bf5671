import { parseYaml } from "@redocly/openapi-core";
import { describe, expect, it } from "vitest";
import { UsageError } from "../../../scripts/base/index.ts";
import { bundleContract } from "../../../scripts/contract/bundle/index.ts";
import { editClean } from "../../lint/clean-contract.ts";
import { bundlingError, pathsIn, withValue } from "../../lint/half-saved.ts";
import { memorySources } from "../../support/memory-sources.ts";

/** A sample of the nodes; blank-keys.nightly.test.ts blanks each key. */
it("bundling reports no JavaScript error for a node that has no value, or a text or number in its place", async () => {
  const texts = [...editClean({})];
  const changes = texts.flatMap(([file, text]) =>
    pathsIn(parseYaml(text)).flatMap((path) => [null, "text", 5].map((value) => ({ file, text, path, value }))),
  );
  const errors: string[] = [];
  for (const { file, text, path, value } of changes.filter((_, index) => index % 131 === 0)) {
    const error = await bundlingError(editClean({ [file]: withValue(text, path, value) }));
    if (error !== undefined) errors.push(`${file} ${path.join("/")} ${value}: ${error}`);
  }
  expect(errors).toEqual([]);
});

describe("a malformed contract is refused with the file and line", () => {
  const operation = "  summary: Get It\n  x-provenance: proposed\n  responses:\n    200:\n      description: Done.\n";
  const root = (rest: string) =>
    `openapi: 3.1.1\ninfo: { title: A, version: 1.0.0 }\nservers: []\npaths:\n  /it: { $ref: it.yaml }\n${rest}`;

  it.each([
    ["an operation without value", "get:\n", "it.yaml:1:1: #/get has no value"],
    ["a text in place of an operation", "get: summ\n", "it.yaml:1:6: #/get is no object"],
    [
      "a media type without value",
      `get:\n${operation}      content:\n        text/plain:\n`,
      "it.yaml:8:9: #/get/responses/200/content/text~1plain has no value",
    ],
    ["a list without value", `get:\n${operation}  tags:\n`, "it.yaml:7:3: #/get/tags has no value"],
    ["a text in place of a list", `get:\n${operation}  tags: It\n`, "it.yaml:7:9: #/get/tags is no list"],
    [
      "an extension without value",
      `get:\n${operation}  x-requires:\n    verified:\n`,
      "it.yaml:8:5: #/get/x-requires/verified has no value",
    ],
    [
      "an operation without provenance",
      "get: { summary: It, responses: {} }\n",
      "it.yaml:1:1: #/get has no x-provenance",
    ],
    ["an operation without summary", "get: { x-provenance: proposed }\n", "it.yaml:1:1: #/get has no summary"],
    [
      "an unknown provenance",
      "get: { summary: It, x-provenance: guess }\n",
      "it.yaml:1:35: #/get/x-provenance is none of specification, reference, observed, proposed",
    ],
    ["a server without address", `get:\n${operation}  servers: [{}]\n`, "it.yaml:7:13: #/get/servers/0 has no url"],
    ["a number in place of a tag", `get:\n${operation}  tags: [5]\n`, "it.yaml:7:10: #/get/tags/0 is no text"],
    [
      "a text in place of a list of questions",
      `get:\n${operation}  x-open-questions: Q-a\n`,
      "it.yaml:7:21: #/get/x-open-questions is no list",
    ],
    ["a number in place of a reference", "$ref: 5\n", "it.yaml:1:7: #/$ref is no text"],
  ])("%s", async (_name, item, message) => {
    const bundling = bundleContract("test", memorySources({ "openapi.yaml": root(""), "it.yaml": item }));
    await expect(bundling).rejects.toThrow(UsageError);
    await expect(bundling).rejects.toThrow(`/contract/${message}. Complete it, or remove it.`);
  });

  it.each([
    ["a method", "gett: {}\n", "1:1: #/gett is no key of PathItem in OpenAPI", "get"],
    ["a status", `get:\n${operation}    2000: {}\n`, "7:5: #/get/responses/2000 is no key of Responses in OpenAPI", ""],
    [
      "a key of an operation",
      `get:\n${operation.replace("responses", "respones")}`,
      "4:3: #/get/respones is no key of Operation in OpenAPI",
      "responses",
    ],
    [
      "a required key of an operation",
      "get: { sumary: It, x-provenance: proposed }\n",
      "1:16: #/get/sumary is no key of Operation in OpenAPI",
      "summary",
    ],
    [
      "a keyword of a schema",
      `get:\n${operation}      content: { a/b: { schema: { propertis: {} } } }\n`,
      "7:35: #/get/responses/200/content/a~1b/schema/propertis is no key of Schema in OpenAPI",
      "properties",
    ],
    [
      "a keyword beside a reference",
      `get:\n${operation}      content: { a/b: { schema: { $ref: "#/x-it", descripton: It } } }\nx-it: {}\n`,
      "7:63: #/get/responses/200/content/a~1b/schema/descripton is no key of Schema in OpenAPI",
      "description",
    ],
  ])("a misspelt key: %s", async (_name, item, message, suggestion) => {
    const bundling = bundleContract("latest", memorySources({ "openapi.yaml": root(""), "it.yaml": item }));
    const question = suggestion === "" ? "" : ` Did you mean ${suggestion}?`;
    await expect(bundling).rejects.toThrow(UsageError);
    await expect(bundling).rejects.toThrow(`/contract/it.yaml:${message}. Correct it, or remove it.${question}`);
  });

  it.each([
    ["an extension of an operation", "get: { summary: It, x-provenence: proposed }\n", "1:35: #/get/x-provenence"],
    [
      "an extension beside a reference",
      `get:\n${operation}      content: { a/b: { schema: { $ref: "#/x-it", x-provenence: proposed } } }\nx-it: {}\n`,
      "7:65: #/get/responses/200/content/a~1b/schema/x-provenence",
    ],
  ])("an extension that extensions.yaml does not list: %s", async (_name, item, place) => {
    const entry = { meaning: "It", on: ["Schema"], schema: { type: "string" }, readers: ["lint"] };
    const extensions = { "x-provenance": entry, "x-it": entry };
    const files = { "openapi.yaml": root(""), "it.yaml": item, "extensions.yaml": extensions };
    const remedy = "Correct it, or describe it there. Did you mean x-provenance?";
    await expect(bundleContract("test", memorySources(files))).rejects.toThrow(
      `/contract/it.yaml:${place} is not in extensions.yaml. ${remedy}`,
    );
  });

  it("a list of extensions in another form", async () => {
    const files = { "openapi.yaml": root(""), "it.yaml": `get:\n${operation}`, "extensions.yaml": ["x-provenance"] };
    await expect(bundleContract("test", memorySources(files))).rejects.toThrow(
      "/contract/extensions.yaml:1:1: #/ must be",
    );
  });

  it.each([
    ["    A: { properties: { b: } }\n", "8:24: #/components/schemas/A/properties/b has no value"],
    ["    A: { properties: { default: } }\n", "8:24: #/components/schemas/A/properties/default has no value"],
    ["    A: { required: }\n", "8:10: #/components/schemas/A/required has no value"],
    ["    A: { enum: }\n", "8:10: #/components/schemas/A/enum has no value"],
    ["    A: { x-open-enum: }\n", "8:10: #/components/schemas/A/x-open-enum has no value"],
    [
      "    A: { x-open-enum: { b: { meaning: c } }, anyOf: [{ type: string }] }\n",
      "8:46: #/components/schemas/A/anyOf stands beside x-open-enum",
    ],
    ["    A: { example: b, examples: [c] }\n", "8:19: #/components/schemas/A/example stands beside examples"],
    ["    A: { x-open-enum: [b] }\n", "8:10: #/components/schemas/A/x-open-enum is no object"],
    ["    A: { x-open-enum: { b: {} } }\n", "8:25: #/components/schemas/A/x-open-enum/b has no meaning"],
    [
      "    A: { x-open-enum: { b: { meaning: B } }, description: 5 }\n",
      "8:59: #/components/schemas/A/description is no text",
    ],
    ["    P101: { allOf: [{}, {}] }\n", "8:13: #/components/schemas/P101/allOf is not one reference"],
    [
      "    P101: { allOf: [{ $ref: '#/components/schemas/A' }], properties: { errorCode: {}, more: {} } }\n    A: {}\n",
      "8:87: #/components/schemas/P101/properties/more is no part of a P-code",
    ],
    [
      "    P101: { allOf: [{ $ref: '#/components/schemas/A' }], required: [a] }\n    A: {}\n",
      "8:58: #/components/schemas/P101/required is no part of a P-code",
    ],
    [
      "    P101: { allOf: [{ $ref: '#/components/schemas/A', required: [a] }] }\n    A: {}\n",
      "8:55: #/components/schemas/P101/allOf/0/required is no part of a P-code",
    ],
    ["    P101: { x-error: { status: 400 } }\n", "8:13: #/components/schemas/P101/x-error has no meaning"],
    ["    A: { x-open-enum: { b: } }\n", "8:25: #/components/schemas/A/x-open-enum/b has no value"],
    [
      "    A: { $ref: '#/components/schemas/B', required: }\n    B: {}\n",
      "8:42: #/components/schemas/A/required has no value",
    ],
  ])("a schema: %j", async (schema, message) => {
    const text = root(`components:\n  schemas:\n${schema}`);
    const bundling = bundleContract("test", memorySources({ "openapi.yaml": text, "it.yaml": `get:\n${operation}` }));
    await expect(bundling).rejects.toThrow(`/contract/openapi.yaml:${message}.`);
  });

  it("but not null in data, and not a schema that is true", async () => {
    const schema = "    A: { const: null, enum: [null], default: null, examples: [null], properties: { a: true } }\n";
    const text = root(`components:\n  schemas:\n${schema}`);
    const { document } = await bundleContract(
      "latest",
      memorySources({ "openapi.yaml": text, "it.yaml": `get:\n${operation}` }),
    );
    expect(document.info.title).toBe("A");
  });
});
