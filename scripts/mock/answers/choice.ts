/** The choice of answers to open questions with which a world runs (`openapi/answers.yaml`). */
import { nearestName } from "../../contract/messages/index.ts";
import { ControlError } from "../checks/error.ts";
import type { Plan, PlanQuestion } from "../plan/plan.ts";

/** The name of an answer, by the id of its question. */
export type Answers = Readonly<Record<string, string>>;

export const assumedAnswer = "As assumed";

/** The answer with which a mock runs by default: the answer that changes no assumption; {@link assumedAnswer} if there is none. */
export function defaultAnswer({ answers }: PlanQuestion): string {
  const isDefault = ([, changes]: [string, object]) => Object.keys(changes).length === 0;
  return Object.entries(answers).find(isDefault)?.[0] ?? assumedAnswer;
}

/** The chosen answers that change assumptions, each with these changes. */
export function changesOfAnswers(
  { questions }: Pick<Plan, "questions">,
  chosen: Answers,
): [id: string, changes: object][] {
  return Object.entries(chosen).flatMap(([id, answer]): [string, object][] => {
    const changes = questions[id]?.answers[answer] ?? {};
    return Object.keys(changes).length === 0 || "cannot" in changes ? [] : [[id, changes]];
  });
}

/** @throws {ControlError} when an answer is unknown, cannot be run, or contradicts another. */
export function checkAnswers(plan: Pick<Plan, "questions">, chosen: Answers): void {
  for (const [id, answer] of Object.entries(chosen)) {
    const question = requireEntry(plan.questions, id, "There is no open question", "");
    const names = { ...question.answers, [defaultAnswer(question)]: {} } as PlanQuestion["answers"];
    const changes = requireEntry(
      names,
      answer,
      `${id} has no answer`,
      ` Possible are ${Object.keys(names).join("; ")}.`,
    );
    if ("cannot" in changes) throw new ControlError(`${id}=${answer} cannot be run: ${changes.cannot}`);
  }
  const values = new Map<string, { name: string; value: string }>();
  for (const [id, changes] of changesOfAnswers(plan, chosen)) {
    const name = `${id}=${chosen[id]}`;
    for (const [place, value] of leavesOf(changes)) {
      const other = values.get(place);
      if (other !== undefined && other.value !== value) {
        throw new ControlError(
          `${other.name} and ${name} contradict each other: ${place} cannot be both ${other.value} and ${value}.`,
        );
      }
      values.set(place, { name, value });
    }
  }
}

function requireEntry<Entry>(
  entries: Readonly<Record<string, Entry>>,
  name: string,
  problem: string,
  possible: string,
): Entry {
  if (Object.hasOwn(entries, name)) return entries[name] as Entry;
  const nearest = nearestName(name, Object.keys(entries));
  const hint = nearest === undefined ? "" : ` Did you mean ${nearest}?`;
  throw new ControlError(`${problem} ${JSON.stringify(name)}.${hint}${possible}`);
}

/** The values in nested objects, as JSON, each with its path. A list counts as one value, as does the change of one field of a body. */
function leavesOf(value: object, path: readonly string[] = []): [place: string, value: string][] {
  return Object.entries(value).flatMap(([name, part]): [string, string][] => {
    const here = [...path, name];
    const isWhole = typeof part !== "object" || part === null || Array.isArray(part) || isBodyChange(here);
    return isWhole ? [[here.join("."), JSON.stringify(part)]] : leavesOf(part, here);
  });
}

function isBodyChange([section, member, ...rest]: readonly string[]): boolean {
  return section === "shapes" && member === "bodies" && rest.length === 2;
}
