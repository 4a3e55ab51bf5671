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
  expect(readStatementSources(memorySources({ "openapi.yaml": "{}", "sources.yaml": "[]" }))).toEqual([]);
});

const named = (operationId: string) => ({ operationId, summary: "It", tags: ["World"], responses: {} });
const trigger = {
  ...named("triggerEvent"),
  requestBody: { content: { "application/json": { schema: {}, examples: {} } } },
};

test("reads the operations of the control interface, without references", () => {
  const described = { description: "It", schema: {} };
  const parameters = [{ $ref: "#/components/parameters/Limit" }, { ...described, name: "id", in: "path", example: 7 }];
  const components = { parameters: { Limit: { ...described, name: "limit", in: "query" } } };
  const paths = {
    "/{id}": { summary: "It", get: { ...named("getIt"), parameters } },
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

test("reads null in data", () => {
  const examples = { it: { value: { name: null }, "x-before": [{ operationId: "a", body: null }] } };
  const requestBody = { content: { "application/json": { schema: {}, examples } } };
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

  test("has the keys that are published", () => {
    const entry = { meaning: "It", on: ["Schema"], schema: { type: "string" }, readers: ["docs"] };
    const extensions = { "x-a": { ...entry, published: true }, "x-b": entry };
    const sources = memorySources({ ...files, "extensions.yaml": extensions, "../publishing.yaml": publishing });
    expect(readPublication(sources).keys).toEqual(["x-a"]);
  });

  test("is refused with the name of a released contract that is no JSON", () => {
    const sources = new Sources(contractFile, { ...diskFiles, readReleases: () => ({ "0.1.0": "{" }) });
    expect(() => readPublication(sources)).toThrow(UsageError);
    expect(() => readPublication(sources)).toThrow("openapi/released/0.1.0.json cannot be read");
  });
});
