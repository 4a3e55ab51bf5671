import { playScenario } from "../../../scripts/mock/make-plan/scenario/play.ts";
import type { Plan } from "../../../scripts/mock/plan/plan.ts";
import { type Facts, stepsWithBodies } from "./facts.ts";

/** The differences, by operation and path or by webhook and time; or the error that stopped the scenario. */
export function scenarioDifferences(facts: Facts, plan: Plan): string[] {
  const timeline = stepsWithBodies(facts);
  try {
    const { responses, state } = playScenario(plan, timeline);
    const inResponses = responses.flatMap(({ step, status, body }) =>
      status === step.status
        ? differing(body, step.response).map((place) => `${step.operation}${place}`)
        : [`${step.operation} ${step.at}: status ${status}`],
    );
    const sent = state.events.map(({ webhook, body }) => ({ webhook, body: JSON.parse(body) }));
    const unsent = timeline.filter(({ webhook, body }) => {
      const isSent = sent.some((event) => event.webhook === webhook && differing(event.body, body).length === 0);
      return webhook !== undefined && !isSent;
    });
    return [...new Set([...inResponses, ...unsent.map(({ webhook, at }) => `${webhook} ${at}: not sent`)])].sort();
  } catch (error) {
    return [`cannot be played: ${(error as Error).message}`];
  }
}

/** The paths at which a response differs from the example. Fields that the example does not have are ignored. */
function differing(answered: unknown, shown: unknown, place = ""): string[] {
  if (typeof shown !== "object" || shown === null || typeof answered !== "object" || answered === null) {
    return Object.is(answered, shown) ? [] : [place];
  }
  if (place === "/cryptoBalances") {
    const balances = answered as { name: string }[];
    return (shown as { name: string }[]).flatMap((balance) =>
      differing(
        balances.find(({ name }) => name === balance.name),
        balance,
        `${place}/${balance.name}`,
      ),
    );
  }
  const isList = Array.isArray(shown);
  if (isList && shown.length !== (answered as unknown[]).length) return [`${place} (length)`];
  return Object.entries(shown).flatMap(([name, value]) => {
    return differing((answered as Record<string, unknown>)[name], value, `${place}/${isList ? "*" : name}`);
  });
}
