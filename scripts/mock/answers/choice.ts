/** A world runs with one answer to each open question. The answers are in `openapi/answers.yaml`. */
import { nearestName } from "../../base/index.ts";
import { ControlError } from "../checks/error.ts";
import type { Plan, PlanQuestion } from "../plan/plan.ts";

/** The names of chosen answers, by the ids of their questions. */
export type Answers = Readonly<Record<string, string>>;

export const assumedAnswer = "As assumed";

/** The default answer changes no assumption; {@link assumedAnswer} if there is no such answer. */
export function defaultAnswer({ answers }: PlanQuestion): string {
  const isDefault = ([, changes]: [string, object]) => Object.keys(changes).length === 0;
  return Object.entries(answers).find(isDefault)?.[0] ?? assumedAnswer;
}

/** Answers that change no assumption are left out. */
export function changesOfAnswers(
  { questions }: Pick<Plan, "questions">,
  chosenAnswers: Answers,
): [id: string, changes: object][] {
  return Object.entries(chosenAnswers).flatMap(([id, answer]): [string, object][] => {
    const changes = questions[id]?.answers[answer] ?? {};
    return Object.keys(changes).length === 0 || "cannot" in changes ? [] : [[id, changes]];
  });
}

/** @throws {ControlError} when a question or an answer is unknown, or an answer cannot be run or contradicts another answer. */
export function checkAnswers(plan: Pick<Plan, "questions">, chosenAnswers: Answers): void {
  for (const [id, answer] of Object.entries(chosenAnswers)) {
    const question = requireEntry(plan.questions, id, "There is no open question", "");
    const possibleAnswers = { ...question.answers, [defaultAnswer(question)]: {} } as PlanQuestion["answers"];
    const possibleNames = ` Possible are ${Object.keys(possibleAnswers).join("; ")}.`;
    const changes = requireEntry(possibleAnswers, answer, `${id} has no answer`, possibleNames);
    if ("cannot" in changes) throw new ControlError(`${id}=${answer} cannot be run: ${changes.cannot}`);
  }
  const values = new Map<string, { name: string; value: string }>();
  for (const [id, changes] of changesOfAnswers(plan, chosenAnswers)) {
    const name = `${id}=${chosenAnswers[id]}`;
    for (const [path, value] of leavesOf(changes)) {
      const otherChange = values.get(path);
      if (otherChange !== undefined && otherChange.value !== value) {
        throw new ControlError(
          `${otherChange.name} and ${name} contradict each other: ${path} cannot be both ${otherChange.value} and ${value}.`,
        );
      }
      values.set(path, { name, value });
    }
  }
}

function requireEntry<Entry>(
  entries: Readonly<Record<string, Entry>>,
  name: string,
  problem: string,
  possibleNames: string,
): Entry {
  if (Object.hasOwn(entries, name)) return entries[name] as Entry;
  const suggestedName = nearestName(name, Object.keys(entries));
  const hint = suggestedName === undefined ? "" : ` Did you mean ${suggestedName}?`;
  throw new ControlError(`${problem} ${JSON.stringify(name)}.${hint}${possibleNames}`);
}

/** Values are JSON texts. A list counts as one value, as does the change of one field of a body. */
function leavesOf(value: object, path: readonly string[] = []): [path: string, value: string][] {
  return Object.entries(value).flatMap(([name, part]): [string, string][] => {
    const partPath = [...path, name];
    const isSingleValue = typeof part !== "object" || part === null || Array.isArray(part) || isBodyChange(partPath);
    return isSingleValue ? [[partPath.join("."), JSON.stringify(part)]] : leavesOf(part, partPath);
  });
}

function isBodyChange([section, member, ...rest]: readonly string[]): boolean {
  return section === "shapes" && member === "bodies" && rest.length === 2;
}
