/** A small document with most of the `x-` keys that the pages show. */
import {
  type Conditions,
  type ExampleObject,
  emptyRegisters,
  type Marks,
  type OpenApiDocument,
  type OpenQuestions,
  type Ref,
  type Registers,
  readResources,
  SourceLocation,
} from "../../scripts/contract/model/index.ts";
import { createSite, type SiteContent } from "../../scripts/site/content/site.ts";

export const questions: OpenQuestions = {
  "Q-pots": {
    question: "How many pots are there?",
    rank: "money",
    who: "API team",
    section: "Pots",
    statedAs: "Number of pots: not shown.",
    assumption: "There is one",
    evidence: "None.",
    change: { Several: "There are more." },
    matrix: [
      { row: "Large pots", assumption: "One", evidence: "It was seen." },
      { row: "Small pots", assumption: "None", statedAs: "Small pots: not shown." },
    ],
  },
  "Q-unused": {
    question: "Is this used?",
    rank: "data",
    who: "API team",
    section: "None",
    assumption: "No.",
    evidence: "None.",
    change: { Yes: "None." },
  },
};

export const conditions: Conditions = {
  potExists: { meaning: "The pot exists", otherwise: "the pot is wrong", code: "P901" },
  potNamed: { meaning: "At least one is given", otherwise: "the pot is wrong", code: "P901", any: true },
  potWhole: { meaning: "The pot is whole", otherwise: "the pot is wrong", code: "P901" },
};

export const smallRegister = {
  pot: {
    meaning: "A pot of the garden.",
    id: "potId",
    details: ["getPot"],
    states: {
      status: { schema: "PotStatus", questions: ["Q-pots"], initial: "WHOLE", transitions: { WHOLE: ["BROKEN"] } },
    },
    externalEvents: { potFalls: { meaning: "A pot falls.", moves: "pot", to: ["BROKEN", "LOST"] } },
  },
  lid: {
    meaning: "A lid of a pot.",
    provenance: "proposed",
    id: "lidId",
    repeats: true,
    states: {
      status: { meaning: "How tight it is.", initial: "tight", transitions: { tight: ["loose"], loose: ["tight"] } },
    },
    externalEvents: {
      lidFlies: { meaning: "A lid flies off.", moves: "lid", to: "loose" },
      lidIsSeen: { meaning: "Somebody sees the lid." },
    },
  },
};

export function smallResources(document: OpenApiDocument, register: object = smallRegister): Registers["resources"] {
  const schemas = SourceLocation.ofDocument(document).child("components", "schemas");
  const location = SourceLocation.ofDocument(register as unknown as OpenApiDocument);
  return readResources(location, (name) => schemas.child(name));
}

export function smallSite(document: OpenApiDocument = smallDocument(), guide = "About pots."): SiteContent {
  const guides = [
    {
      name: "pots",
      title: "All about pots",
      summary: "Pots.",
      synonyms: [],
      group: "Pots",
      text: guide,
      firstLine: 1,
    },
  ];
  return createSite(document, {
    registers: { ...emptyRegisters, questions, conditions, resources: smallResources(document) },
    guides,
    journeys: [],
    changelog: "# Changelog",
  });
}

export function smallDocument(): OpenApiDocument {
  return structuredClone(document);
}

const errorSchema = (code: string, status: number, provenance: "specification" | "reference") => ({
  title: `${code} No pot`,
  type: "object",
  properties: { errorCode: { type: "string", const: code } },
  "x-error": { status, meaning: `No pot | ${code}` },
  "x-advice": {
    actor: "user",
    retry: "after-change",
    resolution: "Buy a `<pot>` for < 5.",
    onCall: "Look into the <cupboard>.",
  },
  "x-provenance": provenance,
});

const proposedExample = (summary: string): ExampleObject => ({ summary, value: {}, "x-provenance": "proposed" });

const proposedCode: Ref & Marks = { $ref: "#/components/schemas/P902", "x-provenance": "proposed" };

