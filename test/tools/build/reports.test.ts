import { describe, expect, it } from "vitest";
import { type Contract, type OpenApiDocument, readContract } from "../../../scripts/contract/model/index.ts";
import { allAreas, readStatementSources, sectionsOf } from "../../../scripts/contract/sources/index.ts";
import { type Counts, countByKind, countProvenance, provenanceReport } from "../../../scripts/tools/reports/index.ts";
import { contractOf } from "../../support/contract.ts";

interface Parts {
  get?: object;
  schemas?: Record<string, object>;
  webhooks?: object;
}

function makeContract({ get, schemas = {}, webhooks }: Parts): Contract {
  const operation = {
    operationId: "getShelf",
    summary: "Get Shelf",
    "x-provenance": "specification",
    responses: {},
    ...get,
  };
  return readContract({
    openapi: "3.1.1",
    info: { title: "Library", version: "1.0.0" },
    servers: [],
    paths: { "/shelf": { get: operation } },
    ...(webhooks === undefined ? {} : { webhooks }),
    components: { schemas },
  } as unknown as OpenApiDocument);
}

const responseWith = (schema: object, members: object = {}) => ({
  responses: { 200: { description: "It.", content: { "application/json": { schema } }, ...members } },
});
const countOf = (parts: Parts) => countProvenance(makeContract(parts).operations[0] as Contract["operations"][0]);
const makeCounts = (specification: number, reference: number, observed: number, proposed: number) =>
  ({ specification, reference, observed, proposed }) satisfies Counts;

const errors = Object.fromEntries(
  Object.entries({ P101: "specification", P102: "reference" }).map(([code, provenance]) => [
    code,
    { properties: { errorCode: { const: code } }, "x-error": { status: 400 }, "x-provenance": provenance },
  ]),
);
const shelf = { $ref: "#/components/schemas/Shelf" };
const proposedMark = { "x-provenance": "proposed" };

const countCases: [what: string, parts: Parts, expected: Counts][] = [
  [
    "every parameter and property, with the weakest mark of the parts that enclose it",
    {
      get: {
        parameters: [
          { name: "page", in: "query", ...proposedMark, schema: { properties: { from: {} } } },
          { name: "size", in: "query" },
        ],
        ...responseWith({
          properties: {
            name: {},
            owner: {
              "x-provenance": "reference",
              properties: { age: { "x-provenance": "specification" }, note: { "x-provenance": "observed" } },
            },
          },
        }),
      },
    },
    makeCounts(2, 2, 1, 2),
  ],
  [
    "the properties of a proposed schema as proposed, even if a use has a stronger mark",
    {
      get: responseWith({ properties: { owner: shelf, lender: { ...shelf, "x-provenance": "reference" } } }),
      schemas: { Shelf: { ...proposedMark, properties: { age: {}, name: {} } } },
    },
    makeCounts(0, 0, 0, 6),
  ],
  [
    "a recursive schema once",
    {
      get: responseWith(shelf),
      schemas: {
        Shelf: { properties: { name: {}, above: shelf }, allOf: [{ $ref: "#/components/schemas/Part" }] },
        Part: { properties: { shelves: { items: shelf } } },
      },
    },
    makeCounts(3, 0, 0, 0),
  ],
  [
    "each P-code of a response, and not the fields of its error",
    {
      get: responseWith({
        oneOf: [
          { $ref: "#/components/schemas/P101" },
          { $ref: "#/components/schemas/P101", ...proposedMark },
          { $ref: "#/components/schemas/P102" },
        ],
      }),
      schemas: errors,
    },
    makeCounts(1, 1, 0, 1),
  ],
  [
    "the properties of an operation without provenance, as proposed",
    { get: { "x-provenance": undefined, ...responseWith({ properties: { name: {} } }) } },
    makeCounts(0, 0, 0, 1),
  ],
];

