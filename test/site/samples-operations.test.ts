import { expect, test } from "vitest";
import type {
  ExampleObject,
  JsonSchema,
  OpenApiDocument,
  OperationObject,
} from "../../scripts/contract/model/index.ts";
import { codeSample, operationSamples } from "../../scripts/site/samples/index.ts";
import { smallDocument, smallSite } from "./small-document.ts";

const textSchema = { type: "string" };
const [small, large] = [{ summary: "A small pot", value: { size: 1 } }, { value: { size: 2 } }];
const bodyOf = (
  examples: Record<string, ExampleObject>,
  mediaType = "application/json",
  schema: JsonSchema = { type: "object" },
) => ({
  content: { [mediaType]: { schema, examples } },
});
const namedExamples = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, { value: { [name]: true } }]));
const codeReference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const refusalResponse = (...names: string[]) => ({
  description: "No pot.",
  ...bodyOf(
    Object.fromEntries(names.map((name) => [`has${name}`, { value: { errorCode: name } }])),
    "application/json",
    {
      oneOf: names.map(codeReference),
    },
  ),
});

function makeSamples(members: object, values: Parameters<typeof smallSite>[0] | object[] = []) {
  const document = smallDocument();
  const put = {
    operationId: "putPot",
    summary: "Put Pot",
    tags: ["Garden pots"],
    "x-provenance": "reference",
    parameters: [
      { name: "potId", in: "path", required: true, example: "pot/1", schema: textSchema },
      { name: "glaze", in: "query", schema: { ...textSchema, examples: ["blue"] } },
      { name: "rim", in: "query", schema: textSchema },
    ],
    requestBody: bodyOf({ small, large }),
    responses: { "200": { description: "Put.", ...bodyOf(namedExamples("small", "large")) } },
    ...members,
  };
  document.paths["/pots/{potId}/put"] = { put } as unknown as OpenApiDocument["paths"][string];
  const site = { ...smallSite(document), sampleValues: values as never };
  const operation = site.contract.operations.find(({ name }) => name === "putPot") as never;
  return { site, operation, samples: operationSamples(operation, site) };
}

test("there is one for each example of the request, with its title, address and body", () => {
  const { samples } = makeSamples({});
  expect(samples.map(({ name, title, note }) => [name, title, note])).toEqual([
    ["small", "A small pot", undefined],
    ["large", "Put Pot", undefined],
  ]);
  expect(samples[0]?.call).toEqual({
    method: "PUT",
    url: "http://127.0.0.1:4010/pots/pot%2F1/put?glaze=blue",
    headers: { "x-api-key": expect.any(String), "content-type": "application/json" },
    json: { size: 1 },
    template: "/pots/{potId}/put",
  });
  expect(samples[0]?.snippets.curl).not.toContain("Prefer");
  expect(samples[0]?.snippets.typescript).not.toMatch(/depositBaseUrl|edition:|switch|for the mock/);
  const [bareSample] = makeSamples({ requestBody: undefined, parameters: [] }).samples;
  expect([bareSample?.name, bareSample?.title, bareSample?.call.url]).toEqual([
    "putPot",
    "Put Pot",
    "http://127.0.0.1:4010/pots//put",
  ]);
  expect(bareSample?.call).toEqual({ ...bareSample?.call, headers: { "x-api-key": expect.any(String) } });
  expect(Object.keys(bareSample?.call ?? {})).toEqual(["method", "url", "headers", "template"]);
});

test.each<[names: string[], wanted: string[]]>([
  [
    ["large", "small"],
    ["small", "large"],
  ],
  [
    ["one", "two"],
    ["one", "two"],
  ],
  [["one"], ["one", "one"]],
  [
    ["one", "large", "two"],
    ["one", "large"],
  ],
])("of the responses %j the samples show %j", (names, expectedNames) => {
  const responses = {
    "202": { description: "Later.", ...bodyOf(namedExamples("later")) },
    "200": { description: "Put.", ...bodyOf(namedExamples(...names)) },
    "404": refusalResponse("P901"),
  };
  const { samples } = makeSamples({ responses });
  expect(samples.map(({ response }) => [response?.status, response?.example, response?.body])).toEqual(
    expectedNames.map((name) => [200, name, { [name]: true }]),
  );
});

test("values of the scenario replace those of the examples, of one example or of all", () => {
  const { samples } = makeSamples({}, [
    { operation: "putPot", path: { potId: "pot-9" } },
    { operation: "putPot", request: "large", body: { colour: "red" } },
    { operation: "getPot", path: { potId: "pot-0" }, body: { colour: "no" } },
  ]);
  expect(samples.map(({ call }) => [/pots\/([^/]*)/.exec(call.url)?.[1], call.json])).toEqual([
    ["pot-9", { size: 1 }],
    ["pot-9", { size: 2, colour: "red" }],
  ]);
});

