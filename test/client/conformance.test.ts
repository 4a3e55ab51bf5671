import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { webhookTable } from "../../generated/client/webhook-table.ts";
import { responseSchemasSource, webhookTableSource } from "../../scripts/client/generate/files/schemas.ts";
import { checkValues } from "../../scripts/client/src/checks/check-values.ts";
import { inspect, type Schema } from "../../scripts/client/src/checks/conformance.ts";
import { type JsonSchema, type OpenApiDocument, readContract } from "../../scripts/contract/model/index.ts";
import { contractOf } from "../support/contract.ts";
import { dereference, violations } from "../support/schema.ts";

function changedExamples(example: unknown): fc.Arbitrary<unknown> {
  const value = fc.oneof(
    fc.constantFrom<unknown>(null, true, 0, -1.5, "", "SUCCESSFUL", "EUR", "2026-03-14T09:26:53+01:00", [], {}),
    fc.jsonValue({ maxDepth: 1 }),
  );
  const change = fc.record({ position: fc.nat(), changeKind: fc.constantFrom("replace", "remove", "add"), value });
  return fc.array(change, { maxLength: 4 }).map((changes) => {
    let body = structuredClone(example);
    for (const { position, changeKind, value } of changes) body = applyChange(body, position, changeKind, value);
    return body;
  });
}

function applyChange(body: unknown, position: number, changeKind: string, value: unknown): unknown {
  if (typeof body !== "object" || body === null) return value;
  const holder = body as Record<string, unknown>;
  const keys = Object.keys(holder);
  const key = keys[position % (keys.length + 1)];
  if (key === undefined) return changeKind === "replace" ? value : body;
  const innerValue = holder[key];
  if (typeof innerValue === "object" && innerValue !== null && position % 2 === 1)
    holder[key] = applyChange(innerValue, position >> 1, changeKind, value);
  else if (changeKind === "remove" && !Array.isArray(body)) delete holder[key];
  else if (changeKind === "add" && !Array.isArray(body)) holder[`added${position % 10}`] = value;
  else holder[key] = value;
  return body;
}

/** Rules of `inspect` that are not part of JSON Schema, so Ajv does not report them. */
const rulesBeyondJsonSchema = new Set(["unlisted-field", "unlisted-value"]);

