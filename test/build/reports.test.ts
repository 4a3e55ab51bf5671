/** The reports of an edition, made from small documents: provenance.md and beyond-latest.md. */
import { describe, expect, it } from "vitest";
import {
  type Contract,
  type OpenApiDocument,
  type OpenQuestion,
  type Provenance,
  readContract,
} from "../../scripts/contract/index.ts";
import { compareEditions, countLevels, countProvenance, provenanceReport } from "../../scripts/reports/index.ts";

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
  section: "4.1",
  assumption: "Ten",
  evidence: "None",
  change: "The limit",
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

  it("is every value, lifecycle and example, by its own mark within what encloses it", () => {
    const status = {
      "x-provenance": "reference",
      "x-open-enum": {
        A: { meaning: "" },
        B: { meaning: "", provenance: "specification" },
        C: { provenance: "proposed" },
      },
      "x-lifecycle": { provenance: "observed" },
    };
    const content = {
      "application/json": {
        schema: status,
        examples: { one: { value: "A" }, two: { value: "C", "x-provenance": "proposed" } },
      },
    };
    const levels = countLevels(contract({ get: { responses: { 200: { description: "It.", content } } } }));
    expect(levels["Values of open sets"]).toEqual(counts(0, 2, 0, 1));
    expect(levels.Lifecycles).toEqual(counts(0, 0, 1, 0));
    expect(levels.Examples).toEqual(counts(1, 0, 0, 1));
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
    expect(provenanceReport(contract(parts), "test", {})).toContain("| specification | 3 | 0 | 0 | 0 | 0 |");
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
    const lines = provenanceReport(contract({ ...parts, webhooks }), "latest", questions).split("\n");
    expect(lines[0]).toBe("# Provenance of the edition latest");
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
    const report = provenanceReport(contract({ get: { responses: { 201: created } } }), "latest", questions);
    expect(report).toContain("Answers of success with an open question, as a rule on the status: 1 (getShelf 201).");
  });

  it("says in a question what the edition does not have", () => {
    const { document } = contract(parts);
    const absent = { ...document, "x-absent-operations": { dustShelf: "Dust Shelf" } } as OpenApiDocument;
    const asked = { "Q-shelf": { ...question, question: "What does Dust Shelf do?" } };
    expect(provenanceReport(readContract(absent), "latest", asked)).toContain(
      "What does Dust Shelf (not in this edition) do?",
    );
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
    expect(report).toContain("| `getShelf` Get Shelf | specification | 0 | 0 | 0 | 0 | 0 |\n");
    expect(report).not.toContain("###");
  });
});

describe("beyond-latest.md", () => {
  const tree = { properties: { name: {}, above: { $ref: "#/components/schemas/Shelf" } } };
  const latest = contract({ get: answer({ $ref: "#/components/schemas/Shelf" }), schemas: { Shelf: tree } });

  it("says that there is nothing more, of editions without webhooks", () => {
    const report = compareEditions(latest, latest);
    expect(report).toContain("| Operations | 1 | 1 |\n| Webhooks | 0 | 0 |\n| P-codes | 0 | 0 |\n| Schemas | 1 | 1 |");
    expect(report.match(/^## .*\n\nNone\.$/gm)).toHaveLength(6);
  });

  it("lists the codes, parameters and values that only test has of an operation of both", () => {
    const values = (...names: string[]) => ({ "x-open-enum": Object.fromEntries(names.map((name) => [name, {}])) });
    const codes = (...names: string[]) => {
      const oneOf = names.map((name) => ({ $ref: `#/components/schemas/${name}` }));
      return { responses: { 400: { description: "No.", content: { "application/json": { schema: { oneOf } } } } } };
    };
    const parameter = { name: "page", in: "query" };
    const errors = { P101: {}, P102: {} };
    const before = contract({ get: codes("P101"), schemas: { ...errors, Status: values("A") } });
    const after = contract({
      get: { ...codes("P101", "P102"), parameters: [parameter] },
      schemas: { ...errors, Status: values("A", "B") },
    });
    const report = compareEditions(before, after);
    expect(report).toContain("## P-codes of operations\n\n- `getShelf`: P102\n");
    expect(report).toContain("## Parameters\n\n- `getShelf`: `page`\n");
    expect(report).toContain("## Values of open sets\n\n- `Status`: `B`\n");
  });

  it("lists what of a webhook only test has", () => {
    const body = (schema: object) => ({ requestBody: { content: { "application/json": { schema } } } });
    const webhooks = (post: object) => ({ moved: { post: { summary: "Moved", ...post } } });
    const before = contract({ webhooks: webhooks(body({ type: "object" })) });
    const after = contract({
      webhooks: webhooks({ ...body({ properties: { to: {} } }), "x-webhook-path": { path: "/moved" } }),
    });
    expect(compareEditions(before, after)).toContain("- `moved` Moved: its body, its path `/moved`\n");
  });

  it("lists the operations, webhooks, P-codes, schemas and fields that only test has", () => {
    const test = contract({
      get: answer({ $ref: "#/components/schemas/Shelf" }),
      webhooks: { moved: { post: { summary: "Moved", "x-webhook-path": { path: "/moved" } } } },
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
      Webhooks: expect.stringMatching(/^- `moved` Moved: itself, its path `\/moved`$/m),
      "P-codes": "- P101 No such shelf",
      "Schemas and fields": "- `Shelf`, more fields: `colour`\n- `Book`: `title`, `author`\n- `Colour`",
    });
  });
});
