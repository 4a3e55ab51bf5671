import { playScenario } from "../../../scripts/mock/make-plan/scenario/play.ts";
import type { Plan } from "../../../scripts/mock/plan/plan.ts";
import { type Facts, stepsWithBodies } from "./facts.ts";

/** The differences, by operation and path or by webhook and time; or the error that stopped the scenario. */
export function scenarioDifferences(facts: Facts, plan: Plan): string[] {
  const timeline = stepsWithBodies(facts);
  try {
    const { responses, state } = playScenario(plan, timeline);
    const responseDifferences = responses.flatMap(({ step, status, body }) =>
      status === step.status
        ? differingPaths(body, step.response).map((path) => `${step.operation}${path}`)
        : [`${step.operation} ${step.at}: status ${status}`],
    );
    const sentEvents = state.events.map(({ webhook, body }) => ({ webhook, body: JSON.parse(body) }));
    const unsentSteps = timeline.filter(({ webhook, body }) => {
      const isSent = sentEvents.some(
        (event) => event.webhook === webhook && differingPaths(event.body, body).length === 0,
      );
      return webhook !== undefined && !isSent;
    });
    return [
      ...new Set([...responseDifferences, ...unsentSteps.map(({ webhook, at }) => `${webhook} ${at}: not sent`)]),
    ].sort();
  } catch (error) {
    return [`cannot be played: ${(error as Error).message}`];
  }
}

/** Ignores fields that the example does not have. */
function differingPaths(actual: unknown, expected: unknown, path = ""): string[] {
  if (typeof expected !== "object" || expected === null || typeof actual !== "object" || actual === null) {
    return Object.is(actual, expected) ? [] : [path];
  }
  if (path === "/cryptoBalances") {
    const balances = actual as { name: string }[];
    return (expected as { name: string }[]).flatMap((balance) =>
      differingPaths(
        balances.find(({ name }) => name === balance.name),
        balance,
        `${path}/${balance.name}`,
      ),
    );
  }
  const isList = Array.isArray(expected);
  if (isList && expected.length !== (actual as unknown[]).length) return [`${path} (length)`];
  return Object.entries(expected).flatMap(([name, value]) => {
    return differingPaths((actual as Record<string, unknown>)[name], value, `${path}/${isList ? "*" : name}`);
  });
}
