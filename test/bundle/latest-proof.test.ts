/** The proof that `latest` holds nothing proposed: one thing is put wrong in a bundle, and the proof names the place. */
import { describe, expect, it } from "vitest";
import { bundleContract } from "../../scripts/bundle/index.ts";
import { type Edition, type OpenApiDocument, projectRoot } from "../../scripts/contract/index.ts";
import { lintContract } from "../../scripts/lint/index.ts";
import { latestProblems } from "../../scripts/lint/latest/index.ts";
import { Sources } from "../../scripts/sources/index.ts";
import { copyOf, documentOf } from "../support/contract.ts";
import { bundleOf, error, json, proposed, ref } from "./small-contract.ts";

/** A contract with something of every kind that the proof looks at. */
const parts = {
  get: {
    description: "Use Paint Pot later.",
    parameters: [
      { name: "size", in: "query", schema: { type: "string" }, example: "S", "x-invalid-request": "P101" },
      { $ref: "#/components/parameters/Colour" },
    ],
    requestBody: { ...json({}), "x-invalid-request": { missing: "P101", otherwise: "404" } },
    responses: {
      200: {
        description: "The pot.",
        ...json(ref("Pot"), { examples: { red: { summary: "A red pot", value: { id: "a", status: "WHOLE" } } } }),
        links: { again: { operationId: "getPot", parameters: { size: "$response.body#/id" } } },
      },
      400: { description: "No.", ...json({ oneOf: [ref("P101")] }) },
      404: { description: "None." },
    },
    "x-triggers": [{ webhook: "potBroken", provenance: "observed" }],
  },
  paths: {
    "/paint": { put: { operationId: "paintPot", summary: "Paint Pot", responses: {}, ...proposed } },
    "/glue": { get: { operationId: "glueIt", summary: "Paint Pot Twice", "x-provenance": "reference", responses: {} } },
  },
  webhooks: {
    lidBroken: { post: { summary: "Lid Broken", ...proposed, responses: {} } },
    potBroken: {
      post: {
        summary: "Pot Broken",
        "x-provenance": "reference",
        "x-dedupe-key": ["id"],
        "x-webhook-path": { path: "/pot" },
        requestBody: json(ref("Pot")),
        responses: { 200: { description: "Heard." } },
      },
    },
  },
  components: {
    parameters: { Colour: { name: "colour", in: "query", schema: { type: "string" }, "x-invalid-request": "404" } },
    schemas: {
      Pot: {
        type: "object",
        properties: {
          id: { type: "string" },
          status: { type: "string", "x-open-enum": { WHOLE: { meaning: "Whole" } } },
          lids: { type: "array", items: { type: "object", properties: { id: {} } } },
        },
        examples: [{ id: "b" }],
      },
      P101: error("P101", { examples: [{ errorCode: "P101", errorMessage: "No" }] }),
    },
  },
};

type Seed = [what: string, path: string, put: unknown, message: string];

const answer = "paths/~pots~{potId}/get/responses/200";
const example = `${answer}/content/application~json/examples/red/value`;

