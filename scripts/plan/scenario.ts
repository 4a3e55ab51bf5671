/** The contract's scenario with the bodies that its steps name. */
import type { Body, Contract } from "../contract/index.ts";

interface Step {
  operation?: string;
  webhook?: string;
  /** Name of an example of the request body. */
  request?: string;
  body?: unknown;
  status?: number;
  /** Name of an example of the answer or the webhook. */
  example?: string;
  answer?: unknown;
}

/**
 * The scenario with the body of each example beside its name: `body` of a request or webhook, `answer` of an answer.
 *
 * @param scenario `openapi/scenario.yaml` as it was parsed; undefined where there is none.
 */
export function resolveScenario(scenario: unknown, contract: Contract): unknown {
  const { timeline } = (scenario ?? {}) as { timeline?: Step[] };
  if (timeline === undefined) return scenario;
  return { ...(scenario as object), timeline: timeline.map((step) => resolveStep(step, contract)) };
}

function resolveStep(step: Step, { operations, webhooks }: Contract): Step {
  const operation = operations.find(({ operationId }) => operationId === step.operation);
  const webhook = webhooks.find(({ name }) => name === step.webhook);
  const answer = operation?.answers.find(({ status }) => status === step.status);
  return {
    ...step,
    ...named("body", operation?.requestBody?.bodies, step.request),
    ...named("body", webhook?.requestBody?.bodies, step.example),
    ...named("answer", answer?.bodies, step.example),
  };
}

function named(key: "body" | "answer", bodies: Body[] | undefined, name: string | undefined): Partial<Step> {
  const found = bodies?.flatMap(({ examples }) => examples).find((example) => example.name === name);
  return found === undefined ? {} : { [key]: found.value };
}
