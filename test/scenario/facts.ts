/** What the checks of the scenario work on: the plan of openapi/scenario.yaml and the examples of the edition `test`, as plain data. */
import {
  type Body,
  type Conditions,
  type Effect,
  type EventSource,
  type Operation,
  type Place,
  type Requirement,
  type Resource,
  readContract,
  type State,
  type Webhook,
} from "../../scripts/contract/index.ts";
import { documentOf, sources } from "../support/contract.ts";

/** Values by the name of the example. */
export type Examples = Record<string, unknown>;

type Plain<Type> = Omit<Type, "place">;

/** A step of the timeline, as it is written. */
export interface Step {
  at: string;
  operation?: string;
  webhook?: string;
  /** Something that happens outside, to the resource with the id. */
  happens?: string;
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

export interface OperationFacts {
  method: string;
  requests: Examples;
  /** By status. */
  answers: Record<string, Examples>;
  /** The example of each parameter, by name. */
  parameters: Record<string, unknown>;
  requires: Plain<Requirement>[];
  effects: Plain<Effect>[];
}

export interface WebhookFacts {
  events: Examples;
  event: Plain<EventSource> | undefined;
  dedupeKey: string[];
}

export interface ResourceFacts extends Plain<Omit<Resource, "states" | "outside">> {
  states: Plain<State>[];
  outside: Record<string, { creates: string | undefined; to: string[] }>;
}

export interface Facts {
  scenario: Scenario;
  operations: Record<string, OperationFacts>;
  webhooks: Record<string, WebhookFacts>;
  resources: Record<string, ResourceFacts>;
  conditions: Conditions;
}

/** The facts of the contract as it stands. */
export async function readFacts(): Promise<Facts> {
  const registers = sources.registers();
  const { operations, webhooks } = readContract(await documentOf("test"), registers);
  return structuredClone({
    scenario: sources.document(sources.layout.scenario).parsed as Scenario,
    operations: Object.fromEntries(operations.map((operation) => [operation.operationId, operationFacts(operation)])),
    webhooks: Object.fromEntries(webhooks.map((webhook) => [webhook.name, webhookFacts(webhook)])),
    resources: Object.fromEntries(registers.resources.map((resource) => [resource.name, resourceFacts(resource)])),
    conditions: registers.conditions,
  });
}

function operationFacts({ method, requestBody, answers, parameters, requires, effects }: Operation): OperationFacts {
  return {
    method,
    requests: examplesOf(requestBody?.bodies ?? []),
    answers: Object.fromEntries(answers.map(({ key, bodies }) => [key, examplesOf(bodies)])),
    parameters: Object.fromEntries(parameters.map(({ name, example }) => [name, example])),
    requires: requires.map(withoutPlace),
    effects: effects.map(withoutPlace),
  };
}

function webhookFacts({ requestBody, event, dedupeKey }: Webhook): WebhookFacts {
  return { events: examplesOf(requestBody?.bodies ?? []), event: event && withoutPlace(event), dedupeKey };
}

function resourceFacts(resource: Resource): ResourceFacts {
  return {
    ...withoutPlace(resource),
    states: resource.states.map(withoutPlace),
    outside: Object.fromEntries(resource.outside.map(({ name, creates, to }) => [name, { creates, to }])),
  };
}

function examplesOf(bodies: Body[]): Examples {
  const examples = bodies.flatMap((body) => body.examples);
  return Object.fromEntries(examples.map(({ name, value }) => [name, value]));
}

function withoutPlace<Entry extends { place: Place }>({ place: _, ...rest }: Entry): Plain<Entry> {
  return rest;
}
