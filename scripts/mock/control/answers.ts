import { type Answers, checkAnswers, defaultAnswer } from "../answers/choice.ts";
import type { Tenant } from "../tenants/tenant.ts";

/** By the id of the question. `runs` is the answer with which the world runs. */
export function answersOf({ world: { plan, answers: chosenAnswers } }: Tenant): object {
  const entries = Object.entries(plan.questions).map(([id, question]) => {
    const defaultName = defaultAnswer(question);
    const answers = Object.entries({
      ...(defaultName in question.answers ? {} : { [defaultName]: {} }),
      ...question.answers,
    });
    const answerEntries = answers.map(([name, changes]) => {
      if ("cannot" in changes) return [name, { cannot: changes.cannot }];
      return [name, name === defaultName ? { runs: true, isDefault: true } : { runs: true }];
    });
    const { rank, question: text, assumption } = question;
    return [
      id,
      {
        rank,
        question: text,
        assumption,
        runs: chosenAnswers[id] ?? defaultName,
        answers: Object.fromEntries(answerEntries),
      },
    ];
  });
  return Object.fromEntries(entries);
}

/** The given answers replace all chosen ones. @returns as {@link answersOf}. */
export function chooseAnswers(tenant: Tenant, chosenAnswers: Answers): object {
  checkAnswers(tenant.world.plan, chosenAnswers);
  tenant.change((world) => world.chooseAnswers(chosenAnswers));
  return answersOf(tenant);
}
