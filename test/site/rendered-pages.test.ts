import { serializeOuter } from "parse5";
import { expect, test } from "vitest";
import { emptyRegisters, type OpenApiDocument } from "../../scripts/contract/model/index.ts";
import type { Guide } from "../../scripts/site/content/guides.ts";
import type { Journey } from "../../scripts/site/content/journeys.ts";
import { createSite } from "../../scripts/site/content/site.ts";
import { postmanCollection } from "../../scripts/site/machine/postman.ts";
import { pagesOf } from "../../scripts/site/pages/index.ts";
import { parsePages } from "./parsed-page.ts";
import { conditions, questions, smallDocument, smallRegister, smallResources } from "./small-document.ts";

const text = { type: "string" };
const flags = { type: "object", additionalProperties: { type: "boolean" } };
const openShed = {
  operationId: "openShed",
  summary: "Open Shed",
  tags: ["Sheds"],
  servers: [{ url: "{deposit_base_url}", variables: { deposit_base_url: { default: "https://in.pots.example" } } }],
  "x-provenance": "specification",
  "x-effects": [{ moves: "pot", state: "place", id: "$request.body#/potId", to: "DRYING" }],
  parameters: [
    { name: "colour", in: "query", schema: text },
    { name: "key", in: "query", required: true, schema: text, example: "brass" },
    { name: "externalUserId", in: "path", required: true, schema: text },
  ],
  requestBody: {
    content: {
      "application/json": {
        schema: {
          type: "object",
          required: ["potId"],
          properties: {
            potId: { $ref: "#/components/schemas/PotId" },
            flags,
            place: { allOf: [{ description: "Where." }, { oneOf: [text] }] },
            sizes: { type: "array", items: { oneOf: [{ type: "number" }, text] } },
          },
        },
      },
    },
  },
  responses: {
    "200": { description: "Open.", content: { "application/json": { schema: flags } } },
    "400": {
      description: "Not opened.",
      content: {
        "application/json": {
          schema: { oneOf: [{ $ref: "#/components/schemas/P901" }, { $ref: "#/components/schemas/GeneralError" }] },
        },
      },
    },
  },
  "x-requires": { shedIsLocked: "$request.query.key" },
};

function richDocument(): OpenApiDocument {
  const document = smallDocument();
  // Pots have two states in `register` below, so effects and events must name the state.
  const state = "status";
  const [effect] = document.paths["/pots/{potId}"]?.get?.["x-effects"] ?? [];
  Object.assign(effect as object, { state });
  Object.assign(document.webhooks?.potBroken?.post?.["x-event"] as object, { state });
  document.tags?.push({ name: "Sheds", description: "Where pots stand." }, { name: "Nothing", description: "Empty." });
  Object.assign(document.paths, { "/sheds/{externalUserId}": { post: openShed } });
  Object.assign(document.components?.schemas as object, {
    GeneralError: { type: "object", properties: { errorCode: text } },
  });
  return document;
}

const place = {
  meaning: "Where it is.",
  initial: ["ON_THE_POTTERS_WHEEL", "DRYING_OUTSIDE"],
  transitions: { ON_THE_POTTERS_WHEEL: ["DRYING_OUTSIDE"], DRYING_OUTSIDE: ["DRYING_OUTSIDE", "IN_THE_GREENHOUSE"] },
};
const register = {
  ...smallRegister,
  pot: {
    ...smallRegister.pot,
    states: { ...smallRegister.pot.states, place },
    externalEvents: {
      potFalls: { meaning: "A pot falls.", moves: "pot", state: "status", to: ["BROKEN", "LOST"] },
      potIsMade: { meaning: "A pot is made.", creates: "pot" },
      potIsCarried: { meaning: "Somebody carries it.", moves: "pot", state: "place", to: "IN_THE_GREENHOUSE" },
    },
  },
};

const guideOf = (name: string, title: string, group: string, guideText: string): Guide => ({
  name,
  title,
  group,
  role: group === "Topics" ? "areas" : undefined,
  text: guideText,
  summary: `${title}.`,
  synonyms: [],
  firstLine: 1,
});
const guides = [
  guideOf(
    "pots",
    "All about pots",
    "Pots",
    "{{codes getPot openShed}}\n\n{{values PotStatus}}\n\n{{lookup-table none}}",
  ),
  guideOf("sheds", "Sheds", "Topics", "{{lifecycle pot}}\n\n[pots](guide:pots), [break](operation:getPot)"),
  guideOf("garden", "What stands in the garden", "Topics", "{{operations Garden pots}}\n\nGet Pot and Open Shed."),
  guideOf("tools", "Tools", "Topics", "{{conditions payouts}}\n\n{{input payouts}}\n\n{{input calls}}"),
];

const journeys: Journey[] = [
  {
    workflowId: "potting",
    summary: "Potting",
    description: "A pot is made, and breaks.",
    steps: [
      {
        stepId: "get",
        description: "Get it.",
        operationId: "$sourceDescriptions.contract.getPot",
        successCriteria: [{ condition: "$statusCode == 200" }],
        "x-webhooks": ["potBroken", "lidBroken"],
      },
      {
        stepId: "fail",
        description: "Get it again.",
        operationId: "$sourceDescriptions.contract.getPot",
        successCriteria: [{ condition: "$statusCode == 404" }, { condition: '$response.body#/errorCode == "P901"' }],
      },
    ],
  },
];

/** A change of a page is seen in the difference of the file; `npx vitest run test/site/rendered-pages.test.ts -u` accepts it. */
test("the pages and the Postman collection of a small document with most features are those of rendered-pages.txt", async () => {
  const document = richDocument();
  const site = createSite(document, {
    registers: {
      ...emptyRegisters,
      questions,
      conditions: { ...conditions, shedIsLocked: { meaning: "It is locked", otherwise: "it is open", code: "P901" } },
      resources: smallResources(document, register),
    },
    guides,
    journeys,
    changelog: "# Changelog",
  });
  const wholePages = ["operations/openShed.html", "guides/sheds.html"];
  const shownParts = parsePages(pagesOf(site), site).map(({ path, html, main }) =>
    wholePages.includes(path) ? html : `<!-- ${path} -->${serializeOuter(main)}`,
  );
  shownParts.push(postmanCollection(site, "test"));
  const lines = shownParts.join("\n\n").replaceAll(/(?=<(?:section|h\d|li|tr|p|figure|details|svg)\b)/g, "\n");
  await expect(`${lines}\n`).toMatchFileSnapshot("rendered-pages.txt");
});
