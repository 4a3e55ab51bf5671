/** What `latest` leaves out of operations and webhooks. */
import { describe, expect, it } from "vitest";
import type { OperationObject, ResponseObject } from "../../scripts/contract/index.ts";
import { advice, bodyOf, bundleOf, error, getPot, json, latestOf, proposed, ref } from "./small-contract.ts";

/** The body of which nothing is shown. */
const openBody = {
  schema: { type: "object", description: "What the body holds is not shown." },
  examples: { notShown: { summary: "Empty, since the body is not shown", value: {} } },
};

const codes = (...branches: object[]) => json({ oneOf: branches });

describe("an operation", () => {
  it("loses proposed parameters, but for one of its path", async () => {
    const parameters = [
      { name: "potId", in: "path", required: true, schema: { type: "string" }, ...proposed },
      { name: "colour", in: "query", schema: { type: "string" }, ...proposed },
      { $ref: "#/components/parameters/Size" },
      { name: "glaze", in: "query", schema: ref("Glaze") },
    ];
    const components = {
      parameters: { Size: { name: "size", in: "query", schema: { type: "string" }, ...proposed } },
      schemas: { Glaze: { type: "string", enum: ["matt"], ...proposed } },
    };
    const { parameters: left } = getPot(await latestOf({ get: { parameters }, components }));
    expect(left).toEqual([parameters[0], { name: "glaze", in: "query", schema: { type: "string" } }]);
  });

  it("has an open body where nobody has shown one, and an empty example", async () => {
    const schemas = { Pot: { type: "object", properties: { id: {} }, ...proposed } };
    const body = json(ref("Pot"), { examples: { one: { value: { id: 1 } } } });
    const list = json({ type: "array", items: ref("Pot"), ...proposed });
    const get = {
      requestBody: body,
      responses: { 200: { description: "It.", ...body }, 202: { description: "", ...list } },
    };
    const document = await latestOf({ get, components: { schemas } });
    expect(bodyOf(document)).toEqual(openBody);
    expect(getPot(document).requestBody).toEqual({ content: { "application/json": openBody } });
    expect(bodyOf(document, "202").schema).toEqual({ description: "What the body holds is not shown." });
    expect(document.components?.schemas).toBeUndefined();
  });

  it("loses proposed answers, but keeps the status of its only success", async () => {
    const pot = { description: "It.", ...json({ type: "object", properties: { id: {} } }), ...proposed };
    const alone = getPot(await latestOf({ get: { responses: { 201: pot, 404: pot } } }));
    expect(Object.keys(alone.responses)).toEqual(["201"]);
    expect(alone.responses[201]).toMatchObject({ description: "Success. What the answer holds is not shown." });
    const two = getPot(await latestOf({ get: { responses: { 201: pot, 202: { description: "Later." } } } }));
    expect(Object.keys(two.responses)).toEqual(["202"]);
  });

  it("loses codes that it is only proposed to answer with, at the one use or everywhere, with their examples", async () => {
    const schemas = { P101: error("P101"), P102: error("P102"), P103: error("P103", proposed) };
    const answer = codes(ref("P101"), { ...ref("P102"), ...proposed }, ref("P103"));
    const media = answer.content["application/json"];
    const examples = { P102: { value: { errorCode: "P102" } }, two: { value: { errorCode: "P102" } } };
    Object.assign(media, { examples });
    const get = { responses: { 200: { description: "It." }, 400: { description: "No.", ...answer } } };
    const document = await latestOf({ get, components: { schemas } });
    const left = bodyOf(document, "400");
    expect(left.schema.oneOf).toEqual([ref("P101")]);
    expect(Object.keys(left.schema.discriminator?.mapping ?? {})).toEqual(["P101"]);
    expect(left.examples ?? {}).toEqual({});
    expect(Object.keys(document.components?.schemas ?? {})).toEqual(["P101", "P102"]);
  });

  it("answers with any code of the catalogue where none of a 400 is known, and loses other such answers", async () => {
    const unknown = codes({ ...ref("P101"), ...proposed });
    const responses = {
      200: { description: "It." },
      202: { description: "Later.", ...codes({ ...ref("P211"), ...proposed }) },
      400: { description: "No.", ...unknown },
      404: { $ref: "#/components/responses/NotFound" },
    };
    const components = {
      schemas: {
        P101: error("P101"),
        P102: error("P102", { "x-provenance": "reference" }),
        P103: error("P103", proposed),
        P211: error("P211", { "x-error": { status: 202, meaning: "Pending", retry: "none", resolution: "Wait." } }),
      },
      responses: { NotFound: { description: "None.", ...codes({ ...ref("P102"), ...proposed }) } },
    };
    const get = { requestBody: { ...json({}), "x-invalid-request": "P101" }, responses };
    const document = await latestOf({ get, components });
    expect(Object.keys(getPot(document).responses)).toEqual(["200", "400"]);
    expect(bodyOf(document, "400").schema).toEqual(ref("ErrorWithAnyCode"));
    expect(document.components?.schemas?.ErrorWithAnyCode).toMatchObject({
      required: ["errorCode", "errorMessage"],
      properties: {
        errorMessage: { type: "string" },
        errorCode: {
          type: "string",
          "x-open-enum": {
            P101: { meaning: "Meaning of P101" },
            P102: { meaning: "Meaning of P102", provenance: "reference" },
          },
        },
      },
    });
    expect(Object.keys((document.components?.schemas ?? {}) as object)).not.toContain("P103");
    expect(getPot(document).requestBody).toMatchObject({ "x-invalid-request": "400" });
  });

  it("loses links, conditions and effects that refer to something that is gone", async () => {
    const schemas = {
      P101: error("P101"),
      Pot: { properties: { id: {}, lidId: proposed } },
      PotStatus: {
        type: "string",
        "x-open-enum": { WHOLE: { meaning: "" }, BROKEN: { meaning: "", provenance: "proposed" } },
      },
    };
    const links = {
      again: { operationId: "getPot", parameters: { potId: "$response.body#/id", colour: "$response.body#/id" } },
      lid: { operationId: "getPot", parameters: { potId: "$response.body#/lidId" } },
      gone: { operationId: "paintPot", parameters: { potId: "$response.body#/id" } },
    };
    const get = {
      parameters: [
        { name: "potId", in: "path", required: true, schema: {} },
        { name: "colour", in: "query", schema: {}, ...proposed },
      ],
      responses: {
        200: {
          description: "It.",
          ...json({ allOf: [ref("Pot"), { properties: { status: ref("PotStatus") } }] }),
          links,
        },
        400: { description: "No.", ...codes(ref("P101")) },
      },
      "x-requires": {
        potExists: "$request.path.potId",
        potWhole: "$request.path.potId",
        paint: "$request.query.colour",
      },
      "x-effects": [
        { creates: "pot", id: "$response.body#/id" },
        { creates: "lid", id: "$response.body#/lidId" },
        { moves: "pot", id: "$request.path.potId", to: ["WHOLE", "BROKEN"] },
        { moves: "pot", id: "$request.path.potId", to: "BROKEN" },
        { moves: "pot", id: "$request.path.potId", to: "WHOLE", provenance: "proposed" },
        { creates: "pot", id: "$response.body#/id", provenance: "observed" },
      ],
      "x-triggers": ["potBroken", { webhook: "potBroken", provenance: "proposed" }],
    };
    const files = {
      "extensions.yaml": {
        "x-requires": {
          conditions: { potExists: { code: "P101" }, potWhole: { code: "P102" }, paint: { code: "P101" } },
        },
      },
      "open-questions.yaml": {},
      "resources.yaml": { pot: { id: "id", status: "schemas/PotStatus.yaml" } },
    };
    const left = getPot(await latestOf({ get, components: { schemas }, files }));
    expect((left.responses[200] as ResponseObject).links).toEqual({
      again: { operationId: "getPot", parameters: { potId: "$response.body#/id" } },
    });
    expect(left["x-requires"]).toEqual({ potExists: "$request.path.potId" });
    expect(left["x-effects"]).toEqual([
      { creates: "pot", id: "$response.body#/id" },
      { moves: "pot", id: "$request.path.potId", to: "WHOLE" },
      { creates: "pot", id: "$response.body#/id", provenance: "observed" },
    ]);
    expect(left["x-triggers"]).toEqual(["potBroken"]);
  });

  it("is left with the answers to invalid requests that it has", async () => {
    const size = (answer: string) => ({ name: "size", in: "query", schema: {}, "x-invalid-request": answer });
    const components = {
      schemas: {
        P101: error("P101"),
        P102: error("P102"),
        P104: error("P104", { "x-error": { status: 404, meaning: "None", retry: "never", resolution: "Correct it." } }),
      },
      parameters: { Size: size("P102"), Glaze: { ...size("P101"), name: "glaze" } },
    };
    const ok = { 200: { description: "It." } };
    const of = (...branches: object[]) => ({ description: "No.", ...codes(...branches) });
    const get = {
      parameters: [
        { ...size("P104"), name: "colour" },
        { ...size("404"), name: "lid" },
        { $ref: "#/components/parameters/Glaze" },
      ],
      requestBody: { ...json({}), "x-invalid-request": { missing: "P104", otherwise: "P102" } },
      responses: {
        ...ok,
        400: of({ ...ref("P102"), ...proposed }),
        404: { description: "No.", ...proposed },
        409: of(ref("P101")),
      },
    };
    const paths = {
      "/lids": {
        parameters: [{ $ref: "#/components/parameters/Size" }, size("P101")],
        get: { operationId: "getLid", "x-provenance": "reference", responses: { ...ok, 400: of(ref("P101")) } },
        put: {
          operationId: "putLid",
          "x-provenance": "reference",
          responses: { ...ok, 400: of(ref("P101"), ref("P102")) },
        },
      },
    };
    const document = await latestOf({ get, paths, components });
    const pot = getPot(document);
    expect(pot.parameters).toEqual([
      { name: "colour", in: "query", schema: {} },
      { name: "lid", in: "query", schema: {} },
      { $ref: "#/components/parameters/Glaze" },
    ]);
    expect(pot.requestBody).toMatchObject({ "x-invalid-request": { otherwise: "400" } });
    expect(document.paths["/lids"]).toMatchObject({
      parameters: [size("P101")],
      get: { parameters: [{ name: "size", in: "query", schema: {} }] },
      put: { parameters: [{ $ref: "#/components/parameters/Size" }] },
    });
    expect(document.paths["/lids"]?.get?.parameters?.[0]).not.toHaveProperty("x-invalid-request");
  });
});

