/** The reports of an edition, made from small documents: provenance.md and beyond-latest.md. */
import { describe, expect, it } from "vitest";
import {
  type Contract,
  type OpenApiDocument,
  type OpenQuestion,
  type Provenance,
  readContract,
} from "../../scripts/contract/index.ts";
import { compareEditions, countProvenance, provenanceReport } from "../../scripts/reports/index.ts";

interface Parts {
  get?: object;
  schemas?: Record<string, object>;
  info?: object;
  webhooks?: object;
}

/** A contract with one stated operation, and what the parts add to it. */
function contract({ get, schemas = {}, info, webhooks }: Parts): Contract {
  const operation = {
    operationId: "getShelf",
    summary: "Get Shelf",
    "x-provenance": "specification",
    responses: {},
    ...get,
  };
  return readContract({
    openapi: "3.1.1",
    info: { title: "Library", version: "1.0.0", ...info },
    servers: [],
    paths: { "/shelf": { get: operation } },
    ...(webhooks === undefined ? {} : { webhooks }),
    components: { schemas },
  } as unknown as OpenApiDocument);
}

const answer = (schema: object, more: object = {}) => ({
  responses: { 200: { description: "It.", content: { "application/json": { schema } }, ...more } },
});
const countOf = (parts: Parts) => countProvenance(contract(parts).operations[0] as Contract["operations"][0]);
const counts = (specification: number, reference: number, proposed: number) =>
  ({ specification, reference, proposed }) satisfies Record<Provenance, number>;

const question: OpenQuestion = {
  question: "How many?",
  section: "4.1",
  assumption: "Ten",
  evidence: "None",
  change: "The limit",
};

describe("what is counted", () => {
  it("is every parameter and property, with the provenance of what encloses it unless it has its own", () => {
    const schema = {
      properties: {
        name: {},
        owner: { "x-provenance": "reference", properties: { age: {}, note: { "x-provenance": "proposed" } } },
      },
    };
    const parameters = [
      { name: "page", in: "query", "x-provenance": "proposed" },
      { name: "size", in: "query" },
    ];
    expect(countOf({ get: { parameters, ...answer(schema) } }).counts).toEqual(counts(2, 2, 2));
  });

  it("is a schema that refers to itself once on each way down", () => {
    const schemas = {
      Shelf: {
        properties: { name: {}, above: { $ref: "#/components/schemas/Shelf" } },
        allOf: [{ $ref: "#/components/schemas/Part" }],
      },
      Part: { properties: { shelves: { items: { $ref: "#/components/schemas/Shelf" } } } },
    };
    const parts = { get: answer({ $ref: "#/components/schemas/Shelf" }), schemas };
    expect(countOf(parts).counts).toEqual(counts(3, 0, 0));
    expect(provenanceReport(contract(parts), "test", {})).toContain("| specification | 3 | 0 | 0 | 0 |");
  });

  it("is the properties of a schema that is marked as proposed, wherever it is used", () => {
    const schemas = { Owner: { "x-provenance": "proposed", properties: { age: {}, name: {} } } };
    const owner = { $ref: "#/components/schemas/Owner" };
    const schema = { properties: { owner, lender: { ...owner, "x-provenance": "reference" } } };
    expect(countOf({ get: answer(schema), schemas }).counts).toEqual(counts(0, 3, 3));
  });

  it("is each P-code of an answer, and not the fields of its error", () => {
    const schemas = { P101: { properties: { errorCode: { const: "P101" } }, "x-error": { status: 400 } } };
    const content = {
      "application/json": { schema: { oneOf: [{ $ref: "#/components/schemas/P101" }] } },
    };
    expect(countOf({ get: { responses: { 400: { description: "No.", content } } }, schemas }).counts).toEqual(
      counts(1, 0, 0),
    );
  });

  it("is proposed where an operation does not say where it comes from", () => {
    expect(countOf({ get: { "x-provenance": undefined, ...answer({ properties: { name: {} } }) } }).counts).toEqual(
      counts(0, 0, 1),
    );
  });

  it("is every open question once, of the operation and of all that it uses, sorted", () => {
    const schemas = { Shelf: { "x-open-questions": ["Q-b"], properties: { name: { "x-open-questions": ["Q-a"] } } } };
    const get = {
      ...answer({ $ref: "#/components/schemas/Shelf" }, { "x-open-questions": ["Q-b"] }),
      "x-open-questions": ["Q-c"],
    };
    expect(countOf({ get, schemas }).openQuestions).toEqual(["Q-a", "Q-b", "Q-c"]);
  });
});

