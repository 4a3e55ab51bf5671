import { beforeAll, describe, expect, it } from "vitest";
import { type Contract, type MatrixRow, type OpenQuestions, ranks } from "../../scripts/contract/model/index.ts";
import { damageOf } from "../../scripts/site/content/answers.ts";
import { rowsOf } from "../../scripts/site/content/question-rows.ts";
import { questionnaireCsv, questionnaireMarkdown } from "../../scripts/site/index.ts";
import { contractOf, sources } from "../support/contract.ts";

const { questions } = sources.registers();
const ids = Object.keys(questions);
let contract: Contract;
let rows: Map<string, MatrixRow[]>;
beforeAll(async () => {
  contract = await contractOf("test");
  rows = new Map(Object.entries(questions).map(([id, entry]) => [id, rowsOf(id, entry, contract)]));
});

function parseCsv(text: string): string[][] {
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  const lines: string[][] = [[]];
  for (const [, quoted, plain = "", end] of text.matchAll(cell)) {
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === "\r\n") lines.push([]);
  }
  expect(lines.pop()).toEqual([]);
  return lines;
}

describe("the register", () => {
  it("has at most 92 questions, all with different texts", () => {
    expect(ids.length).toBeLessThanOrEqual(92);
    expect(new Set(Object.values(questions).map(({ question }) => question)).size).toBe(ids.length);
  });

  it("has a row for each part of the contract with a question whose table is derived", () => {
    const emptyQuestions = ids.filter(
      (id) => typeof questions[id]?.matrix === "string" && (rows.get(id) ?? []).length < 2,
    );
    expect(emptyQuestions).toEqual([]);
    const countRows = (id: string) => (rows.get(id) ?? []).length;
    const countMarked = (nodes: readonly { node: object }[], id: string) =>
      nodes.filter(({ node }) => JSON.stringify(node).includes(`"${id}"`)).length;
    expect(countRows("Q-unshown-operations")).toBe(countMarked(contract.operations, "Q-unshown-operations"));
    expect(countRows("Q-webhook-paths")).toBe(countMarked(contract.webhooks, "Q-webhook-paths"));
  });

  it("has no evidence for a row that the contract does not have", () => {
    const lostNotes = Object.entries(questions).flatMap(([id, { notes = {} }]) => {
      const rowNames = (rows.get(id) ?? []).map(({ row }) => row);
      return Object.keys(notes).filter((name) => !rowNames.includes(name));
    });
    expect(lostNotes).toEqual([]);
  });

  it("describes each webhook as x-event and x-triggers do, and each status as its lifecycle does", () => {
    const assumptionsOf = (id: string) =>
      Object.fromEntries((rows.get(id) ?? []).map(({ row, assumption }) => [row, assumption]));
    expect(assumptionsOf("Q-webhook-triggers")).toMatchObject({
      "SEPA Transfer": expect.stringContaining("after IN_PROGRESS, SUCCESSFUL or FAILED. Create a SEPA Transfer and"),
      "Crypto Deposit": expect.stringContaining("Not after SENT or successful."),
      "Card Activation Code": "Card: while it is ACTIVE.",
    });
    expect(assumptionsOf("Q-status-transitions")).toMatchObject({
      Transfer: "First IN_PROGRESS. IN_PROGRESS, then SUCCESSFUL or UNSUCCESSFUL. Final: SUCCESSFUL and UNSUCCESSFUL.",
    });
    const changedWebhooks = contract.webhooks.map((webhook) =>
      webhook.name === "sepaTransfer" && webhook.event !== undefined
        ? { ...webhook, event: { ...webhook.event, after: ["FAILED"] } }
        : webhook,
    );
    const entry = questions["Q-webhook-triggers"] as OpenQuestions[string];
    const changedRows = rowsOf("Q-webhook-triggers", entry, { ...contract, webhooks: changedWebhooks });
    expect(changedRows.find(({ row }) => row === "SEPA Transfer")?.assumption).toContain("after FAILED. Not after");
  });

  it("writes acronyms as titles of schemas do", () => {
    const id = "Q-status-transitions";
    const [transfer] = contract.resources.filter(({ name }) => name === "transfer");
    const resources = [{ ...transfer, name: "cardPinTransfer" } as Contract["resources"][number]];
    const [row] = rowsOf(id, questions[id] as OpenQuestions[string], { ...contract, resources });
    expect(row?.row).toBe("Card PIN transfer");
  });
});

describe("the questionnaire", () => {
  it("has every question once as a heading, grouped by rank, with a place for each answer", () => {
    const text = questionnaireMarkdown(questions, contract);
    const sections = text.split("\n### ").slice(1);
    expect(sections.map((section) => section.split("\n")[0]).sort()).toEqual(
      Object.values(questions)
        .map(({ question }) => question)
        .sort(),
    );
    for (const [rank, title] of Object.entries(ranks)) {
      const [, rest = ""] = text.split(`\n## ${title}\n`);
      const questionLines = rest.split("\n## ")[0]?.match(/^- (Q-[a-z0-9-]+), for the/gm) ?? [];
      const idsOfRank = questionLines.map((line) => line.split(/[ ,]/)[1] ?? "");
      expect(idsOfRank.toSorted()).toEqual(ids.filter((id) => questions[id]?.rank === rank).sort());
      const damageCounts = idsOfRank.map((id) => damageOf(id, Object.keys(questions[id]?.change ?? {}))[0]);
      expect(damageCounts).toEqual(damageCounts.toSorted((a, b) => b - a));
    }
    for (const section of sections) {
      const id = /^- (Q-[a-z0-9-]+),/m.exec(section)?.[1] ?? "";
      const answerPlaces = section.match(/^\|.* {2}\|$|^\*\*Answer:\*\* _+$/gm) ?? [];
      expect(answerPlaces, id).toHaveLength(Math.max(1, rows.get(id)?.length ?? 0));
    }
  });

  it("is valid CSV with a line for each answer, whatever its texts contain", () => {
    const [head = [], ...lines] = parseCsv(questionnaireCsv(questions, contract));
    expect(lines.every((line) => line.length === head.length)).toBe(true);
    const cells = lines.map((line) => Object.fromEntries(line.map((cell, index) => [head[index] as string, cell])));
    const expectedRows = ids.flatMap((id) => {
      const rowsOfQuestion = rows.get(id) ?? [];
      return rowsOfQuestion.length === 0 ? [[id, ""]] : rowsOfQuestion.map(({ row }) => [id, row]);
    });
    expect(cells.map(({ id, row }) => [id, row]).sort()).toEqual(expectedRows.sort());
    for (const { id = "", question, "stated as": quote = "" } of cells) {
      expect(question).toBe(questions[id]?.question);
      const quotes = [questions[id], ...(rows.get(id) ?? [])].map((entry) => entry?.statedAs ?? "");
      expect([...quotes, ""]).toContain(quote);
    }

    const oddQuestions = {
      "Q-odd": { ...questions["Q-repeated-call"], question: 'Is "a, b"\nodd?', assumption: "=1+1" },
    } as OpenQuestions;
    const [, line = []] = parseCsv(questionnaireCsv(oddQuestions, contract));
    expect([line[3], line[6]]).toEqual(['Is "a, b"\nodd?', "'=1+1"]);
  });
});
