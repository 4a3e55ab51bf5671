import { expect, it } from "vitest";
import { type BundledContract, bundleContract, sourceFinder } from "../../../scripts/contract/bundle/index.ts";
import type { Sources } from "../../../scripts/contract/sources/index.ts";
import { bundledContractOf, sources } from "../../support/contract.ts";
import { memorySources } from "../../support/memory-sources.ts";

function placesOf(
  { document: { components = {} }, places }: BundledContract,
  allSources: Sources,
): Record<string, string> {
  const ids = Object.entries(components).flatMap(([section, entries]) =>
    Object.keys(entries).map((name) => `${section}/${name}`),
  );
  const findSource = sourceFinder(places, allSources);
  return Object.fromEntries(
    ids.map((id) => {
      const { file, pointer } = findSource(`#/components/${id}`);
      return [id, file.slice(allSources.layout.folder.length + 1) + pointer];
    }),
  );
}

it("each component is found where the root document reaches it, also if others have the same name", async () => {
  const same = { $ref: "same.yaml#/Same" };
  const content = (...names: string[]) => ({
    "application/json": {
      schema: { $ref: "schemas.yaml#/Same" },
      examples: Object.fromEntries(names.map((name) => [name, { $ref: `examples.yaml#/${name}` }])),
    },
  });
  const smallSources = memorySources({
    "openapi.yaml": {
      openapi: "3.1.1",
      info: { title: "A contract", version: "1.0.0" },
      servers: [],
      security: [{ Same: [] }],
      paths: { "/item": { $ref: "item.yaml" } },
      components: { securitySchemes: { Same: { type: "apiKey", in: "header", name: "x-api-key" } } },
    },
    "item.yaml": {
      parameters: [{ $ref: "parameters.yaml#/Same" }],
      put: {
        operationId: "putItem",
        summary: "Put Item",
        "x-provenance": "proposed",
        tags: [],
        requestBody: { $ref: "bodies.yaml#/Same" },
        responses: { 200: { $ref: "responses.yaml#/Same" } },
      },
    },
    "parameters.yaml": { Same: { name: "same", in: "query", schema: { $ref: "Whole.yaml" } } },
    "bodies.yaml": { Same: { content: content("Same", "schema") } },
    "responses.yaml": {
      Same: { description: "-", headers: { Same: { $ref: "headers.yaml#/Same" } }, content: content() },
    },
    "headers.yaml": { Same: { schema: { type: "string" } } },
    "examples.yaml": { Same: { value: { schema: same } }, schema: { value: { parameters: [same] } } },
    "schemas.yaml": {
      Same: {
        type: "object",
        properties: {
          schema: { $ref: "#/Same" },
          example: { $ref: "inner.yaml#/Inner" },
          list: { items: { $ref: "links.yaml#/Link" } },
          whole: { $ref: "other/Whole.yml" },
        },
      },
    },
    "links.yaml": { Link: { $ref: "inner.yaml#/Linked" } },
    "inner.yaml": { Inner: { type: "string" }, Linked: { type: "number" } },
    "Whole.yaml": { type: "boolean" },
    "other/Whole.yml": { properties: { first: { $ref: "../Whole/Whole.yaml" } } },
    "Whole/Whole.yaml": { type: "integer" },
    "a-draft.yaml": { parameters: [{ $ref: "nothing.yaml#/Same" }], schema: same, responses: { 200: same } },
    "same.yaml": { Same: { in: "body" } },
  });
  const contract = await bundleContract("test", smallSources);
  expect(placesOf(contract, smallSources)).toEqual({
    "examples/Same": "examples.yaml#/Same",
    "examples/schema": "examples.yaml#/schema",
    "headers/Same": "headers.yaml#/Same",
    "parameters/Same": "parameters.yaml#/Same",
    "requestBodies/Same": "bodies.yaml#/Same",
    "responses/Same": "responses.yaml#/Same",
    "schemas/Inner": "inner.yaml#/Inner",
    "schemas/Linked": "inner.yaml#/Linked",
    "schemas/Same": "schemas.yaml#/Same",
    "schemas/Whole": "Whole.yaml#/",
    "schemas/Whole-2": "Whole/Whole.yaml#/",
    "schemas/Whole-3": "other/Whole.yml#/",
    "securitySchemes/Same": "openapi.yaml#/components/securitySchemes/Same",
  });
});

it("no component of the contract leads into the files of the mock", async () => {
  const places = placesOf(await bundledContractOf("test"), sources);
  expect(places).toMatchObject({
    "schemas/User": "schemas/user.yaml#/User",
    "schemas/Balances": "schemas/balance.yaml#/Balances",
    "responses/Unauthorized": "responses.yaml#/Unauthorized",
  });
  expect(Object.entries(places).filter(([, place]) => place.startsWith("mock"))).toEqual([]);
});