test("files are sent as a form, one by one or in a list", () => {
  const properties = {
    front: textSchema,
    pages: { type: "array", items: textSchema },
    deep: { type: "object", properties: { list: { type: "array", items: textSchema } } },
  };
  const value = {
    front: "(bytes of front.png)",
    pages: ["(bytes of page.1.pdf)", "(bytes of b.jpg)"],
    deep: "(bytes of d.txt)",
    scan: "a scan",
  };
  const requestBody = bodyOf({ all: { value } }, "multipart/form-data", { type: "object", properties });
  const { samples, site, operation } = makeSamples({
    requestBody,
    responses: { "200": { description: "Put." }, "404": refusalResponse("P901") },
  });
  expect(samples[0]?.call.files?.map(({ part, isList, name, type }) => [part, isList, name, type])).toEqual([
    ["front", false, "front.png", "image/png"],
    ["pages", true, "page.1.pdf", "application/pdf"],
    ["pages", true, "b.jpg", "image/jpeg"],
    ["deep", false, "d.txt", "application/octet-stream"],
    ["scan", false, "scan.jpg", "image/jpeg"],
  ]);
  expect(samples[0]?.call).not.toHaveProperty("json");
  expect(samples[0]?.note).toContain("a few words in the place of pictures");
  expect(codeSample(operation, "P901", site).note).toMatch(/makes the mock answer P901.* a few words in the place/);
});

test("a program handles the failures that the fewest other operations have, two at most, and no general ones", () => {
  const handledCodes = (...ownCodes: string[]) => {
    const { samples } = makeSamples({
      responses: { "200": { description: "Put." }, "400": refusalResponse(...ownCodes) },
    });
    return [...(samples[0]?.snippets.typescript ?? "").matchAll(/case "(\w+)": \/\/ (.*)/g)].map(
      ([, name, words]) => `${name} ${words}`,
    );
  };
  // Both operations of the document return both codes.
  expect(handledCodes("P901", "P902")).toEqual([]);
  const handledWithOperations = (count: number) => {
    const document = smallDocument();
    const [item] = Object.values(document.paths);
    const get = item?.get as OperationObject;
    for (let index = 0; index < count - 1; index += 1) {
      document.paths[`/other/${index}`] = {
        get: {
          ...get,
          operationId: `other${index}`,
          summary: `Other ${index}`,
          parameters: [],
          "x-requires": {},
          "x-effects": [] as never,
          responses: { "200": { description: "Got." }, "400": refusalResponse(index < 2 ? "P901" : "P902") },
        },
      };
    }
    const site = smallSite(document);
    const program = operationSamples(site.contract.operations[0] as never, site)[0]?.snippets.typescript ?? "";
    return [...program.matchAll(/case "(\w+)"/g)].map(([, name]) => name);
  };
  // Three of four operations return P901, which is 75 % and too many to handle it; of five operations, three return each code.
  expect(handledWithOperations(4)).toEqual(["P902"]);
  expect(handledWithOperations(5)).toEqual(["P901", "P902"]);
});

test("the sample of a code makes the mock answer it, and handles it if it is a failure", () => {
  const { site, operation } = makeSamples({
    responses: {
      "200": { description: "Put." },
      "404": refusalResponse("P902", "P901"),
    },
  });
  const { call, snippets, title, note, response } = codeSample(operation, "P901", site);
  expect(call.headers).toMatchObject({ Prefer: "code=404, example=hasP901" });
  expect(snippets.curl).toContain("-H 'Prefer: code=404, example=hasP901'");
  expect(snippets.typescript).toMatch(
    /headers: \{ Prefer: .* \/\/ for the mock\n[\s\S]*case "P901": \/\/ No pot \| P901\n/,
  );
  expect([title, response?.status, response?.body]).toEqual([
    "Provoke P901: No pot | P901",
    404,
    { errorCode: "P901" },
  ]);
  expect(note).not.toContain("pictures");
  const acceptedSamples = makeSamples({ responses: { "202": refusalResponse("P901") } });
  expect(codeSample(acceptedSamples.operation, "P901", acceptedSamples.site).snippets.typescript).not.toContain("case");
  expect(() => codeSample(operation, "P999", site)).toThrow("putPot documents no response with P999.");
});

test("a program names the second address, and the edition, only where they are needed", () => {
  const { site, operation } = makeSamples({ "x-provenance": "proposed", servers: [{ url: "{deposit_base_url}" }] });
  const [sample] = operationSamples({ ...Object(operation), address: "deposit_base_url" }, site);
  expect(sample?.snippets.typescript).toContain('  depositBaseUrl: "http://127.0.0.1:4011",\n');
  expect(sample?.snippets.typescript).toContain('  edition: "test",\n');
  expect(sample?.call.url).toMatch(/^http:\/\/127\.0\.0\.1:4011\//);
});
