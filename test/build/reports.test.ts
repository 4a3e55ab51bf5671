/** The report on provenance, made from small documents. */
import { describe, expect, it } from "vitest";
import {
  type Contract,
  type OpenApiDocument,
  type OpenQuestion,
  type Provenance,
  readContract,
} from "../../scripts/contract/index.ts";
import { countLevels, countProvenance, provenanceReport } from "../../scripts/reports/index.ts";

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
const counts = (specification: number, reference: number, observed: number, proposed: number) =>
  ({ specification, reference, observed, proposed }) satisfies Record<Provenance, number>;

const question: OpenQuestion = {
  question: "How many?",
  rank: "money",
  who: "API team",
  section: "4.1",
  assumption: "Ten",
  evidence: "None",
  change: { More: "The limit" },
};

describe("what is counted", () => {
  it("is every parameter and property, each at most as sure as what encloses it", () => {
    const schema = {
      properties: {
        name: {},
        owner: {
          "x-provenance": "reference",
          properties: { age: { "x-provenance": "specification" }, note: { "x-provenance": "observed" } },
        },
      },
    };
    const parameters = [
      { name: "page", in: "query", "x-provenance": "proposed", schema: { properties: { from: {} } } },
      { name: "size", in: "query" },
    ];
    expect(countOf({ get: { parameters, ...answer(schema) } }).counts).toEqual(counts(2, 2, 1, 2));
  });

  it("is every value and example, by its own mark within what encloses it", () => {
    const status = {
      "x-provenance": "reference",
      "x-open-enum": {
        A: { meaning: "" },
        B: { meaning: "", provenance: "specification" },
        C: { provenance: "proposed" },
      },
    };
    const content = {
      "application/json": {
        schema: status,
        examples: { one: { value: "A" }, two: { value: "C", "x-provenance": "proposed" } },
      },
    };
    const states = [{ provenance: "observed" }];
    const resources = [{ states }] as unknown as Contract["resources"];
    const levels = countLevels({
      ...contract({ get: { responses: { 200: { description: "It.", content } } } }),
      resources,
    });
    expect(levels["Values of open sets"]).toEqual(counts(0, 2, 0, 1));
    expect(levels.Examples).toEqual(counts(1, 0, 0, 1));
  });

  it("is the lifecycle of every state", () => {
    const states = [{ provenance: "observed" }, { provenance: "proposed" }, {}];
    const resources = [{ states }] as unknown as Contract["resources"];
    expect(countLevels({ ...contract({}), resources }).Lifecycles).toEqual(counts(1, 0, 1, 1));
  });

  it("is every operation, webhook, P-code and path of a webhook", () => {
    const post = { summary: "Moved", "x-provenance": "reference", responses: {} };
    const webhooks = {
      moved: { post: { ...post, "x-webhook-path": { path: "/moved", provenance: "proposed" } } },
      bought: { post: { ...post, "x-webhook-path": { path: "/bought" } } },
      lost: { post },
    };
    const schemas = { P101: { "x-error": { status: 400 }, "x-provenance": "observed" } };
    const levels = countLevels(contract({ webhooks, schemas }));
    expect(levels.Operations).toEqual(counts(1, 0, 0, 0));
    expect(levels.Webhooks).toEqual(counts(0, 3, 0, 0));
    expect(levels["P-codes"]).toEqual(counts(0, 0, 1, 0));
    expect(levels["Paths of webhooks"]).toEqual(counts(0, 1, 0, 1));
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
    expect(countOf(parts).counts).toEqual(counts(3, 0, 0, 0));
    expect(provenanceReport(contract(parts), {})).toContain("| specification | 3 | 0 | 0 | 0 | 0 |");
  });

  it("is the properties of a schema that is marked as proposed, wherever it is used, even where the use claims more", () => {
    const schemas = { Owner: { "x-provenance": "proposed", properties: { age: {}, name: {} } } };
    const owner = { $ref: "#/components/schemas/Owner" };
    const schema = { properties: { owner, lender: { ...owner, "x-provenance": "reference" } } };
    expect(countOf({ get: answer(schema), schemas }).counts).toEqual(counts(0, 0, 0, 6));
  });

  it("is each P-code of an answer, and not the fields of its error", () => {
    const errorOf = (code: string, provenance: string) => ({
      properties: { errorCode: { const: code } },
      "x-error": { status: 400 },
      "x-provenance": provenance,
    });
    const schemas = { P101: errorOf("P101", "specification"), P102: errorOf("P102", "reference") };
    const oneOf = [
      { $ref: "#/components/schemas/P101" },
      { $ref: "#/components/schemas/P101", "x-provenance": "proposed" },
      { $ref: "#/components/schemas/P102" },
    ];
    const content = { "application/json": { schema: { oneOf } } };
    expect(countOf({ get: { responses: { 400: { description: "No.", content } } }, schemas }).counts).toEqual(
      counts(1, 1, 0, 1),
    );
  });

  it("is proposed where an operation does not say where it comes from", () => {
    expect(countOf({ get: { "x-provenance": undefined, ...answer({ properties: { name: {} } }) } }).counts).toEqual(
      counts(0, 0, 0, 1),
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

  it("has a line for each level, operation and webhook, and their sum", () => {
    const webhooks = {
      moved: { post: { summary: "Moved", "x-provenance": "reference", ...answer({ properties: { to: {} } }) } },
    };
    const lines = provenanceReport(contract({ ...parts, webhooks }), questions).split("\n");
    expect(lines[0]).toBe("# Provenance of the contract");
    expect(lines.filter((line) => line.startsWith("| `"))).toEqual([
      "| `getShelf` Get Shelf | specification | 1 | 0 | 0 | 1 | 1 |",
      "| `moved (webhook)` Moved | reference | 0 | 1 | 0 | 0 | 0 |",
    ]);
    expect(lines).toContain("| Properties | 1 | 1 | 0 | 1 |");
    expect(lines).toContain("| **All** | 2 | 2 | 0 | 1 |");
    expect(lines).toContain("Answers of success with an open question, as a rule on the status: none.");
  });

  it("lists the statuses of success that nobody has stated", () => {
    const created = { description: "It.", "x-open-questions": ["Q-shelf"] };
    const report = provenanceReport(contract({ get: { responses: { 201: created } } }), questions);
    expect(report).toContain("Answers of success with an open question, as a rule on the status: 1 (getShelf 201).");
  });

  it("has a line for each question that is asked, and says where it matters", () => {
    const lines = provenanceReport(contract(parts), questions).split("\n");
    expect(lines.filter((line) => line.startsWith("| Q-"))).toEqual([
      "| Q-all: How many? | money | the interface as a whole |",
      "| Q-shelf: How many? | money | getShelf |",
    ]);
  });

  it("is made of a contract without webhooks and without questions", () => {
    const report = provenanceReport(contract({}), questions);
    expect(report).toContain("| `getShelf` Get Shelf | specification | 0 | 0 | 0 | 0 | 0 |\n");
    expect(report).not.toContain("| Q-");
  });
});
