import { describe, expect, test } from "vitest";
import {
  type OpenApiDocument,
  type OpenQuestion,
  type OperationObject,
  type RowSource,
  rankNames,
  valueAt,
} from "../../scripts/contract/model/index.ts";
import { formOf } from "../../scripts/contract/sources/index.ts";
import { rowsOf } from "../../scripts/site/content/question-rows.ts";
import { questionnaireCsv, questionnaireMarkdown } from "../../scripts/site/index.ts";
import { questionPages } from "../../scripts/site/pages/questions.tsx";
import { elementsOf, parsePages, textOf } from "./parsed-page.ts";
import { questions, smallDocument, smallSite } from "./small-document.ts";

const entry = questions["Q-unused"] as OpenQuestion;
const markWithQuestion = { "x-open-questions": ["Q-rows"] };

/** Two operations and two webhooks in two areas, all of which depend on the question Q-rows. */
function shopDocument(change: (shop: Record<"get" | "put" | "pot" | "lid", OperationObject>) => void = () => {}) {
  const document = smallDocument();
  const { webhooks = {}, tags = [] } = document;
  document.tags = [{ name: "Shop" }, ...tags];
  const get = document.paths["/pots/{potId}"]?.get as OperationObject;
  const [pot, lid] = [webhooks.potBroken?.post, webhooks.lidBroken?.post] as [OperationObject, OperationObject];
  const text = { type: "string" };
  const item = { type: "array", items: { type: "object", properties: { colour: text } } };
  const codeReference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const makeFailure = (...names: string[]) => ({
    description: "Refused.",
    content: { "application/json": { schema: { oneOf: names.map(codeReference) } } },
  });
  const put = {
    operationId: "fillPot",
    summary: "Fill Pot",
    tags: ["Shop"],
    "x-provenance": "reference",
    requestBody: {
      content: {
        "application/json": {
          schema: {
            allOf: [{ type: "object", required: ["weight"], properties: { weight: { type: "number" } } }],
            required: ["name"],
            properties: { name: text, lids: item },
          },
          examples: { one: { value: { name: "a" } } },
        },
      },
    },
    responses: {
      "201": { description: "Made.", content: { "application/json": { schema: item } } },
      "204": { description: "Nothing." },
      "400": makeFailure("P901", "P902"),
      "401": { description: "Access denied." },
      "409": makeFailure("P901"),
    },
  } as unknown as OperationObject;
  document.paths["/pots"] = { put };
  for (const operation of [get, put, pot, lid]) Object.assign(operation, markWithQuestion);
  Object.assign(lid, { "x-webhook-path": { path: "/lid-webhook" } });
  change({ get, put, pot, lid });
  return document;
}

/** A document in which only the schema P901 depends on the question, not the elements that refer to P901. */
function documentWithMarkedSchema() {
  const document = smallDocument();
  const schemas = Object(document.components?.schemas);
  schemas.P901["x-open-questions"] = ["Q-rows"];
  schemas.Shelf = { title: "Shelf", type: "object", properties: { fault: { $ref: "#/components/schemas/P901" } } };
  return document;
}

function rowsFor(matrix: RowSource, document: OpenApiDocument = shopDocument(), id = "Q-rows") {
  return rowsOf(id, { ...entry, matrix }, smallSite(document).contract).map(({ row, assumption }) => [row, assumption]);
}

test("the form of the questions allows the ranks of the model, and tables whose rows can be made", () => {
  const properties = "#/additionalProperties/properties";
  const allowedAt = (path: string) => valueAt(formOf("openQuestions"), `${properties}/${path}/enum`) as RowSource[];
  expect(allowedAt("rank")).toEqual(rankNames);
  for (const matrix of allowedAt("matrix/then")) expect(rowsFor(matrix), matrix).toBeInstanceOf(Array);
});

