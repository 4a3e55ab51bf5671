import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { contractFile, projectRoot, UsageError } from "../../scripts/base/index.ts";
import {
  diskFiles,
  readMockControl,
  readMockValues,
  readPublication,
  readRedoclyConfig,
  readRunnableAnswers,
  readStatementSources,
  readYaml,
  Sources,
} from "../../scripts/contract/sources/index.ts";
import { memorySources } from "../support/memory-sources.ts";

test("lists every country with its effect, every network and every delay", () => {
  const { countries, networks, delays } = readMockValues();
  type Settings = { countries: Record<string, unknown>; delays: Record<string, unknown> };
  const settings = readYaml<Settings>(`${projectRoot}/openapi/mock.yaml`, "The settings");
  const otherKeys = ["questions", "responses", "refusals", "outcomes"];
  expect(countries.map(({ name }) => name)).toEqual(
    Object.keys(settings.countries).filter((name) => !otherKeys.includes(name)),
  );
  expect(countries.find(({ values }) => values.includes("XF"))?.outcome).toBe("P431");
  expect(networks).toContainEqual(
    expect.objectContaining({ currency: "usdc", network: "polygon", minWithdrawal: "5" }),
  );
  expect(Object.keys(delays)).toEqual(Object.keys(settings.delays).filter((name) => !otherKeys.includes(name)));
});

test("reads the files that it is given, also with CRLF, and refuses unreadable ones", () => {
  const text = readFileSync(`${projectRoot}/openapi/mock.yaml`, "utf8").replaceAll("\n", "\r\n");
  expect(readMockValues(memorySources({ "mock.yaml": text }))).toEqual(readMockValues());
  expect(() => readMockValues(memorySources({}))).toThrow(UsageError);
  expect(() => readRunnableAnswers(memorySources({}))).toThrow(UsageError);
  const answers = { "Q-a": { yes: {} } };
  expect(readRunnableAnswers(memorySources({ "answers.yaml": answers }))).toEqual(answers);
  expect(readStatementSources(memorySources({ "sources.yaml": "[]" }))).toEqual([]);
});

const named = (operationId: string) => ({ operationId, summary: "It", tags: ["World"] });
const trigger = { ...named("triggerEvent"), requestBody: { content: { "application/json": { examples: {} } } } };

test("reads the operations of the control interface, without references", () => {
  const parameters = [{ $ref: "#/components/parameters/Limit" }, { name: "id", in: "path", example: 7 }];
  const components = { parameters: { Limit: { name: "limit", in: "query" } } };
  const paths = {
    "/{id}": { summary: "It", parameters, get: { ...named("getIt"), parameters } },
    "/it": { post: trigger },
  };
  const shared = { summary: "It", description: "", tag: "World", commands: [], isPublic: false };
  expect(readMockControl(memorySources({ "mock-control.yaml": { paths, components } }))).toEqual({
    operations: [
      {
        ...{ ...shared, operationId: "getIt", method: "get", path: "/{id}", body: undefined },
        parameters: [components.parameters.Limit, parameters[1]],
      },
      {
        ...{ ...shared, operationId: "triggerEvent", method: "post", path: "/it", parameters: [] },
        body: { isRequired: false, schema: {}, example: undefined, examples: {} },
      },
    ],
    externalEvents: {},
  });
});

