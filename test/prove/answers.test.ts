import { describe, expect, it } from "vitest";
import { checkAnswers, defaultAnswer } from "../../scripts/mock/answers/index.ts";
import { parseAnswers } from "../../scripts/prove/answers.ts";
import { plan } from "../support/plan.ts";

describe("--answers", () => {
  it("money has each answer about money that can be run, in sets without a contradiction", () => {
    const { fixedAnswers, answerSets } = parseAnswers(plan, ["money"]);
    expect(fixedAnswers).toEqual({});
    for (const set of answerSets) checkAnswers(plan, set);
    expect(Math.max(...answerSets.map((set) => Object.keys(set).length))).toBe(6);
    const wantedAnswers = Object.entries(plan.questions).flatMap(([id, question]) =>
      Object.entries(question.answers).flatMap(([answer, world]) =>
        question.rank === "money" && answer !== defaultAnswer(question) && !("cannot" in world)
          ? [`${id}=${answer}`]
          : [],
      ),
    );
    const foundAnswers = answerSets.flatMap((set) => Object.entries(set).map(([id, answer]) => `${id}=${answer}`));
    expect(foundAnswers.sort()).toEqual(wantedAnswers.sort());
    expect(foundAnswers.length).toBeGreaterThan(20);
    expect(parseAnswers(plan, ["all"]).answerSets.flatMap(Object.keys).length).toBeGreaterThan(foundAnswers.length);
  });

  it("none has no other answer", () => {
    expect(parseAnswers(plan, [])).toEqual({ fixedAnswers: {}, answerSets: [] });
    expect(parseAnswers(plan, ["none"])).toEqual({ fixedAnswers: {}, answerSets: [] });
  });

  it("a named answer holds for all that is proved", () => {
    const fixedAnswers = { "Q-history-window": "Another time zone" };
    expect(parseAnswers(plan, ["Q-history-window=Another time zone"])).toEqual({ fixedAnswers, answerSets: [] });
  });

  it.each([
    [["mony"], /takes money, all or none alone, or answers such as/],
    [["none", "Q-nonsense=x"], /takes money, all or none alone, or answers such as/],
    [["Q-history-window=UTC", "money"], /takes money, all or none alone, or answers such as/],
    [["Q-history-windo=x"], /There is no open question "Q-history-windo". Did you mean Q-history-window\?/],
    [["Q-history-window=x"], /Q-history-window has no answer "x"/],
    [["Q-history-window=x", "Q-history-window=y"], /Q-history-window can have one answer only/],
  ])("refuses %j", (texts, problem) => {
    expect(() => parseAnswers(plan, texts)).toThrow(problem);
  });
});
