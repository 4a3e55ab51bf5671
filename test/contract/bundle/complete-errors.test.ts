import { expect, it } from "vitest";
import { bundleContract } from "../../../scripts/contract/bundle/index.ts";
import type { MediaTypeObject, ResponseObject } from "../../../scripts/contract/model/index.ts";
import { memorySources } from "../../support/memory-sources.ts";

const errorSchema = (code: string, meaning: string, ...examples: object[]) => ({
  type: "object",
  required: ["errorCode"],
  properties: { errorCode: { const: code } },
  "x-error": { status: 400, meaning },
  ...(examples.length === 0 ? {} : { examples }),
});

const generalErrorSchema = {
  title: "General error",
  description: "Any error.",
  type: "object",
  required: ["errorCode", "errorMessage"],
  properties: { errorCode: { type: "string", pattern: "^P" }, errorMessage: { $ref: "./Text.yaml" } },
  minProperties: 2,
  allOf: [{ required: ["traceId"] }],
  "x-provenance": "observed",
  "x-open-questions": ["Q-a"],
};

const files = {
  "Text.yaml": { type: "string" },
  "CardIbanNumber3ds.yaml": { type: "string" },
  "GeneralError.yaml": generalErrorSchema,
  "errors/P104.yaml": {
    description: "It is too heavy.",
    allOf: [{ $ref: "../GeneralError.yaml" }],
    properties: { errorCode: { const: "P104" } },
    "x-error": { status: 400, meaning: "Too heavy" },
    "x-provenance": "specification",
  },
  "errors/P101.yaml": errorSchema("P101", "Not known", { errorCode: "P101" }),
  "errors/P102.yaml": errorSchema("P102", "Too late", { errorCode: "P102" }),
  "errors/P103.yaml": errorSchema("P103", "Too early"),
};

async function bundleResponse(
  body: object,
  documentedResponse: object = { description: "No.", content: { "application/json": body } },
  components: object = {},
) {
  const { document } = await bundleContract(
    "test",
    memorySources({
      "openapi.yaml": {
        openapi: "3.1.1",
        info: { title: "A contract", version: "1.0.0" },
        servers: [],
        paths: {
          "/stated": {
            get: {
              operationId: "getStated",
              summary: "Get Stated",
              "x-provenance": "specification",
              responses: { 400: documentedResponse },
            },
          },
        },
        components,
      },
      ...files,
    }),
  );
  const response = document.paths["/stated"]?.get?.responses?.[400] as ResponseObject;
  return { document, media: response.content?.["application/json"] as MediaTypeObject };
}

const exampleReference = (code: string) => ({ $ref: `#/components/examples/${code}Example` });

const oneOf = (...codes: string[]) => ({ oneOf: codes.map((code) => ({ $ref: `./errors/${code}.yaml` })) });

it("adds a discriminator whose mapping lists the codes in order", async () => {
  const { media } = await bundleResponse({ schema: oneOf("P102", "P101") });
  expect(media.schema?.discriminator).toEqual({
    propertyName: "errorCode",
    mapping: { P102: "#/components/schemas/P102", P101: "#/components/schemas/P101" },
  });
  expect(Object.keys(media.schema?.discriminator?.mapping ?? {})).toEqual(["P102", "P101"]);
});

it("adds the example of the error file, summarised by the meaning of the code, as one shared component", async () => {
  const { document, media } = await bundleResponse({ schema: oneOf("P101", "P102") });
  expect(media.examples).toEqual({ P101: exampleReference("P101"), P102: exampleReference("P102") });
  expect(document.components?.examples).toEqual({
    P101Example: { summary: "Not known", value: { errorCode: "P101" } },
    P102Example: { summary: "Too late", value: { errorCode: "P102" } },
  });
});

it("adds no example where the operation has its own, or the error file has none", async () => {
  const ownExample = { summary: "Own", value: { errorCode: "P102", more: true } };
  const otherExample = { summary: "Two codes could be meant", value: { errorCode: "P101" } };
  const examples = { other: otherExample, P102: ownExample };
  const { media } = await bundleResponse({ schema: oneOf("P101", "P102", "P103"), examples });
  expect(Object.entries(media.examples ?? {})).toEqual([
    ["P101", exampleReference("P101")],
    ["P102", ownExample],
    ["other", otherExample],
  ]);
});

it("keeps a single example as one of several", async () => {
  const example = { errorCode: "P101", more: true };
  const { media } = await bundleResponse({ schema: oneOf("P101"), example });
  expect(media).not.toHaveProperty("example");
  expect(media.examples).toEqual({ P101: exampleReference("P101"), example: { value: example } });
});

it("adds nothing to a response without P-codes", async () => {
  const body = { schema: { oneOf: [{ type: "string" }, { type: "number" }] } };
  expect((await bundleResponse(body)).media).toEqual(body);
});

it("inlines the error, so that nothing refers to its schema", async () => {
  const { document } = await bundleResponse({ schema: oneOf("P104") });
  const { P104, GeneralError } = document.components?.schemas ?? {};
  expect(P104).toEqual({
    "x-origin": { provenance: "specification", in: ["getStated"], questions: ["Q-a"] },
    title: "P104 Too heavy",
    description: "It is too heavy.",
    type: "object",
    required: ["errorCode", "errorMessage"],
    properties: {
      errorCode: { type: "string", const: "P104" },
      errorMessage: { $ref: "#/components/schemas/Text" },
    },
    minProperties: 2,
    allOf: [{ required: ["traceId"] }],
    "x-error": { status: 400, meaning: "Too heavy" },
    "x-provenance": "observed",
    "x-open-questions": ["Q-a"],
  });
  expect(GeneralError, "nothing refers to it any more").toBeUndefined();
});

it("adds a missing title, from the code and its meaning, or from the name of the schema", async () => {
  const { document } = await bundleResponse({ schema: oneOf("P104", "P101") });
  const titles = Object.entries((document.components?.schemas ?? {}) as Record<string, { title?: string }>);
  expect(titles.map(([name, { title }]) => [name, title])).toEqual([
    ["P101", "P101 Not known"],
    ["P104", "P104 Too heavy"],
    ["Text", "Text"],
  ]);
});

it("separates the words of a name in a title, with acronyms in capitals", async () => {
  const { document } = await bundleResponse({ schema: { $ref: "./CardIbanNumber3ds.yaml" } });
  expect(document.components?.schemas?.CardIbanNumber3ds).toMatchObject({ title: "Card IBAN number 3DS" });
});

it("completes a response that several operations share", async () => {
  const sharedResponse = { description: "No.", content: { "application/json": { schema: oneOf("P102") } } };
  const { document } = await bundleResponse(
    {},
    { $ref: "#/components/responses/No" },
    { responses: { No: sharedResponse } },
  );
  const response = document.components?.responses?.No as ResponseObject;
  expect(response.content?.["application/json"]).toEqual({
    schema: {
      oneOf: [{ $ref: "#/components/schemas/P102" }],
      discriminator: { propertyName: "errorCode", mapping: { P102: "#/components/schemas/P102" } },
    },
    examples: { P102: exampleReference("P102") },
  });
});