test.each([
  [{ info: {} }, "#/paths is no map of paths. List the operations in it."],
  [{ paths: "soon" }, "#/paths is no map of paths. List the operations in it."],
  [{ paths: { "/it": "soon" } }, "#/paths/~1it is no map of operations. List them by method."],
  [
    { paths: { "/it": { post: named("trigerEvent") } } },
    "#/paths has no operation triggerEvent, which has the examples of external events. Add it.",
  ],
  [{ paths: { "/it": { get: { ...trigger, tags: [] } } } }, "#/paths/~1it/get/tags/0 is no text. Write one."],
  [
    { paths: { "/it": { get: { ...trigger, parameters: "a" } } } },
    "#/paths/~1it/get/parameters is no list. Write one.",
  ],
  [
    { paths: { "/it": { get: { ...trigger, parameters: [{ $ref: "#/a" }] } } } },
    "#/paths/~1it/get/parameters/0 refers to nothing. Correct the reference.",
  ],
  [
    { paths: { "/it": { get: { ...trigger, parameters: [{ $ref: "absent.yaml#/a" }] } } } },
    "#/paths/~1it/get/parameters/0 refers to nothing. Correct the reference.",
  ],
  [
    {
      paths: { "/it": { get: { ...trigger, parameters: [{ $ref: "#/a" }] } } },
      a: { schema: { items: { $ref: "#/a" } } },
    },
    "#/a/schema/items refers to what contains it. Refer to something that does not contain the reference.",
  ],
])("refuses a control interface of another form, at its line: %j", (content, message) => {
  const read = () => readMockControl(memorySources({ "mock-control.yaml": content }));
  expect(read).toThrow(UsageError);
  expect(read).toThrow(new RegExp(`mock-control\\.yaml:1:\\d+: ${message.replace(/[.*+?^$]/g, "\\$&")}$`));
});

test.each([
  ["currencies.list", { countries: {}, currencies: null, delays: {} }],
  ["currencies.list", { countries: {}, currencies: {}, delays: {} }],
  ["countries", { currencies: { list: {} }, delays: {} }],
  ["delays", { countries: {}, currencies: { list: {} }, delays: null }],
])("refuses settings without %s", (path, settings) => {
  expect(() => readMockValues(memorySources({ "mock.yaml": settings }))).toThrow(`mock.yaml needs ${path}.`);
});

const settings = { countries: {}, currencies: { list: {} }, delays: {} };
const control = { paths: { "/it": { post: trigger } } };
const registers = { "extensions.yaml": {}, "open-questions.yaml": {}, "scenario.yaml": {} };

test.each<[string, object, (sources: Sources) => unknown, string]>([
  ["mock.yaml", { ...settings, currencies: { list: { eur: null } } }, readMockValues, "#/currencies/list/eur"],
  ["mock.yaml", { ...settings, delays: { wait: null } }, readMockValues, "#/delays/wait"],
  ["mock.yaml", { ...settings, countries: { outcomes: null } }, readMockValues, "#/countries/outcomes"],
  ["mock-control.yaml", { paths: { "/it": null } }, readMockControl, "#/paths/~1it"],
  [
    "mock-control.yaml",
    { paths: { "/it": { get: { parameters: [null] } } } },
    readMockControl,
    "#/paths/~1it/get/parameters/0",
  ],
  ["open-questions.yaml", { "Q-a": null }, readPublication, "#/Q-a"],
  ["scenario.yaml", { samples: [null] }, readPublication, "#/samples/0"],
  ["scenario.yaml", { samples: [{ operation: "getIt", path: null }] }, readPublication, "#/samples/0/path"],
])("refuses %s with a key without value, at its line: %j", (file, content, read, pointer) => {
  const sources = memorySources({ ...registers, "mock-control.yaml": control, [file]: content });
  expect(() => read(sources)).toThrow(UsageError);
  expect(() => read(sources)).toThrow(new RegExp(`${file}:1:\\d+: ${pointer} has no value`));
});

test("reads null in data", () => {
  const examples = { it: { value: { name: null }, "x-before": [{ operationId: "a", body: null }] } };
  const requestBody = { content: { "application/json": { examples } } };
  const post = { ...trigger, requestBody };
  const { externalEvents } = readMockControl(memorySources({ "mock-control.yaml": { paths: { "/it": { post } } } }));
  expect(externalEvents).toEqual(examples);
});

