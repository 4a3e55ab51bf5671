/** The scenario played on the mock: what the mock answers and sends otherwise than the examples show. */

import { playScenario } from "../../../scripts/mock/make-plan/scenario/play.ts";
import type { Plan } from "../../../scripts/mock/plan/plan.ts";
import { type Facts, momentsOf } from "./facts.ts";

/** Differences by the operation and the place, or by the webhook and its time; and what stops the mock from going on. */
export function played(facts: Facts, plan: Plan): string[] {
  const timeline = momentsOf(facts);
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

/** The places in which a response is not as it is shown. Something that is shown without a field says nothing of it. */
function differing(answered: unknown, shown: unknown, place = ""): string[] {
  if (typeof shown !== "object" || shown === null || typeof answered !== "object" || answered === null) {
    return Object.is(answered, shown) ? [] : [place];
  }
  if (place === "/cryptoBalances") {
    // The mock knows more currencies than each balance of the scenario.
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
