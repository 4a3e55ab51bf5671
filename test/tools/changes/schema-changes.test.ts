import { readFileSync } from "node:fs";
import { parseYaml } from "@redocly/openapi-core";
import { expect, it } from "vitest";
import type { OpenApiDocument } from "../../../scripts/contract/model/index.ts";
import { compareContracts } from "../../../scripts/tools/changes/index.ts";

interface Row {
  name: string;
  change: [before: object, after: object];
  changeCount?: number;
  sentence?: string;
  request: string;
  response: string;
}

const rows = parseYaml(readFileSync(new URL("./schema-changes.yaml", import.meta.url), "utf8")) as Row[];

function contractWith(schema: object): OpenApiDocument {
  const content = { "application/json": { schema: { type: "object", properties: { field: schema } } } };
  const ok = { description: "Done.", headers: { "X-Field": { schema } }, content };
  const post = {
    operationId: "lend",
    "x-provenance": "specification",
    parameters: [{ name: "field", in: "query", schema }],
    requestBody: { content },
    responses: { "200": ok },
  };
  return { openapi: "3.1.1", info: { title: "Loans", version: "1.0.0" }, paths: { "/loans": { post } } } as never;
}

it.each(rows)("$name", ({ change: [before, after], changeCount = 1, sentence = "", request, response }) => {
  const changes = compareContracts(contractWith(before), contractWith(after));
  const highestSeverity = (place: string) => {
    const foundSeverities = changes.filter(({ id }) => id.startsWith(`lend/${place}`)).map(({ severity }) => severity);
    return (["breaking", "additive", "editorial"] as const).find((each) => foundSeverities.includes(each));
  };
  const severities = ["request/field", "query/field", "200/field", "200/headers/X-Field"].map(highestSeverity);
  const fieldChanges = changes.filter(({ id }) => id.startsWith("lend/request/field"));
  expect(fieldChanges).toHaveLength(changeCount);
  expect(fieldChanges[0]?.sentence).toContain(sentence);
  expect(severities).toEqual([request, request, response, response]);
});