describe("what is counted is", () => {
  it.each(countCases)("%s", (_what, parts, expected) => {
    expect(countOf(parts).counts).toEqual(expected);
  });

  it("every value and lifecycle, by its mark and the marks that enclose it", () => {
    const schema = {
      "x-provenance": "reference",
      "x-open-enum": { A: { meaning: "" }, B: { provenance: "specification" }, C: { provenance: "proposed" } },
    };
    const content = { "application/json": { schema } };
    const states = [{ provenance: "observed" }, { provenance: "proposed" }, {}];
    const resources = [{ states }] as unknown as Contract["resources"];
    const countsByKind = countByKind({ ...makeContract({ get: { responses: { 200: { content } } } }), resources });
    expect(countsByKind["Values of open sets"]).toEqual(makeCounts(0, 2, 0, 1));
    expect(countsByKind.Lifecycles).toEqual(makeCounts(1, 0, 1, 1));
  });

  it("every operation, webhook, P-code and path of a webhook", () => {
    const post = { summary: "Moved", "x-provenance": "reference", responses: {} };
    const webhooks = {
      moved: { post: { ...post, "x-webhook-path": { path: "/moved", provenance: "proposed" } } },
      bought: { post: { ...post, "x-webhook-path": { path: "/bought" } } },
      lost: { post },
    };
    const countsByKind = countByKind(makeContract({ webhooks, schemas: errors }));
    expect(countsByKind.Operations).toEqual(makeCounts(1, 0, 0, 0));
    expect(countsByKind.Webhooks).toEqual(makeCounts(0, 3, 0, 0));
    expect(countsByKind["P-codes"]).toEqual(makeCounts(1, 1, 0, 0));
    expect(countsByKind["Paths of webhooks"]).toEqual(makeCounts(0, 1, 0, 1));
  });

  it("every open question of the operation and its schemas once, sorted", () => {
    const schemas = { Shelf: { "x-open-questions": ["Q-b"], properties: { name: { "x-open-questions": ["Q-a"] } } } };
    const get = { ...responseWith(shelf, { "x-open-questions": ["Q-b"] }), "x-open-questions": ["Q-c"] };
    expect(countOf({ get, schemas }).openQuestions).toEqual(["Q-a", "Q-b", "Q-c"]);
  });
});

describe("provenance.md", () => {
  const parts = {
    get: {
      ...responseWith({ properties: { name: {}, note: { "x-provenance": "proposed" } } }),
      "x-open-questions": ["Q-shelf"],
    },
  };

  it("has a line for each kind of part, operation and webhook, and their sum", () => {
    const webhooks = {
      moved: { post: { summary: "Moved", "x-provenance": "reference", ...responseWith({ properties: { to: {} } }) } },
    };
    const lines = provenanceReport(makeContract({ ...parts, webhooks })).split("\n");
    expect(lines[0]).toBe("# Provenance of the contract");
    expect(lines.filter((line) => line.startsWith("| `"))).toEqual([
      "| `getShelf` Get Shelf | specification | 1 | 0 | 0 | 1 | 1 |",
      "| `moved (webhook)` Moved | reference | 0 | 1 | 0 | 0 | 0 |",
    ]);
    expect(lines).toContain("| Properties | 1 | 1 | 0 | 1 |");
    expect(lines).toContain("| **All** | 2 | 2 | 0 | 1 |");
    expect(lines).toContain("Success responses with an open question, mostly about their status: none.");
  });

  it("lists the success responses with an open question", () => {
    const createdResponse = { description: "It.", "x-open-questions": ["Q-shelf"] };
    const report = provenanceReport(makeContract({ get: { responses: { 201: createdResponse } } }));
    expect(report).toContain("Success responses with an open question, mostly about their status: 1 (getShelf 201).");
  });
});

it("the areas of the sources exist, and each operation or webhook that is not proposed has a section", async () => {
  const { document, operations, webhooks } = await contractOf("test");
  const sources = readStatementSources();
  const areas = [...(document.tags ?? []).map(({ name }) => name), allAreas];
  expect(sources.flatMap(({ sections }) => Object.keys(sections)).filter((area) => !areas.includes(area))).toEqual([]);
  const statedSubjects = [...operations, ...webhooks].filter(
    ({ provenance = "proposed" }) => provenance !== "proposed",
  );
  const subjectsWithoutSource = statedSubjects.filter(({ tag = "", provenance = "proposed" }) => {
    return sectionsOf(tag, provenance, sources).length === 0;
  });
  expect(subjectsWithoutSource.map(({ name, tag, provenance }) => `${name}: ${tag}, ${provenance}`)).toEqual([]);
});
