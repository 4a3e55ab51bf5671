import type { Question } from "../plan/control.ts";
import { call } from "./call.ts";
import { createElement, note } from "./dom.ts";
import { type FormDescription, makeForm } from "./frame.ts";

export type Questions = Readonly<Record<string, Question>>;

/** The chosen answers that differ from the default, by the id of their question. */
export function chosenOf(questions: Questions): Record<string, string> {
  const changedQuestions = Object.entries(questions).filter(
    ([, { runs, answers }]) => answers[runs]?.isDefault !== true,
  );
  return Object.fromEntries(changedQuestions.map(([id, { runs }]) => [id, runs]));
}

async function choose(id: string, answer: string): Promise<void> {
  const questions = await call<Questions>("GET", "answers");
  const { [id]: _, ...otherAnswers } = chosenOf(questions);
  const isDefault = questions[id]?.answers[answer]?.isDefault === true;
  await call("PUT", "answers", isDefault ? otherAnswers : { ...otherAnswers, [id]: answer });
}

/** Questions are grouped by what a wrong assumption costs. */
export function answerForm(form: FormDescription, questions: Questions, onDone: () => Promise<void>): HTMLElement {
  const entries = Object.entries(questions);
  const questionSelect = createElement("select", { name: "question", ariaLabel: "Question" });
  for (const rank of new Set(entries.map(([, question]) => question.rank))) {
    const questionsOfRank = entries.filter(([, question]) => question.rank === rank);
    const options = questionsOfRank.map(([value, { question }]) => createElement("option", { value }, question));
    questionSelect.append(createElement("optgroup", { label: rank }, ...options));
  }
  const answerSelect = createElement("select", { name: "answer", ariaLabel: "Answer" });
  const explanation = createElement("div");
  const showAnswers = () => {
    const { assumption = "", answers = {} } = questions[questionSelect.value] ?? {};
    const options = Object.entries(answers).map(([value, { cannot, isDefault }]) => {
      const suffix = cannot === undefined ? (isDefault ? " (the default)" : "") : " (cannot be run)";
      return createElement("option", { value, disabled: cannot !== undefined }, `${value}${suffix}`);
    });
    answerSelect.replaceChildren(...options);
    answerSelect.value = Object.entries(answers).find(([, { runs, isDefault }]) => runs && !isDefault)?.[0] ?? "";
    const reasons = Object.entries(answers).flatMap(([name, { cannot }]) =>
      cannot ? [note(`${name}: ${cannot}`)] : [],
    );
    explanation.replaceChildren(note(`${questionSelect.value}. Assumed: ${assumption}`), ...reasons);
  };
  questionSelect.addEventListener("change", showAnswers);
  showAnswers();
  const labels = [questionSelect, answerSelect].map((input) =>
    createElement("label", {}, createElement("span", {}, input.name), input),
  );
  return makeForm(form, [...labels, explanation], onDone, () => choose(questionSelect.value, answerSelect.value));
}
