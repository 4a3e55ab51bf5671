/** `--answers` selects answers to open questions, other than the assumed ones, with which a program is tested. */
import { type Answers, checkAnswers, defaultAnswer } from "../mock/answers/index.ts";
import type { Plan } from "../mock/plan/index.ts";
import { ProveError } from "./processes.ts";

export interface AnswerSelection {
  /** The answers that every run uses. */
  readonly fixedAnswers: Answers;
  /** Sets of answers with which additional runs are made. No answer is in two sets. */
  readonly answerSets: readonly Answers[];
}

/**
 * @param texts `none`, `money` or `all` alone, or answers such as `Q-history-window=Another time zone`.
 * @throws {ProveError} when a text is malformed; when `none`, `money` or `all` is not the only text; or when an answer does not exist,
 * cannot be run, contradicts another answer, or is a second answer to the same question.
 */
export function parseAnswers(plan: Pick<Plan, "questions">, texts: readonly string[]): AnswerSelection {
  const [word = "none"] = texts;
  if (texts.length <= 1) {
    if (word === "none") return { fixedAnswers: {}, answerSets: [] };
    if (word === "money" || word === "all") return { fixedAnswers: {}, answerSets: makeAnswerSets(plan, word) };
  }
  const fixedAnswers: Record<string, string> = {};
  for (const text of texts) {
    const [, id = "", answer] = /^(Q-[\w-]+)=(.+)$/.exec(text) ?? [];
    if (answer === undefined)
      throw new ProveError(
        `--answers takes money, all or none alone, or answers such as "Q-history-window=Another time zone".`,
      );
    if (id in fixedAnswers) throw new ProveError(`--answers: ${id} can have one answer only.`);
    fixedAnswers[id] = answer;
  }
  const problem = answersProblem(plan, fixedAnswers);
  if (problem !== undefined) throw new ProveError(problem);
  return { fixedAnswers, answerSets: [] };
}

/** Maximum number of answers in a set, because one answer can hide the effect of another, for example if it leaves out a field. */
const maxAnswersPerSet = 6;

/** Puts each answer that can be run, except the assumed ones, into the first set that has room for it and does not contradict it. */
function makeAnswerSets(plan: Pick<Plan, "questions">, rank: "money" | "all"): Answers[] {
  const sets: Record<string, string>[] = [];
  for (const [id, question] of Object.entries(plan.questions)) {
    if (rank === "money" && question.rank !== "money") continue;
    for (const answer of Object.keys(question.answers)) {
      if (answer === defaultAnswer(question) || answersProblem(plan, { [id]: answer }) !== undefined) continue;
      const hasRoom = (set: Answers) => !(id in set) && Object.keys(set).length < maxAnswersPerSet;
      const isCompatible = (set: Answers) =>
        hasRoom(set) && answersProblem(plan, { ...set, [id]: answer }) === undefined;
      const set = sets.find(isCompatible) ?? {};
      if (Object.keys(set).length === 0) sets.push(set);
      set[id] = answer;
    }
  }
  return sets;
}

function answersProblem(plan: Pick<Plan, "questions">, answers: Answers): string | undefined {
  try {
    checkAnswers(plan, answers);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

export function formatAnswers(answers: Answers): readonly string[] {
  return Object.entries(answers).map(([id, answer]) => `${id}=${answer}`);
}
