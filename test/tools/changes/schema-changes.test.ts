import { readFileSync } from "node:fs";
import { parseYaml } from "@redocly/openapi-core";
import { describe, expect, it } from "vitest";
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

const contractWith = (schema: object): OpenApiDocument =>
  contractWithBody({ type: "object", properties: { field: schema } }, schema);

/** @param schema of the parameter and the header. */
function contractWithBody(body: object, schema: object = {}): OpenApiDocument {
  const content = { "application/json": { schema: body } };
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
    return (["breaking", "additive", "editorial"] as const).find((severity) => foundSeverities.includes(severity));
  };
  const severities = ["request/field", "query/field", "200/field", "200/headers/X-Field"].map(highestSeverity);
  const fieldChanges = changes.filter(({ id }) => id.startsWith("lend/request/field"));
  expect(fieldChanges).toHaveLength(changeCount);
  expect(fieldChanges[0]?.sentence).toContain(sentence);
  expect(severities).toEqual([request, request, response, response]);
});

describe.each(["b.c", "b(c)", "b[]", "b.*"])("a field with the name %s", (name) => {
  const quotedName = `"${name}"`;
  const text = { type: "string" };
  const before = { type: "object", properties: { a: text } };
  const after = { type: "object", properties: { a: text, [name]: text }, required: [name] };
  const changesBetween = (contractBefore: OpenApiDocument, contractAfter: OpenApiDocument) =>
    compareContracts(contractBefore, contractAfter).map(({ severity, id, element }) => ({ severity, id, element }));

  it("is compared as a field of a body", () => {
    const [contractBefore, contractAfter] = [contractWithBody(before), contractWithBody(after)];
    expect(changesBetween(contractBefore, contractAfter)).toContainEqual({
      severity: "breaking",
      id: `lend/request/${quotedName} added`,
      element: `field \`${quotedName}\` of the request`,
    });
    expect(changesBetween(contractAfter, contractBefore)).toContainEqual({
      severity: "breaking",
      id: `lend/200/${quotedName} removed`,
      element: `field \`${quotedName}\` of the 200 response`,
    });
  });

  it("is compared as a field of an object", () => {
    const [contractBefore, contractAfter] = [contractWith(before), contractWith(after)];
    expect(changesBetween(contractBefore, contractAfter)).toContainEqual({
      severity: "breaking",
      id: `lend/request/field.${quotedName} added`,
      element: `field \`field.${quotedName}\` of the request`,
    });
    // The change of the object's type includes the removal.
    expect(changesBetween(contractAfter, contractWith(text)).map(({ id }) => id)).not.toContain(
      `lend/200/field.${quotedName} removed`,
    );
  });

  it("is not taken for a part of the field b", () => {
    const b = { type: "object", properties: { c: text }, items: text, additionalProperties: text };
    const contractOf = (type: string) => contractWithBody({ type: "object", properties: { b, [name]: { type } } });
    expect(changesBetween(contractOf("string"), contractOf("number")).map(({ id }) => id)).toEqual([
      `lend/request/${quotedName} type`,
      `lend/200/${quotedName} type`,
    ]);
  });
});
