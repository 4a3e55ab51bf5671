/** What the checks of the scenario work on: the plan of openapi/scenario.yaml and the examples of the edition `test`, as plain data. */
import { type Body, readContract } from "../../scripts/contract/index.ts";
import { documentOf, sources } from "../support/contract.ts";

/** Values by the name of the example. */
export type Examples = Record<string, unknown>;

/** A step of the timeline, as it is written. */
export interface Step {
  at: string;
  operation?: string;
  webhook?: string;
  /** Something that happens outside, to the resource with the id. */
  event?: string;
  resource?: string;
  id?: string;
  path?: Record<string, string>;
  query?: Record<string, string>;
  /** The name of the example of the request, or the body itself. */
  request?: string;
  body?: Record<string, unknown>;
  status?: number;
  /** The name of the example of the answer or of the webhook, or the answer itself. */
  example?: string;
  answer?: unknown;
}

export interface Aside {
  operation?: string;
  webhook?: string;
  example: string;
  reason: string;
}

export interface Scenario {
  cast: { users: Record<string, { externalUserId: string }>; [kind: string]: unknown };
  timeline: Step[];
  asides: Aside[];
}

export interface Facts {
  scenario: Scenario;
  operations: Record<string, { requests: Examples /** By status. */; answers: Record<string, Examples> }>;
  webhooks: Record<string, { events: Examples; dedupeKey: string[] }>;
  /** The names of the external events of each resource. */
  externalEvents: Record<string, string[]>;
}

/** The facts of the contract as it stands. */
export async function readFacts(): Promise<Facts> {
  const registers = sources.registers();
  const { operations, webhooks } = readContract(await documentOf("test"), registers);
  return structuredClone({
    scenario: sources.document(sources.layout.scenario).parsed as Scenario,
    operations: Object.fromEntries(
      operations.map(({ operationId, requestBody, answers }) => [
        operationId,
        {
          requests: examplesOf(requestBody?.bodies ?? []),
          answers: Object.fromEntries(answers.map(({ key, bodies }) => [key, examplesOf(bodies)])),
        },
      ]),
    ),
    webhooks: Object.fromEntries(
      webhooks.map(({ name, requestBody, dedupeKey }) => [
        name,
        { events: examplesOf(requestBody?.bodies ?? []), dedupeKey },
      ]),
    ),
    externalEvents: Object.fromEntries(
      registers.resources.map((resource) => [resource.name, resource.externalEvents.map(({ name }) => name)]),
    ),
  });
}

function examplesOf(bodies: Body[]): Examples {
  const examples = bodies.flatMap((body) => body.examples);
  return Object.fromEntries(examples.map(({ name, value }) => [name, value]));
}