describe("webhooks", async () => {
  const { webhooks, document } = await contractOf("test");
  const resolvedDocument = dereference(document);
  const bodies = webhooks.map(({ name, requestBody }) => {
    const resolvedRequestBody = resolvedDocument.webhooks?.[name]?.post?.requestBody as {
      content: Record<string, { schema: JsonSchema }>;
    };
    const examples = requestBody?.bodies[0]?.examples.map(({ value }) => value) ?? [];
    const jsonSchema = resolvedRequestBody.content["application/json"]?.schema as JsonSchema;
    return { name, jsonSchema, examples: [...examples, {}], clientSchema: webhookTable[name]?.schema as Schema };
  });

  it.each(bodies)("$name is valid exactly when Ajv accepts it", ({ jsonSchema, examples, clientSchema }) => {
    fc.assert(
      fc.property(fc.constantFrom(...examples).chain(changedExamples), (body) => {
        const foundViolations = inspect(clientSchema, body).violations.filter(
          ({ rule }) => !rulesBeyondJsonSchema.has(rule),
        );
        expect(foundViolations.length === 0).toBe(violations(jsonSchema, body).length === 0);
      }),
      { numRuns: 300 },
    );
  });

  it.each(bodies)("$name breaks its type only by missing fields and other JSON types", ({ examples, clientSchema }) => {
    fc.assert(
      fc.property(fc.constantFrom(...examples).chain(changedExamples), (body) => {
        const { typeViolations, violations } = inspect(clientSchema, body);
        expect(violations).toEqual(expect.arrayContaining([...typeViolations]));
        expect(typeViolations.filter(({ rule }) => rule !== "required" && rule !== "type")).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it.each(bodies)(
    "$name does not break its type by another string, number or unlisted field",
    ({ examples, clientSchema }) => {
      const completeExamples = fc
        .constantFrom(...examples)
        .filter((example) => inspect(clientSchema, example).typeViolations.length === 0);
      fc.assert(
        fc.property(
          completeExamples,
          fc.string(),
          fc.integer(),
          fc.jsonValue(),
          (example, text, number, addedValue) => {
            const replace = (_key: string, value: unknown) =>
              typeof value === "string" ? text : typeof value === "number" ? number : value;
            const body = { ...JSON.parse(JSON.stringify(example, replace)), added: addedValue };
            expect(inspect(clientSchema, body).typeViolations).toEqual([]);
          },
        ),
        { numRuns: 100 },
      );
    },
  );

  it.each(bodies)("reports deviations of $name without its values", ({ examples, clientSchema }) => {
    for (const example of examples) {
      const body = JSON.parse(
        JSON.stringify(example, (_key, value) => (typeof value === "string" ? "canary!" : value)),
      );
      expect(JSON.stringify(inspect(clientSchema, { ...body, "canary!": "canary!" }))).not.toContain("canary!");
    }
  });

  it("no webhook schema closes its set of values", () => {
    const isClosed = (schema: unknown): boolean =>
      typeof schema === "object" &&
      schema !== null &&
      ("enum" in schema || "const" in schema || Object.values(schema).some(isClosed));
    expect(bodies.filter(({ clientSchema }) => isClosed(clientSchema)).map(({ name }) => name)).toEqual([]);
  });
});

describe("a union", () => {
  const exchange: Schema = {
    type: "object",
    required: ["type", "to"],
    properties: { type: { const: "exchange" }, to: { type: "string" } },
  };
  const fee: Schema = {
    type: "object",
    required: ["type"],
    properties: { type: { const: "fee" }, rate: { pattern: /^\d+$/u } },
  };

  const union: Schema = { oneOf: [exchange, fee] };
  const nullableText: Schema = { anyOf: [{ type: "string", format: /^x$/ }, { type: "null" }] };

  it.each<[name: string, schema: Schema, body: unknown, violation: object, isTypeBroken: boolean]>([
    [
      "a literal that no branch has",
      union,
      { type: "EXCHANGE", to: "btc" },
      { pointer: "/type", rule: "const" },
      false,
    ],
    [
      "a format of the selected branch",
      union,
      { type: "fee", rate: "a" },
      { pointer: "/rate", rule: "pattern" },
      false,
    ],
    ["a field that the selected branch lacks", union, { type: "exchange" }, { pointer: "/to", rule: "required" }, true],
    ["a JSON type that no branch accepts", nullableText, 1, { pointer: "", rule: "type" }, true],
    ["a format of the branch with its JSON type", nullableText, "y", { pointer: "", rule: "format" }, false],
    ["a second branch", { oneOf: [{ type: "string" }, { minLength: 1 }] }, "a", { pointer: "", rule: "oneOf" }, false],
  ])("reports %s", (_name, schema, body, violation, isTypeBroken) => {
    expect(inspect(schema, body)).toEqual({ typeViolations: isTypeBroken ? [violation] : [], violations: [violation] });
  });
});

describe("a bound", () => {
  const texts = ["", "a", "ab", "abc"];
  const lists = [[], [1], [1, 2], [1, 2, 3]];
  const objects = [{}, { a: 1 }, { a: 1, b: 2 }];
  const bounds: [schema: Schema, values: unknown[], validValues: unknown[]][] = [
    [{ minLength: 1, maxLength: 2 }, texts, ["a", "ab"]],
    [{ minItems: 1, maxItems: 2 }, lists, [[1], [1, 2]]],
    [{ minProperties: 1, additionalProperties: {} }, objects, objects.slice(1)],
    [{ minimum: 1, maximum: 2 }, [0, 1, 2, 3], [1, 2]],
    [{ exclusiveMinimum: 0, exclusiveMaximum: 3 }, [0, 1, 2, 3], [1, 2]],
    [{ minLength: 0, minItems: 0 }, [...texts, ...lists, 0], [...texts, ...lists, 0]],
    [{ additionalProperties: {} }, objects, objects],
  ];
  it.each(bounds)("%j accepts exactly the values within it", (schema, values, validValues) => {
    expect(values.filter((value) => inspect(schema, value).violations.length === 0)).toEqual(validValues);
  });
});

describe("a violation", () => {
  it("names the open question of its place; missing and unlisted fields get that of the object", () => {
    const schema: Schema = {
      question: "Q-all",
      properties: { a: { type: "string", question: "Q-a" }, b: { type: "string" } },
      required: ["a"],
    };
    expect(inspect({ ...schema, required: ["b"] }, {}).violations).toEqual([
      { pointer: "/b", rule: "required", question: "Q-all" },
    ]);
    expect(inspect(schema, { b: 1 }).violations).toEqual([
      { pointer: "/a", rule: "required", question: "Q-a" },
      { pointer: "/b", rule: "type" },
    ]);
    expect(inspect(schema, { a: "", c: 1 }).violations).toEqual([
      { pointer: "/c", rule: "unlisted-field", question: "Q-all" },
    ]);
  });

  it("is reported once for all items of a list", () => {
    const schema: Schema = { items: { properties: { at: { format: /^x/ } } } };
    const body = Array.from({ length: 500 }, () => ({ at: "y" }));
    expect(inspect(schema, body).violations).toEqual([{ pointer: "/0/at", rule: "format" }]);
  });

  it("shows map keys and names that may be data as * in the pointer", () => {
    const schema: Schema = { properties: { "a/b": { additionalProperties: { type: "number" } } } };
    const body = { "a/b": { "user-1042": "x" }, "user-1042": 1, iban: 2, DE89370400440532013000: 3 };
    expect(inspect(schema, body).violations).toEqual([
      { pointer: "/a~1b/*", rule: "type" },
      { pointer: "/*", rule: "unlisted-field" },
      { pointer: "/iban", rule: "unlisted-field" },
    ]);
  });

  it("of a condition, or of an integer by a fraction, does not break the type", () => {
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    const schema: Schema = { if: { required: ["a"] }, then: { required: ["b"] } };
    expect(inspect(schema, { a: 1 })).toEqual({
      typeViolations: [],
      violations: [{ pointer: "/b", rule: "required" }],
    });
    expect(inspect({ type: "integer" }, 1.5)).toEqual({
      typeViolations: [],
      violations: [{ pointer: "", rule: "type" }],
    });
  });
});

describe("generating the schemas of the client", () => {
  const generateFrom = (property: JsonSchema) => {
    const schema = { type: "object", properties: { value: { $ref: "#/components/schemas/Value" } } };
    const jsonBody = { content: { "application/json": { schema } } };
    const document = {
      openapi: "3.1.1",
      paths: { "/v1": { get: { operationId: "getIt", responses: { 200: { description: "It.", ...jsonBody } } } } },
      webhooks: { valueChanged: { post: { requestBody: jsonBody, responses: {} } } },
      components: { schemas: { Value: property } },
    } as unknown as OpenApiDocument;
    const contract = readContract(document);
    return [() => webhookTableSource(contract), () => responseSchemasSource(contract)];
  };

  it.each([
    [
      "a format",
      { format: "ipv4" },
      /^#\/components\/schemas\/Value\/format: The client does not know the format ipv4\. .* uuid/,
    ],
    [
      "a keyword",
      { dependentRequired: {} },
      /^#\/components\/schemas\/Value\/dependentRequired: The client does not know the keyword dep/,
    ],
  ])("fails for %s that the client would not check", (_name, property, message) => {
    for (const generate of generateFrom(property as JsonSchema)) expect(generate).toThrow(message);
  });

  it("succeeds for keywords that need no check", () => {
    for (const generate of generateFrom({
      type: "string",
      format: "date",
      title: "T",
      "x-sensitive": true,
      readOnly: true,
    })) {
      expect(generate()).toContain("const Value: Schema =");
    }
  });

  it.each([
    [{ type: "integer", minimum: 1, format: "int32" }, '{ type: "integer", minimum: 1, maximum: 2147483647 }'],
    [{ type: "integer", format: "int64", maximum: 9 }, '{ type: "integer", maximum: 9 }'],
  ])("writes the limits of a format of numbers: %j", (property, written) => {
    for (const generate of generateFrom(property as JsonSchema))
      expect(generate()).toContain(`const Value: Schema = ${written};`);
  });
});

it.each<[string, Schema]>([
  ["properties", { properties: { kind: { enum: ["a", "b"] } } }],
  ["additionalProperties", { additionalProperties: { enum: ["a", "b"] } }],
  ["else", { if: { not: {} }, else: { properties: { kind: { enum: ["a", "b"] } } } }],
])("a refused value is reported with the values that a schema below %s lists", (_keyword, schema) => {
  const operation = { id: "create", method: "POST", path: "/", responses: {} } as const;
  const call = { query: {}, givenNames: [], text: '{"kind":"c"}' };
  const { problem } = checkValues(operation, { create: { schema, isStated: true } }, call);
  expect(problem?.slice(2)).toEqual(["enum", ["a", "b"]]);
});