test("refuses a configuration of Redocly that is no YAML, with the name of the file", async () => {
  const folder = mkdtempSync(join(tmpdir(), "redocly-"));
  const file = join(folder, "redocly.yaml");
  writeFileSync(file, "telemetry: [off");
  const read = async () => readRedoclyConfig({}, file);
  await expect(read).rejects.toThrow(UsageError);
  await expect(read).rejects.toThrow(`The configuration ${relative(process.cwd(), file)} cannot be read: `);
  rmSync(folder, { recursive: true });
});

test.each([
  [
    { countries: { forbidden: ["XF"], outcomes: {} } },
    "1:15: #/countries/forbidden needs a text in countries.outcomes",
  ],
  [{ countries: { forbidden: "XF", outcomes: { forbidden: "P431" } } }, "1:27: #/countries/forbidden is no list"],
  [{ delays: { iban: "1s" } }, "1:59: #/delays/iban is no number"],
  [
    { currencies: { list: { btc: { networks: { btc: { fee: 1 } } } } } },
    "#/currencies/list/btc/networks/btc needs the text fee",
  ],
])("refuses a wrong value of the settings: %j", (values, problem) => {
  expect(() => readMockValues(memorySources({ "mock.yaml": { ...settings, ...values } }))).toThrow(problem);
});

test.each([
  ["open-questions.yaml", { "Q-a": "text" }, "#/Q-a needs the text question"],
  ["open-questions.yaml", { "Q-a": { question: "Is it?", assumption: 5 } }, "#/Q-a needs the text assumption"],
  ["extensions.yaml", { "x-a": { published: "yes" } }, "#/x-a/published is not true"],
  ["scenario.yaml", { samples: [{}] }, "#/samples/0 needs the text operation"],
  ["scenario.yaml", { samples: [{ operation: "getIt", body: "text" }] }, "#/samples/0/body is no map"],
])("refuses a wrong value that a published document would have, in %s: %j", (file, content, problem) => {
  expect(() => readPublication(memorySources({ ...registers, [file]: content }))).toThrow(
    new RegExp(`${file}:1:\\d+: ${problem}`),
  );
});

const statement = { name: "a", provenance: "reference", kind: "b", seen: "2026-01-02" };

test.each([
  [[null], "sources.yaml:1:2: #/0 needs a name and a kind"],
  [[{ ...statement, sections: null }], "#/0 needs sections"],
  [[{ ...statement, sections: {} }], "#/0 needs sections"],
])("refuses the sources of statements %j", (entries, problem) => {
  const read = () => readStatementSources(memorySources({ "sources.yaml": entries }));
  expect(read).toThrow(UsageError);
  expect(read).toThrow(problem);
});

describe("a publication", () => {
  const files = { "extensions.yaml": "{}", "open-questions.yaml": "{}" };
  const publishing = { registry: null, repository: null, support: "mailto:a@b.example", status: null };

  test("has the support of the publishing.yaml beside the contract", () => {
    expect(readPublication(memorySources({ ...files, "../publishing.yaml": publishing })).support).toBe(
      publishing.support,
    );
  });

  test("is refused if publishing.yaml is empty", () => {
    const sources = memorySources({ ...files, "../publishing.yaml": "" });
    expect(() => readPublication(sources)).toThrow("publishing.yaml cannot be read: it is empty");
  });

  test("has the keys that are published, also while another one has no entry yet", () => {
    const extensions = { "x-a": { published: true }, "x-b": null };
    const sources = memorySources({ ...files, "extensions.yaml": extensions, "../publishing.yaml": publishing });
    expect(readPublication(sources).keys).toEqual(["x-a"]);
  });

  test("is refused with the name of a released contract that is no JSON", () => {
    const sources = new Sources(contractFile, { ...diskFiles, readReleases: () => ({ "0.1.0": "{" }) });
    expect(() => readPublication(sources)).toThrow(UsageError);
    expect(() => readPublication(sources)).toThrow("openapi/released/0.1.0.json cannot be read");
  });
});