describe("a webhook", () => {
  const webhook = (more: object, schema: object = { properties: { id: {}, status: proposed } }) => ({
    potBroken: {
      post: {
        summary: "Pot Broken",
        description: "Tells of a lid.",
        tags: ["Pots"],
        requestBody: json(schema, { examples: { one: { value: { id: 1 } } } }),
        responses: {
          200: { description: "Heard.", ...json({ properties: { heard: {} } }) },
          401: { $ref: "#/components/responses/NoToken" },
        },
        ...more,
      },
    },
  });
  const leftOf = async (more: object, schema?: object) => {
    const components = { responses: { NoToken: { description: "No token." } } };
    const document = await latestOf({ webhooks: webhook(more, schema), components });
    return document.webhooks?.potBroken?.post as OperationObject;
  };

  it("keeps its name and an open body where nothing else is shown", async () => {
    const post = await leftOf({
      ...proposed,
      "x-webhook-path": { path: "/pot" },
      "x-dedupe-key": ["id"],
      "x-stated": ["name"],
    });
    expect(post).toEqual({
      summary: "Pot Broken",
      description:
        "The specification names this webhook. Its body, its path and what makes the service send it are not shown.",
      tags: ["Pots"],
      requestBody: {
        required: true,
        content: {
          "application/json": openBody,
        },
      },
      responses: {
        200: {
          description: "The partner has received the event.",
          content: { "application/json": { schema: { type: "object" } } },
        },
        401: { $ref: "#/components/responses/NoToken" },
      },
      "x-provenance": "specification",
      "x-stated": ["name"],
    });
  });

  it("keeps its description and an open body where all of its fields are proposed", async () => {
    const post = await leftOf({ "x-provenance": "reference" }, { type: "object", properties: { id: proposed } });
    expect(post).toMatchObject({
      description: "Tells of a lid.",
      requestBody: { content: { "application/json": openBody } },
      "x-provenance": "reference",
    });
  });

  it("does not say when it is sent where that is proposed", async () => {
    const event = { resource: "pot", after: ["BROKEN"] };
    const more = { "x-provenance": "reference", "x-event": { ...event, provenance: "proposed" } };
    expect(await leftOf(more)).not.toHaveProperty("x-event");
  });

  it("loses a path that nobody has shown, and a dedupe key with a field that is gone", async () => {
    const seen = { "x-provenance": "reference", "x-dedupe-key": ["id", "status"] };
    const post = await leftOf({ ...seen, "x-webhook-path": { path: "/pot", provenance: "proposed" } });
    expect(post).not.toHaveProperty("x-webhook-path");
    expect(post).not.toHaveProperty("x-dedupe-key");
    const known = await leftOf({ ...seen, "x-dedupe-key": ["id"], "x-webhook-path": { path: "/pot" } });
    expect(known).toMatchObject({ "x-webhook-path": { path: "/pot" }, "x-dedupe-key": ["id"] });
  });
});

