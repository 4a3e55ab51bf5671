import { type Contract, type Body as ContractBody, readContract } from "../../../contract/model/index.ts";
import { bodyField } from "../../behaviours/documented.ts";
import { MockError } from "../../kernel/transactions.ts";
import type { Plan, PlanOperation } from "../../plan/plan.ts";
import type { AcceptedCall } from "../../tenants/act.ts";
import type { PlanSource } from "../plan-data.ts";

export type Body = Readonly<Record<string, unknown>>;

export interface Step {
  /** ISO 8601 in UTC with milliseconds. */
  readonly at: string;
  readonly operation?: string;
  readonly webhook?: string;
  readonly event?: string;
  readonly resource?: string;
  readonly id?: string;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly request?: string;
  readonly body?: Body;
  readonly status?: number;
  /** The name of the example that is the body of the response or the webhook. */
  readonly example?: string;
  readonly response?: unknown;
  readonly lasting?: boolean;
}

export function timelineOf({ document, registers }: PlanSource): readonly Step[] | undefined {
  const { timeline } = (registers?.scenario ?? {}) as { timeline?: readonly Step[] };
  if (timeline === undefined) return undefined;
  const contract = readContract(document, registers);
  return timeline.map((step) => withExamples(step, contract));
}

export function withExamples(step: Step, { operations, webhooks }: Contract): Step {
  const operation = operations.find(({ operationId }) => operationId === step.operation);
  const webhook = webhooks.find(({ name }) => name === step.webhook);
  const response = operation?.responses.find(({ status }) => status === step.status);
  return {
    ...step,
    ...exampleField("body", operation?.requestBody?.bodies, step.request),
    ...exampleField("body", webhook?.requestBody?.bodies, step.example),
    ...exampleField("response", response?.bodies, step.example),
  };
}

function exampleField(
  key: "body" | "response",
  bodies: ContractBody[] | undefined,
  name: string | undefined,
): Partial<Step> {
  const namedExample = bodies?.flatMap(({ examples }) => examples).find((example) => example.name === name);
  return namedExample === undefined ? {} : { [key]: namedExample.value };
}

export function assertComplete(timeline: readonly Step[]): void {
  const incompleteStep = timeline.find(({ operation, webhook, body, response }) => {
    return (operation !== undefined && response === undefined) || (webhook !== undefined && body === undefined);
  });
  if (incompleteStep === undefined) return;
  const name = incompleteStep.operation ?? incompleteStep.webhook;
  throw new MockError(`The scenario cannot be played: the example of ${name} is missing.`);
}

/** Reported in a webhook or, if no webhook reports the resource, in the response to a read operation. */
export interface StateAssertion {
  readonly index: number;
  readonly resource: string;
  readonly id: string;
  readonly state: string;
  readonly value: string;
  readonly body: Body;
}

export function assertionsIn(timeline: readonly Step[], plan: Plan): readonly StateAssertion[] {
  const webhookAssertions = timeline.flatMap((step, index) => assertionsInWebhook(step, index, plan));
  const ids = new Set(webhookAssertions.map(({ id }) => id));
  const responseAssertions = timeline
    .flatMap((step, index) => assertionsInResponse(step, index, plan))
    .filter(({ id }) => !ids.has(id));
  return [...webhookAssertions, ...responseAssertions].sort((a, b) => a.index - b.index);
}

function assertionsInWebhook(
  { webhook: name, body = {} }: Step,
  index: number,
  { resources, webhooks }: Plan,
): StateAssertion[] {
  const webhook = webhooks.find((candidate) => candidate.name === name);
  if (webhook === undefined) return [];
  const { resource, state, fields } = webhook;
  const id = body[bodyField(fields, resources[resource]?.id ?? "")];
  const value = body[bodyField(fields, state)];
  if (typeof id !== "string" || typeof value !== "string") return [];
  return [{ index, resource, id, state, value, body }];
}

function assertionsInResponse(
  { operation, path = {}, response }: Step,
  index: number,
  { resources }: Plan,
): StateAssertion[] {
  const value = (response as { status?: unknown } | undefined)?.status;
  if (!operation?.startsWith("get") || typeof value !== "string") return [];
  return Object.values(resources).flatMap(({ name, id: field, states }) => {
    const id = path[field];
    return id === undefined || states.status === undefined
      ? []
      : [{ index, resource: name, id, state: "status", value, body: response as Body }];
  });
}

const fileSize = 1024;

/** If the step has no query, each query parameter gets its documented example. */
export function callOf(
  operation: PlanOperation,
  { path, query, body }: { path: Step["path"] | undefined; query: Step["query"] | undefined; body: Body | undefined },
): AcceptedCall {
  const { fileParts = [], partTypes = {} } = operation.requestBody?.bodies[0] ?? {};
  const files = fileParts.flatMap((name) => {
    const names = [body?.[name] ?? []].flat() as string[];
    const contentType = partTypes[name]?.[0] ?? "image/jpeg";
    const uploadedFiles = names.map((fileName) => ({ fileName, contentType, size: fileSize }));
    return names.length === 0 ? [] : [[name, uploadedFiles] as const];
  });
  const amounts = Object.entries(body ?? {}).filter(([, value]) => /^-?\d+(\.\d+)?$/.test(String(value)));
  const parameters = operation.parameters.filter((parameter) => parameter.in === "query");
  return {
    operation,
    path: { ...path },
    query: query ?? Object.fromEntries(parameters.map(({ name, example }) => [name, String(example)])),
    body,
    amounts: Object.fromEntries(amounts.map(([name, value]) => [name, String(value)])),
    files: Object.fromEntries(files),
  };
}
