import { readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { projectRoot } from "../../scripts/base/index.ts";
import { runMockCommand } from "../../scripts/cli/package/mock.ts";
import { assumedAnswer, changesOfAnswers } from "../../scripts/mock/answers/choice.ts";
import { createMock, type InProcessMock } from "../../scripts/mock/host/mock.ts";
import { plan } from "../support/plan.ts";
import { controlOf } from "./control/document.ts";
import { nameOf, worlds } from "./worlds/worlds.ts";

const options = { edition: "test", clock: "2026-03-31T22:30:00Z" } as const;
const berlinAnswers = { "Q-history-window": "Another time zone" };
const controlOfMock = ({ fetch, baseUrl, apiKey }: InProcessMock) => controlOf({ fetch, baseUrl, apiKey });

async function readHistory(mock: InProcessMock, month: string) {
  const url = `${mock.baseUrl}/v1/user/transaction-history/ann/${month}/2026`;
  const response = await mock.fetch(url, { headers: { "x-api-key": mock.apiKey } });
  return { status: response.status, body: (await response.json()) as unknown[], headers: response.headers };
}

it("a world runs another answer, and its responses name it", async () => {
  const mock = createMock(plan, { ...options, answers: berlinAnswers });
  mock.users.create("ann", { verified: true, funds: { eur: "10" } });
  const { body, headers } = await readHistory(mock, "04");
  expect(body).toHaveLength(1);
  expect(headers.get("x-mock-assumes")?.split(", ")).toContain("Q-history-window=Another time zone");
  const mockWithDefaults = createMock(plan, options);
  mockWithDefaults.users.create("ann", { verified: true, funds: { eur: "10" } });
  const marchHistory = await readHistory(mockWithDefaults, "03");
  expect(marchHistory.body).toHaveLength(1);
  expect(marchHistory.headers.get("x-mock-assumes")?.split(", ")).toContain("Q-history-window");
});

it("an answer about fields changes them in every body of an operation", async () => {
  const readBalancesBody = async (answers: Record<string, string>) => {
    const mock = createMock(plan, { ...options, answers });
    mock.users.create("ann", { verified: true });
    const url = `${mock.baseUrl}/v1/user/balances/ann`;
    return (await mock.fetch(url, { headers: { "x-api-key": mock.apiKey } })).json();
  };
  expect(await readBalancesBody({})).toMatchObject({ cryptoBalances: expect.anything() });
  expect(await readBalancesBody({ "Q-unshown-fields": "Other fields" })).not.toHaveProperty("cryptoBalances");
});

it("the answers of a world are read and replaced over HTTP, part of its state, and those of the start after a reset", async () => {
  const mock = createMock(plan, { ...options, answers: berlinAnswers });
  const control = controlOfMock(mock);
  const readOtherRuns = async () => {
    const { body } = await control("GET", "/answers");
    const answersById = Object.entries(body as Record<string, { runs: string }>);
    return Object.fromEntries(
      answersById.flatMap(([id, { runs }]) => (/assumed|added/.test(runs) ? [] : [[id, runs]])),
    );
  };
  expect(await readOtherRuns()).toMatchObject(berlinAnswers);
  const otherAnswers = { "Q-withdrawal-cost": "They are deducted" };
  expect(await control("PUT", "/answers", otherAnswers)).toMatchObject({ status: 200 });
  expect(await readOtherRuns()).toMatchObject(otherAnswers);
  expect(await readOtherRuns()).not.toHaveProperty("Q-history-window");
  const copy = createMock(plan, { ...options, state: mock.state() });
  expect(copy.answers).toEqual(mock.answers);
  mock.reset();
  expect(await readOtherRuns()).toMatchObject(berlinAnswers);
  expect(mock.answer({})).toMatchObject({ "Q-history-window": { runs: assumedAnswer } });
});

describe("refuses", () => {
  it.each<[Record<string, string>, string]>([
    [{ "Q-histroy-window": "Another time zone" }, "Did you mean Q-history-window?"],
    [{ "Q-history-window": "Another timezone" }, "Did you mean Another time zone? Possible are Twelve in all;"],
    [{ "Q-created-id": "Another field" }, "Q-created-id=Another field cannot be run: It breaks the type"],
    [
      { "Q-webhook-payloads": "Other fields", "Q-timestamps": "Another form" },
      'contradict each other: shapes.bodies.cardTransaction.createdAt cannot be both {"gone":true} and {"form":"seconds"}.',
    ],
  ])("%j: %s", (answers, message) => {
    expect(() => createMock(plan, { ...options, answers }).close()).toThrow(message);
  });

  it("a fault with an effect that the world does not have", () => {
    const mock = createMock(plan, { answers: { "Q-effect-after-error": "Not after P501" } });
    const addFault = (code: string) => mock.faults.add({ operation: "createTransfer", code, carriedOut: true });
    expect(() => addFault("P501")).toThrow("Q-effect-after-error");
    expect(addFault("P500")).toMatchObject({ code: "P500" });
  });
});

it("the command takes --answer, and lists the answers", async () => {
  const output: string[] = [];
  const spies = (["log", "error"] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation((text) => void output.push(String(text))),
  );
  const context = { usage: "mock", loadPlan: async () => plan };
  expect(await runMockCommand(["--answers", "list"], context)).toBe(0);
  expect(output.join("\n")).toContain(
    "\n  * As assumed: The present month and the twelve before it, in UTC.\n    Twelve in all\n",
  );
  const ports = ["--port", "0", "--deposit-port", "0"];
  expect(await runMockCommand([...ports, "--answer", "Q-history-window=Berlin"], context)).toBe(2);
  expect(await runMockCommand([...ports, "--answer", "Q-history-window"], context)).toBe(2);
  expect(output.slice(-2).join("\n")).toMatch(
    /Q-history-window has no answer "Berlin".+Another time zone.+takes a question and an answer/s,
  );
  for (const spy of spies) spy.mockRestore();
});

it("most questions about money, safety and data have an answer that can be run", () => {
  const ranks = Object.entries(plan.questions).flatMap(([id, { rank, answers }]) => {
    const otherAnswers = Object.keys(answers).filter((answer) => changesOfAnswers(plan, { [id]: answer }).length > 0);
    return otherAnswers.length > 0 ? [rank] : [];
  });
  const countRank = (rank: string) => ranks.filter((candidate) => candidate === rank).length;
  expect(countRank("money") + countRank("safety") + countRank("data")).toBeGreaterThanOrEqual(45);
});

it("what breaks here is known of each answer that can be run: npm run breaks -- --write", () => {
  const breaks = JSON.parse(readFileSync(`${projectRoot}/generated/breaks.json`, "utf8"));
  expect(Object.keys(breaks).sort()).toEqual(worlds.map(nameOf).sort());
});