describe("a text", () => {
  const absent = {
    "/pots": {
      put: { operationId: "paintPot", summary: "Paint Pot", responses: {}, ...proposed },
      patch: { operationId: "paintPots", summary: "Paint Pot and Lid", responses: {}, ...proposed },
    },
    "/lids": { get: { operationId: "getLid", summary: "Paint Pot Twice", "x-provenance": "reference", responses: {} } },
  };
  const described = async (description: string) => {
    return getPot(await latestOf({ get: { description }, paths: absent })).description;
  };

  it.each([
    ["Use Paint Pot.", "Use Paint Pot (not in this edition)."],
    [
      "Use Paint\n  Pot, then `paintPot`.",
      "Use Paint\n  Pot (not in this edition), then `paintPot` (not in this edition).",
    ],
    ["Use Paint Pot and Lid.", "Use Paint Pot and Lid (not in this edition)."],
    ["Use Paint Pot (not in this edition).", "Use Paint Pot (not in this edition)."],
    ["Use Paint Pot Twice, Paint Potter and Get Pot.", "Use Paint Pot Twice, Paint Potter and Get Pot."],
  ])("says of an operation that is not there: %s", async (before, after) => {
    expect(await described(before)).toBe(after);
  });

  it("says so in summaries, meanings and resolutions too, and never in the values of examples", async () => {
    const responses = {
      200: {
        description: "See Paint Pot.",
        ...json(
          { properties: { note: { type: "string", "x-open-enum": { A: { meaning: "Paint Pot" } } } } },
          { examples: { one: { summary: "Paint Pot", value: { note: "Paint Pot" } } } },
        ),
      },
      400: { description: "No.", ...codes(ref("P101")) },
    };
    const texts = { resolution: "Call Paint Pot.", onCall: "Watch Paint Pot." };
    const schemas = { P101: error("P101", { "x-error": advice("No", texts) }) };
    const document = await latestOf({ get: { responses }, paths: absent, components: { schemas } });
    const name = "Paint Pot (not in this edition)";
    const media = bodyOf(document);
    expect(media.examples?.one).toEqual({ summary: name, value: { note: "Paint Pot" } });
    expect(media.schema.properties?.note).toMatchObject({ "x-open-enum": { A: { meaning: name } } });
    expect(document.components?.schemas?.P101).toMatchObject({
      "x-error": { resolution: `Call ${name}.`, onCall: `Watch ${name}.` },
    });
  });

  it("what resolves a code is left out with its operation", async () => {
    const schemas = {
      P101: error("P101", { "x-error": advice("No", { resolvedBy: ["paintPot", "getLid"] }) }),
      P102: error("P102", { "x-error": advice("No", { resolvedBy: ["paintPot"] }) }),
    };
    const document = await latestOf({ paths: absent, components: { schemas } });
    expect(document.components?.schemas).toMatchObject({ P101: { "x-error": { resolvedBy: ["getLid"] } } });
    expect(document.components?.schemas?.P102).not.toHaveProperty(["x-error", "resolvedBy"]);
  });

  it("stays as it is in the edition test", async () => {
    const document = await bundleOf({ get: { description: "Use Paint Pot." }, paths: absent }, "test");
    expect(getPot(document).description).toBe("Use Paint Pot.");
  });
});