/** Where each violation is put (keys with a slash are written with `~`), and what the proof says. */
const seeds: Seed[] = [
  ["a proposed operation", "paths/~glue/get/x-provenance", "proposed", "something proposed: paths//glue/get"],
  ["a proposed parameter", "paths/~pots~{potId}/get/parameters/0/x-provenance", "proposed", "something proposed"],
  ["a proposed answer", `${answer}/x-provenance`, "proposed", "something proposed"],
  [
    "a proposed example",
    `${answer}/content/application~json/examples/red/x-provenance`,
    "proposed",
    "something proposed",
  ],
  [
    "a proposed code of an operation",
    "paths/~pots~{potId}/get/responses/400/content/application~json/schema/oneOf/0/x-provenance",
    "proposed",
    "something proposed",
  ],
  ["a proposed property", "components/schemas/Pot/properties/id/x-provenance", "proposed", "something proposed"],
  ["a proposed schema", "components/schemas/Pot/x-provenance", "proposed", "something proposed"],
  [
    "a proposed value",
    "components/schemas/Pot/properties/status/x-open-enum/WHOLE/provenance",
    "proposed",
    "something proposed",
  ],
  ["a proposed lifecycle", "components/schemas/Pot/x-lifecycle", { provenance: "proposed" }, "something proposed"],
  [
    "a proposed list of required fields",
    "components/schemas/Pot/x-required-provenance",
    "proposed",
    "something proposed",
  ],
  [
    "a proposed path of a webhook",
    "webhooks/potBroken/post/x-webhook-path/provenance",
    "proposed",
    "something proposed",
  ],
  ["a text with an absent operation", "paths/~pots~{potId}/get/description", "Use Paint\nPot.", "names Paint Pot,"],
  ["a text with an absent operationId", "paths/~glue/get/description", "See `paintPot`.", "names paintPot,"],
  [
    "a meaning with an absent operation",
    "components/schemas/P101/x-error/resolution",
    "Paint Pot (not in this edition), then Paint Pot.",
    "names Paint Pot,",
  ],
  ["an example with a field that is not described", `${example}/colour`, "red", "no property describes at /colour"],
  ["a value of a removed set", `${example}/status`, "BROKEN", "the value BROKEN"],
  [
    "elements that are not described",
    `${example}/lids`,
    [{ id: 1, glaze: 2 }],
    "no property describes at /lids/0/glaze",
  ],
  [
    "an example of a schema with such a field",
    "components/schemas/Pot/examples/0/glaze",
    1,
    "no property describes at /glaze",
  ],
  ["a parameter with such an example", "paths/~pots~{potId}/get/parameters/0/example", { a: 1 }, "describes at /a"],
  [
    "a reference to nothing",
    "paths/~glue/get/responses/200",
    { $ref: "#/components/responses/None" },
    "a reference names",
  ],
  ["a link to nothing", `${answer}/links/again/operationId`, "paintPot", "a link names paintPot"],
  ["a trigger of nothing", "paths/~pots~{potId}/get/x-triggers/0", "potPainted", "x-triggers names potPainted"],
  [
    "a trigger of nothing, with a mark",
    "paths/~pots~{potId}/get/x-triggers/0",
    { webhook: "potPainted" },
    "potPainted",
  ],
  ["a proposed trigger", "paths/~pots~{potId}/get/x-triggers/0/provenance", "proposed", "something proposed"],
  ["a proposed effect", "paths/~pots~{potId}/get/x-effects/0/provenance", "proposed", "something proposed"],
  [
    "a parameter with an answer that is gone",
    "paths/~pots~{potId}/get/parameters/0/x-invalid-request",
    "P102",
    "names P102, which getPot does not answer",
  ],
  [
    "a parameter with a status that has codes",
    "paths/~pots~{potId}/get/parameters/0/x-invalid-request",
    "400",
    "names 400, which getPot does not answer",
  ],
  [
    "a shared parameter with an answer that is gone",
    "components/parameters/Colour/x-invalid-request",
    "409",
    "names 409, which getPot does not answer",
  ],
  [
    "a body with an answer that is gone",
    "paths/~pots~{potId}/get/requestBody/x-invalid-request/missing",
    "P102",
    "names P102, which getPot does not answer",
  ],
  ["advice on an absent operation", "components/schemas/P101/x-error/onCall", "Call Paint Pot.", "names Paint Pot,"],
  [
    "a code that an absent operation resolves",
    "components/schemas/P101/x-error/resolvedBy",
    ["paintPot"],
    "resolvedBy names paintPot",
  ],
  ["a dedupe key of nothing", "webhooks/potBroken/post/x-dedupe-key/0", "colour", "x-dedupe-key names colour"],
  ["a missing webhook", "webhooks/lidBroken", undefined, "does not have the webhook lidBroken"],
];

describe("the proof", () => {
  it("has nothing to say about what the bundler makes of a small contract", async () => {
    expect(latestProblems(await bundleOf(parts, "latest"), await bundleOf(parts, "test"))).toEqual([]);
  });

  it.each(seeds)("notices %s", async (_what, path, put, message) => {
    const latest = structuredClone(await bundleOf(parts, "latest"));
    set(latest, path, put);
    const messages = latestProblems(latest, await bundleOf(parts, "test")).map((problem) => problem.message);
    expect(messages).toEqual([expect.stringContaining(message)]);
  });

  it("has nothing to say about this repository, and notices everything proposed in the edition test", async () => {
    const [latest, test] = [await documentOf("latest"), await documentOf("test")];
    expect(latestProblems(latest, test)).toEqual([]);
    const marks = JSON.stringify(test).match(/"(x-provenance|x-required-provenance|provenance)":"proposed"/g);
    const found = latestProblems(test, test).filter(({ message }) => message.includes("something proposed"));
    expect(found).toHaveLength(marks?.length ?? 0);
  });

  it("notices every name of an absent operation once its suffix is gone from a text of this repository", async () => {
    const [latest, test] = [await copyOf("latest"), await documentOf("test")];
    const text = JSON.stringify(latest);
    const suffixes = text.match(/ \(not in this edition\)/g)?.length ?? 0;
    expect(suffixes).toBeGreaterThan(0);
    const bare = JSON.parse(text.replaceAll(" (not in this edition)", "")) as OpenApiDocument;
    expect(latestProblems(bare, test)).toHaveLength(suffixes);
  });
});

it("a violation is a finding of lint at the place in the sources", async () => {
  const sources = new Sources(`${projectRoot}/test/lint/clean/openapi.yaml`);
  const bundle = async (edition: Edition) => {
    const document = await bundleContract(edition, sources);
    if (edition === "latest") set(document, "components/schemas/Loan/properties/loanId/x-provenance", "proposed");
    return document;
  };
  const { findings } = await lintContract({ sources, packageVersion: "1.2.3", bundle });
  const own = findings.filter(({ rule }) => rule === "latest-known");
  expect(own).toMatchObject([{ file: `${projectRoot}/test/lint/clean/schemas/Loan.yaml`, line: 7, severity: "error" }]);
  expect(own[0]?.message).toMatch(/^The edition latest holds something proposed: .+\. Remedy: .+\.$/);
});

/** Puts a value at a path of keys with slashes between; `~` stands for a slash within a key. */
function set(document: OpenApiDocument, path: string, value: unknown): void {
  const keys = path.split("/").map((key) => key.replaceAll("~", "/"));
  const last = keys.pop() as string;
  let node = document as unknown as Record<string, unknown>;
  for (const key of keys) {
    node[key] ??= {};
    node = node[key] as Record<string, unknown>;
  }
  if (value === undefined) delete node[last];
  else node[last] = value;
}
