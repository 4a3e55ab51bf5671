import { type Answers, checkAnswers, defaultAnswer } from "../answers/choice.ts";
import type { Tenant } from "../tenants/tenant.ts";

/** The open questions by id, each with the answer with which the world runs (`runs`) and all its answers. */
export function answersOf({ world: { plan, answers: chosen } }: Tenant): object {
  const entries = Object.entries(plan.questions).map(([id, question]) => {
    const defaultName = defaultAnswer(question);
    const answers = Object.entries({
      ...(defaultName in question.answers ? {} : { [defaultName]: {} }),
      ...question.answers,
    });
    const answerEntries = answers.map(([name, world]) => {
      if ("cannot" in world) return [name, { cannot: world.cannot }];
      return [name, name === defaultName ? { runs: true, isDefault: true } : { runs: true }];
    });
    const { rank, question: text, assumption } = question;
    return [
      id,
      { rank, question: text, assumption, runs: chosen[id] ?? defaultName, answers: Object.fromEntries(answerEntries) },
    ];
  });
  return Object.fromEntries(entries);
}

/** Replaces all chosen answers. @returns the open questions, as {@link answersOf} does. */
export function chooseAnswers(tenant: Tenant, chosen: Answers): object {
  checkAnswers(tenant.world.plan, chosen);
  tenant.change((world) => world.chooseAnswers(chosen));
  return answersOf(tenant);
}