const document: OpenApiDocument = {
  openapi: "3.1.1",
  info: { title: "Pots", version: "1.0.0", description: "All about pots.", "x-open-questions": ["Q-pots"] },
  servers: [{ url: "{base_url}", variables: { base_url: { default: "https://api.pots.example" } } }],
  tags: [{ name: "Garden pots", description: "Pots, <b>bold</b> & <script>round</script>." }],
  paths: {
    "/pots/{potId}": {
      get: {
        operationId: "getPot",
        summary: "Get Pot",
        description: "Answers P901 when there is none. Here `P901` is code.",
        tags: ["Garden pots"],
        "x-provenance": "reference",
        "x-requires": {
          potExists: "$request.path.potId",
          potNamed: ["$request.path.potId", "$request.query.glaze"],
          potWhole: ["$request.path.potId", "$request.query.glaze"],
        },
        "x-effects": [
          { moves: "pot", id: "$request.path.potId", to: "BROKEN", later: true },
          { creates: "lid", id: "$request.path.potId", provenance: "observed" },
        ],
        "x-triggers": ["potBroken", { webhook: "lidBroken", provenance: "proposed" }],
        parameters: [
          {
            name: "potId",
            in: "path",
            required: true,
            description: "The pot.",
            schema: { $ref: "#/components/schemas/PotId" },
          },
          { name: "glaze", in: "query", schema: { type: "string" }, "x-provenance": "observed" },
        ],
        responses: {
          "200": {
            description: "The pot.",
            content: {
              "application/json": {
                schema: { $ref: "#/components/schemas/Pot" },
                examples: { clay: proposedExample("A clay pot") },
              },
            },
          },
          "404": {
            description: "No pot.",
            content: {
              "application/json": {
                schema: {
                  oneOf: [{ $ref: "#/components/schemas/P901" }, proposedCode],
                },
                examples: { P902: proposedExample("None") },
              },
            },
          },
          "401": { description: "Access Denied." },
        },
      },
    },
  },
  webhooks: {
    potBroken: {
      post: {
        summary: "Pot Broken",
        tags: ["Garden pots"],
        "x-provenance": "proposed",
        "x-webhook-path": { path: "/pot-webhook" },
        "x-event": { resource: "pot", after: ["BROKEN"] },
        "x-dedupe-key": { fields: ["id"] },
        requestBody: {
          content: {
            "application/json": {
              schema: { $ref: "#/components/schemas/Pot" },
              examples: { cracked: { summary: "A pot is cracked", value: { id: "pot-1" } } },
            },
          },
        },
        responses: { "200": { description: "Heard." } },
      },
    },
    lidBroken: {
      post: {
        summary: "Lid Broken",
        tags: ["Garden pots"],
        "x-provenance": "reference",
        "x-event": { resource: "lid", after: ["loose"] },
        requestBody: {
          content: {
            "application/json": { schema: { type: "object" }, examples: { loose: proposedExample("It is loose") } },
          },
        },
        responses: { "200": { description: "Heard." } },
      },
    },
  },
  components: {
    schemas: {
      PotId: { type: "string", description: "Names a pot.", "x-sensitive": true },
      Pot: {
        title: "Pot",
        type: "object",
        "x-provenance": "proposed",
        required: ["id"],
        properties: {
          id: { $ref: "#/components/schemas/PotId" },
          lid: { description: "The lid.", $ref: "#/components/schemas/PotId" },
          saucer: {
            description: "Null without one.",
            oneOf: [{ $ref: "#/components/schemas/PotId" }, { type: "null" }],
          },
          status: { $ref: "#/components/schemas/PotStatus" },
          price: { type: "number", "x-provenance": "specification", "x-open-questions": ["Q-pots"] },
        },
      },
      PotStatus: {
        type: "string",
        description: "How the pot is.",
        "x-provenance": "reference",
        "x-open-enum": { WHOLE: { meaning: "It is whole" }, BROKEN: { meaning: "It is not", provenance: "proposed" } },
      },
      P901: errorSchema("P901", 404, "specification"),
      P902: errorSchema("P902", 404, "reference"),
    },
  },
};