describe("provenance.md", () => {
  const questions = { "Q-all": question, "Q-shelf": question, "Q-none": question };
  const parts = {
    get: {
      ...answer({ properties: { name: {}, note: { "x-provenance": "proposed" } } }),
      "x-open-questions": ["Q-shelf"],
    },
    info: { "x-open-questions": ["Q-all"] },
  };

  it("has a line for each operation and webhook, and their sum", () => {
    const webhooks = {
      moved: { post: { summary: "Moved", "x-provenance": "reference", ...answer({ properties: { to: {} } }) } },
    };
    const lines = provenanceReport(contract({ ...parts, webhooks }), "latest", questions).split("\n");
    expect(lines[0]).toBe("# Provenance of the edition latest");
    expect(lines.filter((line) => line.startsWith("| ")).slice(1)).toEqual([
      "| `getShelf` Get Shelf | specification | 1 | 0 | 1 | 1 |",
      "| `moved (webhook)` Moved | reference | 0 | 1 | 0 | 0 |",
      "| **All** | | **1** | **1** | **1** | |",
    ]);
  });

  it("has a section for each question that the edition has, and says where it matters", () => {
    const report = provenanceReport(contract(parts), "latest", questions);
    const [, ...sections] = report.split("\n### ");
    expect(sections.map((section) => section.split("\n")[0])).toEqual(["Q-all", "Q-shelf"]);
    expect(sections[0]).toContain("the interface as a whole");
    expect(sections[1]).toContain("getShelf");
    for (const text of ["How many?", "Ten", "None", "The limit"]) expect(sections[1]).toContain(text);
  });

  it("is made of an edition without webhooks and without questions", () => {
    const report = provenanceReport(contract({}), "latest", questions);
    expect(report).toContain("| `getShelf` Get Shelf | specification | 0 | 0 | 0 | 0 |\n| **All**");
    expect(report).not.toContain("###");
  });
});

describe("beyond-latest.md", () => {
  const tree = { properties: { name: {}, above: { $ref: "#/components/schemas/Shelf" } } };
  const latest = contract({ get: answer({ $ref: "#/components/schemas/Shelf" }), schemas: { Shelf: tree } });

  it("says that there is nothing more, of editions without webhooks", () => {
    const report = compareEditions(latest, latest);
    expect(report).toContain("| Operations | 1 | 1 |\n| Webhooks | 0 | 0 |\n| P-codes | 0 | 0 |\n| Schemas | 1 | 1 |");
    expect(report.match(/^## .*\n\nNone\.$/gm)).toHaveLength(4);
  });

  it("lists the operations, webhooks, P-codes, schemas and fields that only test has", () => {
    const test = contract({
      get: answer({ $ref: "#/components/schemas/Shelf" }),
      webhooks: { moved: { post: { summary: "Moved", "x-webhook-path": "/moved" } } },
      schemas: {
        Shelf: { ...tree, allOf: [{ properties: { colour: {} } }] },
        Book: { properties: { title: {}, author: {} } },
        Colour: { type: "string" },
        P101: { "x-error": { meaning: "No such shelf" }, properties: { errorCode: {} } },
      },
    });
    const { document } = test;
    const item = { delete: { operationId: "deleteShelf", summary: "Delete Shelf", responses: {} } };
    const more = readContract({ ...document, paths: { ...document.paths, "/shelf/{id}": item } });
    const sections = compareEditions(latest, more).split(/^## (.*)\n\n/m);
    expect(Object.fromEntries(sections.slice(1).map((text, i, all) => [text, all[i + 1]?.trim()]))).toMatchObject({
      Operations: "- `deleteShelf` Delete Shelf (`DELETE /shelf/{id}`)",
      Webhooks: "- `moved` Moved (`POST /moved`)",
      "P-codes": "- P101 No such shelf",
      "Schemas and fields": "- `Shelf`, more fields: `colour`\n- `Book`: `title`, `author`\n- `Colour`",
    });
  });
});
