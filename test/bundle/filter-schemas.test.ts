/** What `latest` leaves out of schemas and examples. */
import { describe, expect, it } from "vitest";
import { bodyOf, json, latestOf, leftOf, proposed, ref } from "./small-contract.ts";

describe("a schema", () => {
  it("loses proposed properties, and what required them", async () => {
    const schema = {
      type: "object",
      required: ["id", "colour"],
      properties: { id: { type: "string" }, colour: { type: "string", ...proposed } },
    };
    expect(await leftOf(schema)).toEqual({ type: "object", required: ["id"], properties: { id: { type: "string" } } });
  });

  it("loses a property at the one use whose reference is marked, and everywhere where its own schema is", async () => {
    const schema = {
      properties: { lid: ref("Lid"), spare: { ...ref("Lid"), ...proposed }, handle: ref("Handle") },
    };
    const left = await leftOf(schema, {}, { Lid: { type: "string" }, Handle: { type: "string", ...proposed } });
    expect(left.properties).toEqual({ lid: ref("Lid") });
  });

  it("loses what another branch requires, describes again or makes a condition of", async () => {
    const schemas = { Base: { properties: { id: {}, colour: { ...proposed } } } };
    const schema = {
      allOf: [ref("Base"), { required: ["colour"] }],
      if: { properties: { colour: { const: "red" } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { properties: { colour: { type: "string" }, glaze: {} } },
    };
    expect(await leftOf(schema, {}, schemas)).toEqual({ allOf: [ref("Base"), {}] });
  });

  it("requires nothing where nobody has stated what is required", async () => {
    const schema = { properties: { id: {} }, required: ["id"], "x-required-provenance": "proposed" };
    expect(await leftOf(schema)).toEqual({ properties: { id: {} } });
    const seen = { ...schema, "x-required-provenance": "reference" };
    expect(await leftOf(seen)).toEqual(seen);
  });

  it("says so where none of its fields or nothing of its elements is left", async () => {
    expect(await leftOf({ type: "object", description: "A pot.", properties: { id: proposed } })).toEqual({
      type: "object",
      description: "A pot. Its fields are not shown.",
    });
    expect(await leftOf({ type: "array", items: proposed })).toEqual({
      type: "array",
      description: "What an element holds is not shown.",
    });
  });

  it("loses proposed branches; a choice that has lost all but null is none", async () => {
    const variants = [ref("Clay"), ref("Iron")];
    const schemas = { Clay: { type: "object" }, Iron: { type: "object", ...proposed } };
    const mapping = { clay: "#/components/schemas/Clay", iron: "#/components/schemas/Iron" };
    const choice = { oneOf: variants, discriminator: { propertyName: "kind", mapping } };
    expect(await leftOf(choice, {}, schemas)).toEqual({
      oneOf: [ref("Clay")],
      discriminator: { propertyName: "kind", mapping: { clay: mapping.clay } },
    });
    const orNull = { properties: { pot: { oneOf: [ref("Iron"), { type: "null" }] } } };
    expect(await leftOf(orNull, {}, schemas)).toEqual({ properties: { pot: {} } });
  });

  it("loses proposed values of open sets, and a lifecycle that is proposed or starts nowhere", async () => {
    const values = { WHOLE: { meaning: "Whole" }, BROKEN: { meaning: "Broken", provenance: "proposed" } };
    const lifecycle = {
      provenance: "reference",
      initial: ["WHOLE"],
      final: ["BROKEN"],
      transitions: { WHOLE: ["BROKEN", "WHOLE"] },
    };
    const status = (more: object) => ({ type: "string", "x-open-enum": values, ...more });
    const left = { type: "string", "x-open-enum": { WHOLE: { meaning: "Whole" } } };
    expect(await leftOf(status({ "x-lifecycle": lifecycle }))).toEqual({
      ...left,
      "x-lifecycle": { provenance: "reference", initial: ["WHOLE"], final: [], transitions: { WHOLE: ["WHOLE"] } },
    });
    expect(await leftOf(status({ "x-lifecycle": { ...lifecycle, provenance: "proposed" } }))).toEqual(left);
    expect(await leftOf(status({ "x-lifecycle": { ...lifecycle, initial: ["BROKEN"] } }))).toEqual(left);
  });

  it("that refers to itself is filtered once", async () => {
    const schemas = { Pot: { properties: { above: ref("Pot"), colour: proposed } } };
    const document = await latestOf({
      get: { responses: { 200: { description: "The pot.", ...json(ref("Pot")) } } },
      components: { schemas },
    });
    expect(document.components?.schemas?.Pot).toEqual({ properties: { above: ref("Pot") } });
  });
});

describe("an example", () => {
  const status = {
    type: "string",
    "x-open-enum": { WHOLE: { meaning: "" }, BROKEN: { meaning: "", provenance: "proposed" } },
  };
  const schema = { properties: { id: {}, status, lid: { allOf: [{ properties: { colour: {}, glaze: proposed } }] } } };
  const examplesOf = async (examples: Record<string, object>, body: object = schema) => {
    const document = await latestOf({
      get: { responses: { 200: { description: "It.", ...json(body, { examples }) } } },
    });
    return bodyOf(document).examples;
  };

  it("goes when it is proposed or holds a value that is gone", async () => {
    const whole = { value: { id: 1, status: "WHOLE" } };
    const unlisted = { value: { id: 1, status: "GLUED" } };
    const left = await examplesOf({
      whole,
      unlisted,
      broken: { value: { id: 1, status: "BROKEN" } },
      guess: { value: { id: 1 }, ...proposed },
    });
    expect(left).toEqual({ whole, unlisted });
  });

  it("loses the field alone where nobody knows a value of its set, unless the field is required", async () => {
    const unknown = { type: "string", "x-open-enum": { BROKEN: { meaning: "", provenance: "proposed" } } };
    const body = { properties: { id: {}, status: unknown } };
    const broken = { value: { id: 1, status: "BROKEN" } };
    expect(await examplesOf({ broken }, body)).toEqual({ broken: { value: { id: 1 } } });
    expect(await examplesOf({ broken }, { ...body, required: ["status"] })).toBeUndefined();
  });

  it("loses the values of properties that are gone, also in lists and behind branches", async () => {
    const list = { type: "array", items: schema };
    const value = [{ id: 1, lid: { colour: "red", glaze: "matt" } }, { id: 2 }];
    expect(await examplesOf({ two: { value } }, list)).toEqual({
      two: { value: [{ id: 1, lid: { colour: "red" } }, { id: 2 }] },
    });
  });

  it("loses objects and lists of which nothing is left, unless they are required", async () => {
    const part = { type: "object", properties: { glaze: proposed } };
    const body = { properties: { id: {}, lid: part, spare: part, lids: { type: "array", items: part }, shards: {} } };
    const value = { id: 1, lid: { glaze: "matt" }, spare: {}, lids: [{ glaze: "matt" }], shards: {} };
    expect(await examplesOf({ one: { value } }, body)).toEqual({ one: { value: { id: 1, spare: {}, shards: {} } } });
    expect(await examplesOf({ one: { value } }, { ...body, required: ["lid"] })).toEqual({
      one: { value: { id: 1, lid: {}, spare: {}, shards: {} } },
    });
  });

  it("goes when nothing of it is left, and examples go with the last one", async () => {
    const body = { properties: { id: {}, glaze: proposed } };
    expect(await examplesOf({ glazed: { value: { glaze: "matt" } } }, body)).toBeUndefined();
  });

  it("of a schema loses them as well", async () => {
    const body = {
      ...schema,
      examples: [
        { id: 1, lid: { glaze: "matt" } },
        { id: 2, status: "BROKEN" },
      ],
    };
    expect((await leftOf(body)).examples).toEqual([{ id: 1 }]);
  });
});
