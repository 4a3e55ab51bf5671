import { existsSync, readFileSync } from "node:fs";
import { parseYaml } from "@redocly/openapi-core";
import { expect, it } from "vitest";
import { type OpenApiDocument, projectRoot } from "../../../scripts/contract/model/index.ts";
import { compareContracts } from "../../../scripts/tools/changes/index.ts";
import { breaking, compatible } from "./seeded.ts";

interface Row {
  kinds: string;
  change?: [before: object, after: object];
  request?: string;
  response?: string;
  shown?: string;
  none?: string;
}

const read = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");
const rows = parseYaml(read("oasdiff.yaml")) as Row[];
const checks = read("oasdiff-checks.txt")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"));

function contractWith(schema: object): OpenApiDocument {
  const content = { "application/json": { schema: { type: "object", properties: { field: schema } } } };
  const ok = { description: "Done.", headers: { "X-Field": { schema } }, content };
  const post = {
    ...{ operationId: "lend", "x-provenance": "specification", parameters: [{ name: "field", in: "query", schema }] },
    ...{ requestBody: { content }, responses: { "200": ok } },
  };
  return { openapi: "3.1.1", info: { title: "Loans", version: "1.0.0" }, paths: { "/loans": { post } } } as never;
}

it.each(rows.flatMap(({ change, ...row }) => (change === undefined ? [] : [{ ...row, change }])))(
  "$kinds",
  ({ change: [before, after], request, response }) => {
    const changes = compareContracts(contractWith(before), contractWith(after));
    const most = (place: string) => {
      const found = changes.filter(({ id }) => id.startsWith(`lend/${place}`)).map(({ severity }) => severity);
      return (["breaking", "additive", "editorial"] as const).find((each) => found.includes(each));
    };
    const seen = ["request/field", "query/field", "200/field", "200/headers/X-Field"].map(most);
    expect(seen).toEqual([request, request, response, response]);
  },
);

it("each oasdiff check has a row, each row a check, and every named test exists", () => {
  const counts = new Map(rows.map((row) => [row, 0]));
  const without = checks.filter((check) => {
    const row = rows.find(({ kinds }) => new RegExp(kinds).test(check));
    if (row !== undefined) counts.set(row, (counts.get(row) ?? 0) + 1);
    return row === undefined;
  });
  expect(without).toEqual([]);
  expect([...counts].filter(([, count]) => count === 0).map(([{ kinds }]) => kinds)).toEqual([]);
  const names = [...breaking, ...compatible].map(({ name }) => name);
  const shown = rows.flatMap((row) => row.shown ?? []);
  expect(shown.filter((each) => !names.includes(each) && !existsSync(`${projectRoot}/${each}`))).toEqual([]);
});