describe("a dead end", () => {
  const files = {
    "extensions.yaml": {
      "x-requires": { conditions: { potGlazed: { meaning: "The pot is glazed", code: "P101" } } },
    },
    "open-questions.yaml": {},
    "resources.yaml": {},
  };
  const supplier = (provenance: string) => ({
    operationId: "lockPot",
    summary: "Lock Pot",
    "x-provenance": provenance,
    responses: {
      200: {
        description: "The lock.",
        ...json({ properties: { lockId: {}, size: {} } }),
        links: {
          get: {
            operationId: "getPot",
            requestBody: { lockId: "$response.body#/lockId", size: "$response.body#/size" },
          },
        },
      },
    },
    "x-effects": [
      { creates: "lock", id: "$response.body#/lockId" },
      { moves: "pot", id: "$response.body#/lockId", to: "glazed" },
    ],
  });
  const described = async (provenance: string, required = ["lockId", "size"], description = "Gets it.") => {
    const get = {
      description,
      requestBody: json({ required, properties: { lockId: {}, size: {} } }),
      responses: { 200: { description: "It." }, 400: { description: "No.", ...codes(ref("P101")) } },
      "x-requires": { potGlazed: "$request.body#/lockId" },
    };
    const parts = {
      get,
      paths: { "/locks": { post: supplier(provenance) } },
      files,
      components: { schemas: { P101: error("P101") } },
    };
    return getPot(await latestOf(parts)).description;
  };

  it("is told where only absent operations issue an identifier or lead to a state", async () => {
    expect(await described("proposed")).toBe(
      'Gets it.\n\nNothing in this edition issues the `lockId`: it comes from Lock Pot (not in this edition).\n\nThat Lock Pot (not in this edition) fulfils the condition "The pot is glazed" is assumed.',
    );
  });

  it("is none where the operation is there, or the identifier can be left out", async () => {
    expect(await described("reference")).toBe("Gets it.");
    expect(await described("proposed", [])).not.toContain("lockId");
  });

  it("is told once", async () => {
    const told = "First call Lock\nPot, which glazes it.";
    expect(await described("proposed", undefined, told)).toBe(
      "First call Lock\nPot (not in this edition), which glazes it.",
    );
  });
});
