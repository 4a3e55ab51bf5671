/** Answers to open questions other than the assumed ones, in which a program is tried too (`--answers`). */
import { type Answers, checkAnswers, defaultAnswer } from "../mock/answers/index.ts";
import type { Plan } from "../mock/plan/index.ts";
import { ProveError } from "./processes.ts";

export interface Worlds {
  /** Answers with which everything is proved. */
  readonly always: Answers;
  /** Sets of answers with which the program is tried too: each answer stands in one of them. */
  readonly sets: readonly Answers[];
}

/**
 * @param given `none`, `money`, `all`, or answers such as `Q-history-window=Another time zone`.
 * @throws {ProveError} when there is no such answer, or it cannot be run.
 */
export function readWorlds(plan: Pick<Plan, "questions">, given: readonly string[]): Worlds {
  const [word = "none"] = given;
  if (word === "none") return { always: {}, sets: [] };
  if (word === "money" || word === "all") return { always: {}, sets: setsOf(plan, word) };
  const always: Record<string, string> = {};
  for (const text of given) {
    const [, id, answer] = /^(Q-[\w-]+)=(.+)$/.exec(text) ?? [];
    if (id === undefined || answer === undefined)
      throw new ProveError(
        `--answers takes money, all, none, or answers such as "Q-history-window=Another time zone".`,
      );
    always[id] = answer;
  }
  const problem = problemWith(plan, always);
  if (problem !== undefined) throw new ProveError(problem);
  return { always, sets: [] };
}

/** With many answers, one can hide what another does, such as a field that is left out. */
const maxTogether = 6;

/** Puts each answer that can be run into the first set that has room and that it does not contradict. */
function setsOf(plan: Pick<Plan, "questions">, rank: "money" | "all"): Answers[] {
  const sets: Record<string, string>[] = [];
  for (const [id, question] of Object.entries(plan.questions)) {
    if (rank === "money" && question.rank !== "money") continue;
    for (const answer of Object.keys(question.answers)) {
      if (answer === defaultAnswer(question) || problemWith(plan, { [id]: answer }) !== undefined) continue;
      const hasRoom = (set: Answers) => !(id in set) && Object.keys(set).length < maxTogether;
      const fits = (set: Answers) => hasRoom(set) && problemWith(plan, { ...set, [id]: answer }) === undefined;
      const set = sets.find(fits) ?? {};
      if (Object.keys(set).length === 0) sets.push(set);
      set[id] = answer;
    }
  }
  return sets;
}

function problemWith(plan: Pick<Plan, "questions">, answers: Answers): string | undefined {
  try {
    checkAnswers(plan, answers);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

export function namesOf(answers: Answers): readonly string[] {
  return Object.entries(answers).map(([id, answer]) => `${id}=${answer}`);
}
