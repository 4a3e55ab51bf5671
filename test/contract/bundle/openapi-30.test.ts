import { describe, expect, it } from "vitest";
import {
  convert,
  convertDocument,
  convertProperty,
  knownValues,
  type Node,
  nothing,
  number,
  numberOrText,
  openSet,
  referenceTo,
  requiresOne,
  text,
  typed,
} from "./openapi-30-converted.ts";

describe("the OpenAPI 3.0 form", () => {
  it("writes an open set as a string with its values", () => {
    const anyOf = [{ type: "string", enum: ["A", "B"] }, { type: "string" }];
    expect(convert({ It: { ...openSet, description: "It.", anyOf } }, "A")).toEqual({
      ...openSet,
      ...knownValues,
      description: "It. Known values: A, B. Others are possible.",
    });
  });

  it.each([
    ["copies a set that can be null", { oneOf: [referenceTo("Set"), { type: "null" }] }, { nullable: true }, ""],
    ["copies a set with a description", { ...referenceTo("Set"), description: "It." }, {}, "It. "],
  ])("%s", (_title, schema, expected, text) => {
    const description = `${text}Known values: A, B. Others are possible.`;
    expect(convertProperty(schema, "A", { Set: openSet })).toEqual({ ...knownValues, ...expected, description });
  });

  it("copies an object that can be null", () => {
    const error = { type: "object", properties: { text: { type: ["string", "null"] } } };
    expect(convertProperty({ oneOf: [referenceTo("Error"), { type: "null" }] }, null, { Error: error })).toEqual({
      type: "object",
      nullable: true,
      properties: { text: { type: "string", nullable: true } },
    });
  });

  it("gives a value of a map the type that the example shows", () => {
    const either = { type: ["string", "number"] };
    const expected = { type: "number", description: "It can also be of the type string." };
    expect(convertProperty({ type: "object", additionalProperties: either }, { a: 1 })).toEqual({
      type: "object",
      additionalProperties: expected,
    });
  });

  it.each([
    ["number", 1.5],
    ["string", "1.5"],
  ])("gives a value of two types the type that the example shows: %s", (type, value) => {
    const otherType = type === "number" ? "string" : "number";
    const description = `It can also be of the type ${otherType}.`;
    expect(convertProperty({ type: ["string", "number", "null"] }, value)).toEqual({
      type,
      nullable: true,
      description,
    });
  });

  const decimal = { type: ["number", "string", "null"], examples: ["0.01"] };
  const nullableText = { type: "string", nullable: true, description: "It can also be of the type number." };
  const { examples, ...decimalWithoutExample } = decimal;
  const pair = { type: "object", properties: { a: decimalWithoutExample } };
  const convertedPair = { type: "object", properties: { a: nullableText } };

  it.each<[string, Node, unknown, Node]>([
    ["its own example, if no body shows one", decimal, null, { ...nullableText, example: "0.01" }],
    ["the body, and no example of another type", { ...decimal, examples: [0.01] }, "0.01", nullableText],
    ["the body, and no default of another type", { ...decimalWithoutExample, default: 1 }, "0.01", nullableText],
    ["the example of the object", { ...pair, examples: [{ a: "1" }] }, null, { ...convertedPair, example: { a: "1" } }],
    [
      "its own example, for a choice",
      { oneOf: [{ type: "number" }, { type: "string" }, { type: "null" }], examples },
      null,
      { ...nullableText, example: "0.01" },
    ],
    [
      "the body, and only the values of that type",
      { type: ["number", "string", "null"], enum: [1, "a", null] },
      "a",
      { ...nullableText, enum: ["a", null] },
    ],
    [
      "its values, if no body shows one",
      { type: ["number", "string", "null"], enum: ["a"] },
      null,
      { ...nullableText, enum: ["a"] },
    ],
  ])("gives a value of two types the type of %s", (_title, schema, value, expected) => {
    expect(convertProperty(schema, value)).toEqual(expected);
  });

  const lock = { type: "string", pattern: "^a", description: "A lock." };

  it.each([
    ["the type of the examples", [number, lock], "a", { ...lock, description: `A lock. ${numberOrText} number.` }],
    ["the first type", [lock, number], null, { ...lock, description: `A lock. ${numberOrText} number.` }],
    ["an integer", [lock, { type: "integer" }], 5, { type: "integer", description: `${numberOrText} string.` }],
    ["a type and null", [text, nothing], "a", { ...text, nullable: true }],
    [
      "a constant and null",
      [{ const: "a", ...text }, { const: null }],
      "a",
      { ...text, enum: ["a", null], nullable: true },
    ],
    [
      "a closed set and null",
      [{ enum: ["a", "b"], ...text }, nothing],
      "a",
      { ...text, enum: ["a", "b", null], nullable: true },
    ],
    [
      "a reference and null",
      [referenceTo("Set"), nothing],
      "A",
      {
        ...knownValues,
        nullable: true,
        description: "Known values: A, B. Others are possible.",
      },
    ],
    ["a described value and null", [referenceTo("Lock"), nothing], "a", { ...lock, nullable: true }],
    ["an object and null", [referenceTo("Thing"), nothing], {}, { type: "object", nullable: true, properties: {} }],
    ["fields and null", [{ properties: {} }, nothing], {}, { type: "object", nullable: true, properties: {} }],
    [
      "a list, a text and null",
      [{ type: "array" }, referenceTo("Lock"), nothing],
      "a",
      {
        ...lock,
        nullable: true,
        description: `A lock. ${numberOrText} array.`,
      },
    ],
  ])("writes a choice as one type, in anyOf as in oneOf: %s", (_title, choice, value, expected) => {
    const components = { Set: openSet, Lock: lock, Thing: { type: "object", properties: {} } };
    for (const keyword of ["anyOf", "oneOf"]) {
      expect([keyword, convertProperty({ [keyword]: choice }, value, components)]).toEqual([keyword, expected]);
    }
  });

  it("adds the description and questions of a nullable reference to those of its target", () => {
    const target = { ...lock, "x-open-questions": ["Q-a"] };
    const choice = { description: "It.", anyOf: [referenceTo("Lock"), nothing], "x-open-questions": ["Q-b"] };
    expect(convertProperty(choice, "a", { Lock: target })).toEqual({
      ...lock,
      nullable: true,
      description: "It.",
      "x-open-questions": ["Q-a", "Q-b"],
    });
  });

  it("names the other types of a reference with a description of its own", () => {
    const reference = { ...referenceTo("Amount"), description: "It." };
    const description = `It. ${numberOrText} number.`;
    expect(convertProperty(reference, "a", { Amount: { anyOf: [lock, number] } })).toEqual({ ...lock, description });
  });

  it("leaves out which of several fields are required, in anyOf as in oneOf", () => {
    for (const keyword of ["anyOf", "oneOf"]) {
      const choice = { [keyword]: [{ required: ["a"] }, { required: ["b"] }] };
      expect(convert({ It: { type: "object", properties: {}, allOf: [choice] } })).toEqual({
        type: "object",
        properties: {},
      });
      expect(convert({ It: { type: "object", properties: {}, ...choice } })).toEqual({
        type: "object",
        properties: {},
      });
    }
  });

  it("writes the parts of a composition as one object", () => {
    const base = {
      type: "object",
      required: ["a"],
      properties: { a: { type: "string" } },
      "x-open-questions": ["Q-a"],
    };
    const otherPart = {
      type: "object",
      required: ["b"],
      properties: { b: { type: "string" } },
      "x-open-questions": ["Q-b"],
    };
    expect(
      convert({ It: { description: "It.", allOf: [referenceTo("Base"), otherPart] }, Base: base }, { a: "", b: "" }),
    ).toEqual({
      description: "It.",
      type: "object",
      required: ["a", "b"],
      "x-open-questions": ["Q-a", "Q-b"],
      properties: { a: { type: "string" }, b: { type: "string" } },
    });
  });

  it.each([
    [
      "allOf and fields of which one is required",
      { allOf: [referenceTo("Base")], anyOf: requiresOne },
      typed("a", ["a"]),
    ],
    [
      "alternatives with fields",
      { ...typed("b", ["b"]), anyOf: [typed("a", ["a"]), typed("c", ["c"])] },
      {
        properties: { ...typed("a").properties, ...typed("c").properties, ...typed("b").properties },
        required: ["b"],
      },
    ],
    [
      "a single alternative with a required field",
      { ...typed("b", ["b"]), anyOf: [typed("a", ["a"])] },
      { properties: { ...typed("a").properties, ...typed("b").properties }, required: ["a", "b"] },
    ],
    [
      "alternatives with fields, and nothing beside them",
      { anyOf: [typed("a", ["a"]), typed("b", ["b"])] },
      { properties: { ...typed("a").properties, ...typed("b").properties } },
    ],
    [
      "the keywords of all parts",
      { allOf: [{ type: "string" }, { minLength: 1 }], maxLength: 9 },
      { type: "string", minLength: 1, maxLength: 9 },
    ],
    [
      "the narrower limits",
      {
        allOf: [
          { minLength: 1, maxLength: 9, minimum: 2 },
          { minLength: 2, maxLength: 8 },
        ],
        maxLength: 7,
        minimum: 1,
      },
      { minLength: 2, maxLength: 7, minimum: 2 },
    ],
    [
      "the narrower of an exclusive limit and a limit",
      {
        allOf: [
          { minimum: 0, exclusiveMaximum: 9 },
          { exclusiveMinimum: 0, maximum: 8 },
        ],
        exclusiveMaximum: 9,
      },
      { minimum: 0, exclusiveMinimum: true, maximum: 8, exclusiveMaximum: false },
    ],
    [
      "no further fields, if each part has the same",
      { allOf: [{ ...typed("a"), additionalProperties: false }, { properties: { a: { minLength: 1 } } }] },
      { properties: { a: { type: "string", minLength: 1 } }, required: [], additionalProperties: false },
    ],
    [
      "what two parts say about a field",
      { allOf: [referenceTo("Base")], properties: { a: { minLength: 1 } } },
      { properties: { a: { type: "string", minLength: 1 } }, required: ["a"] },
    ],
    [
      "a component that is another name of a component",
      { allOf: [referenceTo("Alias"), typed("b")] },
      { properties: { ...typed("a").properties, ...typed("b").properties }, required: ["a"] },
    ],
    ["what is not allowed", { not: { exclusiveMinimum: 0 } }, { not: { minimum: 0, exclusiveMinimum: true } }],
    [
      "one reference with a description",
      { oneOf: [referenceTo("Base")], description: "It." },
      { ...referenceTo("Base"), description: "It." },
    ],
  ])("keeps what is combined: %s", (_title, schema, expected) => {
    expect(convertProperty(schema, {}, { Base: typed("a", ["a"]), Alias: referenceTo("Base") })).toEqual(expected);
  });

  it.each<[string, Node, Node]>([
    ["a constant that is false", { type: "boolean", const: false }, { type: "boolean", enum: [false] }],
    ["a list of one type", { type: ["string"] }, text],
    ["a number that can be an integer", { type: ["integer", "number"] }, number],
    [
      "a schema without other fields",
      { ...typed("a"), additionalProperties: false },
      { ...typed("a"), additionalProperties: false },
    ],
    ["a schema that is true", { properties: { a: true } }, { properties: { a: {} } }],
    ["what depends on a field", { ...typed("a"), dependentRequired: { a: ["b"] }, $comment: "It." }, typed("a")],
    [
      "keywords beside a reference",
      { ...referenceTo("One"), ...typed("b", ["b"]) },
      {
        properties: { ...typed("a").properties, ...typed("b").properties },
        required: ["a", "b"],
      },
    ],
    [
      "a known value beside a description",
      { allOf: [referenceTo("Set")], maxLength: 9 },
      {
        ...knownValues,
        maxLength: 9,
        description: "Known values: A, B. Others are possible.",
      },
    ],
  ])("converts %s", (_title, schema, expected) => {
    expect(convertProperty(schema, {}, { One: typed("a", ["a"]), Set: openSet })).toEqual(expected);
  });

  it("leaves data unchanged, whatever its keys are", () => {
    const value = { schema: { anyOf: [{ required: ["a"] }], type: ["string", "number"] }, examples: ["a"] };
    const content = { "application/json": { schema: { type: "object", properties: {} }, example: value } };
    const responses = { 200: { description: "Done.", content } };
    const { paths } = convertDocument({ paths: { "/it": { get: { responses } } } });
    expect(paths["/it"]?.get?.responses["200"]).toEqual({ description: "Done.", content });
  });

  it("writes exclusive limits as limits with a mark", () => {
    expect(convertProperty({ type: "number", exclusiveMinimum: 0, exclusiveMaximum: 9 }, 1)).toEqual({
      type: "number",
      minimum: 0,
      exclusiveMinimum: true,
      maximum: 9,
      exclusiveMaximum: true,
    });
  });

  it("keeps the narrower of two limits", () => {
    const limits = { minimum: 5, exclusiveMinimum: 3, maximum: 9, exclusiveMaximum: 9 };
    expect(convertProperty({ type: "number", ...limits }, 6)).toEqual({
      type: "number",
      minimum: 5,
      exclusiveMinimum: false,
      maximum: 9,
      exclusiveMaximum: true,
    });
  });

  it("keeps alternatives that are references, and replaces a single alternative with its reference", () => {
    const components = { One: { type: "object", properties: {} }, Two: { type: "object", properties: {} } };
    expect(convertProperty({ oneOf: [referenceTo("One")] }, {}, components)).toEqual(referenceTo("One"));
    const alternatives = { oneOf: [referenceTo("One"), referenceTo("Two")], discriminator: { propertyName: "kind" } };
    expect(convertProperty(alternatives, {}, components)).toEqual(alternatives);
  });

  it("writes the errors of an open response as one schema, with the fields that all of them require", () => {
    const errorSchema = (...required: string[]) => ({
      type: "object",
      required,
      properties: { errorCode: { type: "string" }, errorMessage: { type: "string" } },
    });
    const responseTo = (names: string[], keywords: Node = {}) => {
      const schema = { anyOf: [...names, "GeneralError"].map(referenceTo), type: "object", ...keywords };
      return { description: "No.", content: { "application/json": { schema } } };
    };
    const responseOf = (names: string[], otherNames: string[] = [], keywords: Node = {}) => {
      const responses = {
        400: responseTo(names, keywords),
        ...(otherNames.length > 0 && { 404: responseTo(otherNames) }),
      };
      const schemas = {
        GeneralError: { ...errorSchema("errorCode", "errorMessage"), "x-origin": { provenance: "specification" } },
        P101: errorSchema("errorCode", "errorMessage"),
        OtherError: { ...errorSchema("errorMessage"), "x-open-questions": ["Q-a"] },
        BareError: errorSchema(),
      };
      const { paths, components } = convertDocument({
        paths: { "/it": { get: { responses } } },
        components: { schemas },
      });
      return { response: paths["/it"]?.get?.responses?.["400"], schemas: components?.schemas };
    };
    expect(responseOf(["P101"]).response).toEqual({
      description: "No. Known codes: P101. Others are possible.",
      content: { "application/json": { schema: referenceTo("GeneralError") } },
    });
    const { response, schemas } = responseOf(["P101", "OtherError"]);
    expect(response).toMatchObject({
      content: { "application/json": { schema: referenceTo("ErrorWithOrWithoutCode") } },
    });
    expect(schemas).toEqual({
      ErrorWithOrWithoutCode: {
        ...errorSchema("errorMessage"),
        title: "Error with or without a code",
        description: "The error format with any P-code, or without one.",
        "x-open-questions": ["Q-a"],
      },
    });
    expect(responseOf(["OtherError"]).response).toMatchObject({ description: "No." });
    expect(responseOf(["OtherError"], ["BareError"]).schemas?.ErrorWithOrWithoutCode).toMatchObject({ required: [] });
    const keywords = { description: "An error.", "x-provenance": "proposed" };
    expect(responseOf(["P101"], [], keywords).response).toMatchObject({
      content: { "application/json": { schema: { ...referenceTo("GeneralError"), ...keywords } } },
    });
  });

  it("has a notice in its description, and webhooks only if there are any", () => {
    const webhooks = { it: { post: { requestBody: { content: {} }, responses: { 200: { description: "Done." } } } } };
    const document = convertDocument({ webhooks });
    expect(document.info.description).toMatch(/^About it\.\n\n\*\*This is the OpenAPI 3\.0 form/);
    expect(document).toMatchObject({ "x-webhooks": webhooks });
    expect(document).not.toHaveProperty("webhooks");
    expect(document).not.toHaveProperty(["x-webhooks", "it", "post", "requestBody", "description"]);
    expect(convertDocument({})).not.toHaveProperty("x-webhooks");
  });

  it("moves marks beside the reference of a body out of the schema, and no other keywords", () => {
    const bodyOf = (keywords: object) => {
      const schema = { ...referenceTo("It"), ...keywords };
      const requestBody = { content: { "application/json": { schema } } };
      const { paths } = convertDocument({
        paths: { "/it": { post: { requestBody, responses: {} } } },
        components: { schemas: { It: { type: "object", properties: {} } } },
      });
      return paths["/it"]?.post?.requestBody;
    };
    expect(bodyOf({ "x-sensitive": true })).toEqual({
      content: { "application/json": { schema: referenceTo("It"), "x-sensitive": true } },
    });
    expect(bodyOf({ "x-sensitive": true, description: "It." })).toEqual({
      content: {
        "application/json": { schema: { ...referenceTo("It"), description: "It.", "x-sensitive": true } },
      },
    });
  });
});