test.each<[RowSource, [row: string, assumption: string][]]>([
  [
    "operations",
    [
      ["Fill Pot", "`PUT /pots`. Sends name, lids (colour), weight. Returns 201 colour; 204."],
      ["Get Pot", "`GET /pots/{potId}`. Sends glaze. Returns 200 id, lid, saucer, status, price."],
    ],
  ],
  [
    "required",
    [
      ["Fill Pot", "Required: name, weight. Optional: lids."],
      ["Pot Broken (webhook)", "Required: id. Optional: lid, saucer, status, price."],
    ],
  ],
  [
    "codes",
    [
      ["Fill Pot", "400 P901, P902; 409 P901"],
      ["Get Pot", "404 P901, P902"],
    ],
  ],
  [
    "statuses",
    [
      ["Fill Pot", "201, 204"],
      ["Get Pot", "200"],
      ["Pot Broken (webhook)", "200"],
      ["Lid Broken (webhook)", "200"],
    ],
  ],
  [
    "fields",
    [
      ["Fill Pot", "201 colour; 204"],
      ["Get Pot", "200 id, lid, saucer, status, price"],
      ["Pot Broken (webhook)", "id, lid, saucer, status, price"],
    ],
  ],
  [
    "paths",
    [
      ["Pot Broken (webhook)", "`/pot-webhook`"],
      ["Lid Broken (webhook)", "`/lid-webhook`"],
    ],
  ],
  [
    "events",
    [
      ["Pot Broken", "Pot: after BROKEN. Not after WHOLE. Get Pot leads to it."],
      ["Lid Broken", "Lid: after loose. Not after tight. Get Pot leads to it."],
    ],
  ],
])("the rows of %s come from the contract, area by area", (matrix, expectedRows) => {
  expect(rowsFor(matrix)).toEqual(expectedRows);
});

describe("the rows of a question", () => {
  test("about lifecycles are the resources that it concerns", () => {
    expect(rowsFor("transitions", smallDocument(), "Q-pots")).toEqual([
      ["Pot", "First WHOLE. WHOLE, then BROKEN. Final: BROKEN."],
    ]);
  });

  test("about what is read leave out operations that it concerns only in what is sent", () => {
    const document = shopDocument(({ get, put }) => {
      for (const operation of [get, put]) delete operation["x-open-questions"];
      Object.assign(Object(put.requestBody).content["application/json"].schema, markWithQuestion);
      Object.assign(Object(get.responses["200"]).content["application/json"].schema, markWithQuestion);
    });
    expect(rowsFor("fields", document).map(([row]) => row)).toEqual(["Get Pot", "Pot Broken (webhook)"]);
    expect(rowsFor("statuses", document).map(([row]) => row)).toContain("Fill Pot");
    const put = document.paths["/pots"]?.put as OperationObject;
    Object.assign(put.responses["204"] as object, markWithQuestion);
    expect(rowsFor("fields", document).map(([row]) => row)).toContain("Fill Pot");
  });

  test.each<[string, Parameters<typeof shopDocument>[0], pot: string, lid: string]>([
    [
      "several operations lead to it",
      ({ put }) => Object.assign(put, { "x-triggers": ["potBroken"] }),
      "Pot: after BROKEN. Not after WHOLE. Get Pot and Fill Pot lead to it.",
      "Lid: after loose. Not after tight. Get Pot leads to it.",
    ],
    [
      // No operation triggers the webhook of the lid, its body has no status, and one external event of the lid changes nothing.
      "no operation leads to it",
      ({ get, pot, lid }) => {
        delete get["x-triggers"];
        for (const webhook of [pot, lid]) {
          Object.assign(Object(webhook.requestBody).content["application/json"], {
            schema: { type: "object", properties: { id: {} } },
          });
        }
      },
      "Pot: after BROKEN. Not after WHOLE. No operation leads to it.",
      "Lid: while it is loose.",
    ],
    [
      "the body has the status by another name",
      ({ get, lid }) => {
        delete get["x-triggers"];
        Object.assign(lid["x-event"] as object, { body: { tightness: "status" } });
        const properties = { id: {}, tightness: { type: "string" } };
        Object.assign(Object(lid.requestBody).content["application/json"].schema, { properties });
      },
      "Pot: after BROKEN. Not after WHOLE. No operation leads to it.",
      "Lid: after loose. Not after tight. No operation leads to it.",
    ],
    [
      "every value is reported",
      ({ pot }) => Object.assign(pot["x-event"] as object, { after: ["WHOLE", "BROKEN"] }),
      "Pot: after WHOLE or BROKEN. Get Pot leads to it.",
      "Lid: after loose. Not after tight. Get Pot leads to it.",
    ],
  ])("about events says when %s", (_, change, potRow, lidRow) => {
    expect(rowsFor("events", shopDocument(change)).map(([, assumption]) => assumption)).toEqual([potRow, lidRow]);
  });
});

