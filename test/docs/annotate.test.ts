/** What the pages say about a document. */
import { describe, expect, test } from "vitest";
import {
  editions,
  isCode,
  type JsonSchema,
  type OpenApiDocument,
  type OpenQuestion,
  type OperationObject,
  type PathItemObject,
  readContract,
} from "../../scripts/contract/index.ts";
import { annotateDocument, guideNames, readGuides } from "../../scripts/docs/index.ts";
import { shortProvenanceWords } from "../../scripts/docs/markdown.ts";
import { Sources } from "../../scripts/sources/index.ts";
import { bundles } from "./site-bundles.ts";
import { conditions, questions, smallDocument } from "./small-document.ts";

const registers = new Sources().registers();

describe("a small document", () => {
  const before = smallDocument();
  const annotated = annotateDocument(before, {
    questions,
    conditions,
    resources: [],
    guides: "# Guide\n\nSee [it](operation:getPot).",
  });
  const operation = annotated.paths["/pots/{potId}"]?.get as OperationObject;
  const webhook = annotated.webhooks?.potBroken?.post as OperationObject;
  const schemas = annotated.components?.schemas as Record<string, JsonSchema>;
  const pot = schemas.Pot?.properties as Record<string, JsonSchema>;

  test("stays as it is", () => {
    expect(before).toEqual(smallDocument());
  });

  test("an operation says where it comes from, what it needs and what it leads to", () => {
    expect(operation.description).toContain("Seen in the public reference");
    expect(operation.description).toContain("Answers [P901](#/errors/p901) when there is none. Here `P901` is code.");
    expect(operation.description).toContain("The pot exists (`potId` in the path); [P901](#/errors/p901) otherwise.");
    expect(operation.description).toContain(
      "Changes after the answer: pot (`potId` in the path) becomes `BROKEN`, as far as known.",
    );
    expect(operation.description).toContain(
      "[Pot Broken](#/garden-pots/potbroken), after `BROKEN` (known values; pot)",
    );
    expect(operation.description).toContain("At least one is given (`potId` in the path or `glaze` in the query);");
    expect(operation.description).toMatch(/Creates: lid \(`potId` in the path\)\. <span [^>]+>Seen in a program/);
    expect(operation.description).toMatch(/\[Lid Broken\]\(#\/garden-pots\/lidbroken\) <span [^>]+>Proposed/);
    expect(operation.description).toContain("A GET that waters the pot.");
  });

  test("an operation has a row for each P-code, with its origin where it differs", () => {
    const row = "404 | No pot \\| P901 | after a change | Buy a `<pot>` for &lt; 5. |";
    expect(operation.description).toContain(`| [P901](#/errors/p901) | ${row}`);
    expect(operation.description).toMatch(/\| \[P902\]\(#\/errors\/p902\) <span [^>]+>Proposed<\/span> \| 404 \|/);
  });

  test("an operation names the parts that come from somewhere else, and its open questions", () => {
    expect(operation.description).toMatch(
      /Seen in a program that calls the service, or inferred from one<\/span> parameter `glaze`/,
    );
    expect(operation.description).toMatch(
      /Proposed: to be confirmed<\/span> response 200, example `clay` of the response 200/,
    );
    expect(operation.description).toContain("How many pots are there? _Assumption:_ There is one.");
    expect(operation.description).toContain("_Concerns:_ response 200 `price`.");
  });

  test("an operation names neither parts of its own provenance nor the errors that operations share", () => {
    expect(operation.description).not.toMatch(/Seen in the public reference<\/span> response/);
    expect(operation.description).not.toContain("response 404");
  });

  test("badges tell what is not stated", () => {
    expect((operation as { "x-badges"?: unknown })["x-badges"]).toEqual([{ name: "Seen", color: "blue" }]);
    expect((webhook as { "x-badges"?: unknown })["x-badges"]).toEqual([{ name: "Proposed", color: "orange" }]);
  });

  test("a webhook says where it is sent to and how a repetition is recognised", () => {
    expect(webhook.description).toContain("Proposed: to be confirmed");
    expect(webhook.description).toContain("`/pot-webhook`");
    expect(webhook.description).toContain(
      "Sent after `BROKEN` (known values; pot). Operations that lead to it: [Get Pot]",
    );
    expect(webhook.description).toContain("the same `id`");
    expect(webhook.operationId).toBe("potBroken");
  });

  test("a body says where it comes from, although its schema's description is not shown", () => {
    expect(operation.responses["200"]).toMatchObject({
      description: expect.stringMatching(/^The pot\. <span .*Proposed: to be confirmed/),
    });
  });

  test("an example that is a guess says so where it is chosen", () => {
    expect(JSON.stringify(operation.responses["200"])).toContain("A clay pot (proposed)");
  });

  test("a schema says where its list of required fields comes from", () => {
    expect(schemas.Pot?.description).toMatch(/Which fields are required: <span [^>]+>Proposed: to be confirmed</);
  });

  test("sensitive values are marked, also through references, in parameters and beside null", () => {
    expect(schemas.PotId?.description).toMatch(/^Names a pot\. <span .*Sensitive/);
    expect(pot.id).toEqual({ $ref: "#/components/schemas/PotId" });
    expect(pot.lid?.description).toMatch(/^The lid\. <span .*Sensitive/);
    expect(pot.saucer).toMatchObject({
      type: ["string", "null"],
      description: expect.stringMatching(/^Null.*Sensitive/),
    });
    expect(operation.parameters?.[0]).toMatchObject({
      description: expect.stringMatching(/^The pot\. <span .*Sensitive/),
    });
  });

  test("open sets list their known values and their lifecycle", () => {
    const description = schemas.PotStatus?.description as string;
    expect(description).toContain("- `WHOLE`: It is whole\n");
    expect(description).toMatch(/- `BROKEN`: It is not <span [^>]+>Proposed</);
    expect(description).toContain("- Starts as `WHOLE`\n- `WHOLE` → `BROKEN`\n- Final: `BROKEN`");
  });

  test("a property is at most as sure as what encloses it, and says on which question it rests", () => {
    expect(`${operation.description} ${pot.price?.description}`).not.toContain("Stated in the specification");
    expect(pot.price?.description).toContain("[Q-pots](#/open-questions/q-pots)");
  });

  test("the sections hold every code and the questions that matter, and the guides come first", () => {
    const [garden, errors, open] = annotated.tags ?? [];
    expect(garden?.description).toBe("Pots.");
    expect(errors?.description).toContain("## P901 No pot \\| P901 {% #p901 %}");
    expect(errors?.description).toContain("Returned by: every operation");
    expect(errors?.description).toContain("| 401 | Access Denied. | every operation |");
    expect(open?.description).toContain("“Number of pots: not shown.”");
    expect(open?.description).toContain(
      "Concerns: [Get Pot](#/garden-pots/getpot), [Pot Broken](#/garden-pots/potbroken)",
    );
    expect(open?.description).not.toContain("Q-unused");
    expect(annotated.info.description).toContain("# Guide\n\nSee [it](#/garden-pots/getpot).");
  });
});

describe("a small document with a change", () => {
  const annotate = (document: OpenApiDocument) =>
    annotateDocument(document, { questions, conditions, resources: [], guides: "" });

  test("a question on a parameter of the path item is shown at its operations, and the parameter has its note once", () => {
    const document = smallDocument();
    const item = document.paths["/pots/{potId}"] as PathItemObject;
    const get = item.get as OperationObject;
    item.parameters = [{ name: "garden", in: "query", schema: { type: "string" }, "x-open-questions": ["Q-pots"] }];
    item.put = { ...structuredClone(get), operationId: "putPot" };
    const annotated = annotate(document).paths["/pots/{potId}"];
    for (const { description } of [annotated?.get, annotated?.put] as OperationObject[]) {
      expect(description).toContain("_Concerns:_ parameter `garden`, response 200 `price`.");
    }
    expect(JSON.stringify(annotated?.parameters).match(/Open question/g)).toHaveLength(1);
  });

  test("a schema that refers to itself is annotated once", () => {
    const document = smallDocument();
    const pot = document.components?.schemas?.Pot as JsonSchema;
    const within = { oneOf: [{ $ref: "#/components/schemas/Pot" }, { type: "null" }] };
    Object.assign(pot.properties as object, { within });
    const annotated = annotate(document).components?.schemas?.Pot as JsonSchema;
    expect(annotated.properties?.within).toMatchObject(within);
    expect(annotated.description).toContain("Proposed: to be confirmed");
  });

  test("an operation and a code without provenance count as proposed", () => {
    const document = smallDocument();
    const get = document.paths["/pots/{potId}"]?.get as OperationObject;
    const code = document.components?.schemas?.P901 as JsonSchema;
    delete get["x-provenance"];
    delete code["x-provenance"];
    const annotated = annotate(document);
    expect(annotated.paths["/pots/{potId}"]?.get?.description).toMatch(/^<span [^>]+>Proposed: to be confirmed</);
    expect(annotated.tags?.[1]?.description).toMatch(/## P901 .*\n\n<span [^>]+>Proposed: to be confirmed</);
  });
});

test("what an edition does not have is named as such, in guides, questions and links", () => {
  const document = { ...smallDocument(), "x-absent-operations": { paintPot: "Paint Pot" } };
  const entry = { ...questions["Q-pots"], question: "Does Paint Pot dry?", statedAs: "Paint Pot" } as OpenQuestion;
  const annotated = annotateDocument(document, {
    questions: { "Q-pots": entry },
    conditions,
    resources: [],
    guides: "First [paint it](operation:paintPot), see Paint Pot and [Get Pot](operation:getPot).",
  });
  expect(annotated.info.description).toContain(
    "First paint it (not in this edition), see Paint Pot (not in this edition) and [Get Pot](#/garden-pots/getpot).",
  );
  const section = annotated.tags?.at(-1)?.description;
  expect(section).toContain("**Does Paint Pot (not in this edition) dry?**");
  expect(section).toContain("“Paint Pot”");
});

describe.each(editions)("the edition %s", (edition) => {
  const { document, json } = bundles[edition];
  const annotated = annotateDocument(document, { ...registers, guides: readGuides() });
  const { operations, errorCodes } = readContract(document);

  test("the bundle stays as it is", () => {
    expect(document).toEqual(JSON.parse(json));
  });

  test("every operation says where it comes from and has a row for each of its codes", () => {
    for (const { path, method, answers } of operations) {
      const description = annotated.paths[path]?.[method]?.description ?? "";
      for (const code of answers.flatMap(({ codes }) => codes)) expect(description).toContain(`| [${code}](`);
      expect(description).toMatch(/^<span class="mark mark-/);
    }
  });

  test("every precondition names the code of a user who does not meet it", () => {
    for (const { path, method, requires } of operations) {
      const description = annotated.paths[path]?.[method]?.description ?? "";
      for (const { condition } of requires) {
        expect(description).toContain(`; [${registers.conditions[condition]?.code}](`);
      }
    }
  });

  test("every code has a heading of its own", () => {
    const section = annotated.tags?.find(({ name }) => name === "Errors")?.description;
    for (const { code, meaning } of errorCodes) expect(section).toContain(`## ${code} ${meaning} {%`);
  });

  test("every known value of an open set stands in its description", () => {
    for (const schema of annotatedSchemas(annotated)) {
      const values = Object.keys(schema["x-open-enum"] ?? {});
      for (const value of values) expect(schema.description).toContain(`- \`${value}\`: `);
    }
  });
});

test("the guides name nothing that the contract does not have", () => {
  const { operations, webhooks, errorCodes } = readContract(bundles.test.document);
  const known = {
    operation: operations.map(({ operationId }) => operationId),
    webhook: webhooks.map(({ name }) => name),
    error: errorCodes.map(({ code }) => code),
    question: Object.keys(registers.questions),
    section: ["Errors", "Open questions"],
  };
  const guides = readGuides();
  for (const [, kind, name] of guides.matchAll(/\]\((\w+):([^)]+)\)/g)) {
    expect(known[kind as keyof typeof known], `${kind}:${name}`).toContain(name);
  }
  const codes = guides.split(/\W+/).filter(isCode);
  expect(codes).not.toEqual([]);
  for (const code of codes) expect(known.error).toContain(code);
  expect(guides.match(/^# /gm)).toHaveLength(guideNames.length);
});

test("the short words are the ones that the guide explains", () => {
  expect(readGuides().replace(/\s+/g, " ")).toContain(`short: ${Object.values(shortProvenanceWords).join(", ")}.`);
});

function annotatedSchemas(document: OpenApiDocument): JsonSchema[] {
  return Object.values((document.components?.schemas ?? {}) as Record<string, JsonSchema>);
}