const notes = { "Get Pot": { evidence: "Seen.", statedAs: "Pots: not shown." } };
const register = {
  "Q-rows": { ...entry, rank: "safety", assumption: "=1", matrix: "statuses", notes },
  "Q-pots": questions["Q-pots"] as OpenQuestion,
  "Q-alone": { ...entry, statedAs: 'The "rim": not shown.', change: { Yes: "One.", No: "Two." } },
} satisfies Record<string, OpenQuestion>;

test("the questionnaire has the worst questions first, and a row for every answer", () => {
  const { contract } = smallSite(shopDocument());
  const text = questionnaireMarkdown(register, contract);
  expect(text).toMatch(/^# .*\n\n3 questions that/);
  expect(text.match(/^#+ .*/gm)?.slice(1)).toEqual([
    "## Money: a wrong assumption can lose or repeat a payment",
    "### How many pots are there?",
    "## Safety: a wrong assumption can harm a user, or let somebody in",
    "### Is this used?",
    "## Data: a wrong assumption can break a program, or lose what it reads",
    "### Is this used?",
  ]);
  const sectionOf = (id: string) => text.slice(text.indexOf(`- ${id}, `)).split("\n#")[0];
  expect(sectionOf("Q-pots")).toMatch(
    /Left open in: Pots \("Number of pots: not shown\."\)\n- We assume: There is one\n/,
  );
  expect(sectionOf("Q-pots")).toMatch(/- Used in: Get Pot, Pot Broken \(webhook\)\n/);
  expect(sectionOf("Q-pots")).toContain(
    '|---|---|---|---|\n| Large pots | One | It was seen. |  |\n| Small pots | None | "Small pots: not shown." |  |\n',
  );
  expect(sectionOf("Q-rows")).not.toContain("Used in");
  expect(sectionOf("Q-rows")).toContain(
    '| **Shop** | | | |\n| Fill Pot | 201, 204 |  |  |\n| **Garden pots** | | | |\n| Get Pot | 200 | Seen. "Pots: not shown." |  |\n| Pot Broken (webhook) | 200 |',
  );
  expect(sectionOf("Q-alone")).toContain(
    "  - Yes: One.\n  - No: Two.\n- Used in: the interface as a whole\n\n**Answer:** ___",
  );
  expect(questionnaireMarkdown(register, contract, "safety").match(/^### .*/gm)).toHaveLength(1);
  expect(questionnaireMarkdown({}, contract)).not.toContain("## ");
});

test("the questionnaire says which parts of the contract a question concerns", () => {
  const usesIn = (document: OpenApiDocument) =>
    / Used in: (.*)/.exec(questionnaireMarkdown({ "Q-rows": entry }, smallSite(document).contract))?.[1];
  expect(usesIn(shopDocument())).toBe("all operations, all webhooks");
  expect(usesIn(shopDocument(({ get }) => delete get["x-open-questions"]))).toBe("Fill Pot, all webhooks");
  const documentWithOneUse = smallDocument();
  Object.assign(documentWithOneUse.paths["/pots/{potId}"]?.get as OperationObject, markWithQuestion);
  expect(usesIn(documentWithOneUse)).toBe("Get Pot");
  expect(usesIn(documentWithMarkedSchema())).toBe("P901 No pot");
});

test("the questionnaire is a table for a spreadsheet, in which no cell is a formula", () => {
  const lines = questionnaireCsv(register, smallSite(shopDocument()).contract).split("\r\n");
  expect(lines).toHaveLength(1 + 4 + 2 + 1 + 1);
  expect(lines[0]).toBe(
    "id,rank,who,question,area,row,assumed,evidence,left open in,stated as,otherwise,used in,answer",
  );
  expect(lines[3]).toMatch(/^Q-rows,safety,API team,Is this used\?,Shop,Fill Pot,"201, 204",None\.,None,,/);
  expect(lines[4]).toMatch(/,Garden pots,Get Pot,200,Seen\.,None,Pots: not shown\.,Yes: None\.,/);
  expect(lines[1]).toMatch(/^Q-pots,money,.*,Large pots,One,It was seen\.,Pots,Number of pots: not shown\.,/);
  expect(lines[7]).toMatch(
    /^Q-alone,data,API team,Is this used\?,,,No\.,None\.,None,"The ""rim"": not shown\.","Yes: One\.$/m,
  );
  const csvWithFormula = questionnaireCsv({ "Q-a": { ...entry, assumption: "=1+1" } }, smallSite().contract);
  expect(csvWithFormula).toContain(",'=1+1,");
});

describe("the page of questions", () => {
  const shownCells = (questionMembers: Partial<OpenQuestion>, document = shopDocument()) => {
    const site = { ...smallSite(document), questions: { "Q-rows": { ...entry, ...questionMembers } } };
    const [page] = parsePages(questionPages(site), site);
    const cells = elementsOf(page?.main as never).filter(
      ({ tagName, attrs }) => attrs[0]?.value === "col" && tagName === "th",
    );
    return { columns: cells.map(textOf).join(), text: textOf(page?.main) };
  };
  const row = { row: "Pots", assumption: "No." };

  test.each<[columns: string, Partial<OpenQuestion>]>([
    ["", {}],
    ["Area,For,Assumed", { matrix: "statuses" }],
    ["Area,For,Assumed,Evidence", { matrix: "statuses", notes }],
    ["For", { matrix: [row] }],
    ["For,Assumed", { matrix: [row, { row: "Lids", assumption: "Yes." }] }],
    ["For,Evidence", { matrix: [row, { ...row, evidence: "Seen." }] }],
    ["For,Evidence", { matrix: [row, { ...row, statedAs: "Not shown." }] }],
  ])("shows the columns %j that have something to say", (columns, questionMembers) => {
    expect(shownCells(questionMembers).columns).toBe(columns);
  });

  test("names what a question concerns, in parts where these are few, and where it was left open", () => {
    expect(shownCells({}).text).toContain("Concerns Get Pot Fill Pot Pot Broken (webhook) Lid Broken (webhook)");
    expect(shownCells({ matrix: "statuses" }).text).not.toContain("Concerns");
    expect(shownCells({}, smallDocument()).text).toContain("Concerns The interface as a whole.");
    expect(shownCells({}).text).toContain("Left open in Interface specification, None Rank");
    expect(shownCells({ section: "Public reference, pots", statedAs: "Never." }).text).toContain(
      "Left open in Public reference, pots Never. Rank",
    );
    expect(shownCells({}, documentWithMarkedSchema()).text).toContain("Concerns P901 No pot.");
    const documentWithMarkedPart = shopDocument(({ get }) =>
      Object.assign(Object(get.parameters?.[1]), markWithQuestion),
    );
    expect(shownCells({}, documentWithMarkedPart).text).toContain("Get Pot: parameter glaze");
  });
});
