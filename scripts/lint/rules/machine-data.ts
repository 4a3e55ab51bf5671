import {
  type Body,
  type Effect,
  finalValues,
  type Operation,
  type Provenance,
  parseExpression,
  propertiesOf,
  type Resource,
  type SourceLocation,
  type State,
  stateOf,
  valuesFollowing,
  type Webhook,
  weakestProvenance,
} from "../../contract/model/index.ts";
import { type Check, type Judge, nameOneOf } from "../rule.ts";
import type { SourceContract } from "../source-contract.ts";
import { fieldsOf } from "./webhooks.ts";

export const machineDataRules: Record<string, Judge> = {
  effects({ operations, resources }, check) {
    for (const operation of operations) {
      for (const effect of operation.effects) {
        const { location, to, id } = effect;
        check.problem(
          changeProblem(resources, effect),
          location,
          "Use a resource, a state and values of openapi/resources.yaml",
        );
        const problem = to.length === 0 ? undefined : provenanceProblem(resources, effect, operation.provenance);
        check.problem(problem, location, "Add `provenance` to the effect");
        check.problem(
          expressionProblem(operation, id),
          location.child("id"),
          "Use an expression for the identifier of the resource",
        );
      }
    }
  },

  events(contract, check) {
    for (const webhook of contract.webhooks) {
      const { label, location, event } = webhook;
      const remedy = "Add x-event with the resource and the values after which it is sent";
      check(location.child("x-event").exists, location, `${label} has no x-event`, remedy);
      judgeEvent(webhook, contract, check);
      const fields = fieldsOf(webhook);
      for (const [field, resourceField] of event?.location.child("body").entries() ?? []) {
        const problem = `The body of ${label} has no field ${field}`;
        check(fields.includes(field), resourceField, problem, nameOneOf(fields));
      }
    }
  },

  "scenario-samples"({ files, operations }, check) {
    for (const sample of files.scenario.at("samples").items()) judgeSample(sample, operations, check);
  },

  "scenario-steps"(contract, check) {
    for (const step of contract.files.scenario.at("timeline").items()) judgeStep(step, contract, check);
  },

  resources({ resources, operations }, check) {
    const operationIds = operations.map(({ operationId }) => operationId);
    for (const { states, externalEvents, location } of resources) {
      for (const item of location.child("details").items()) {
        const problem = `There is no operation ${item.value}`;
        check(operationIds.includes(String(item.value)), item, problem, "Name the operationId of a lookup");
      }
      for (const state of states) judgeState(state, check);
      for (const { creates, moves, state, from, to, location: entry } of externalEvents) {
        const resource = creates ?? moves;
        if (resource === undefined) continue;
        const change = { kind: creates === undefined ? "moves" : "creates", resource, state, from, to } as const;
        check.problem(changeProblem(resources, change), entry, "Correct the entry, or the states of the resource");
      }
    }
  },
};

function judgeStep(step: SourceLocation, { operations, webhooks, resources }: SourceContract, check: Check): void {
  // The rule `register-form` reports a step without value.
  const { operation: operationId, webhook: name, resource: resourceName } = Object(step.value);
  const operation = operations.find((candidate) => candidate.operationId === operationId);
  const webhook = webhooks.find((candidate) => candidate.name === name);
  const resource = resources.find((candidate) => candidate.name === resourceName);
  const givenNames = [operationId, name, step.child("event").value].filter((given) => given !== undefined);
  check(givenNames.length === 1, step, "A step is one operation, one webhook or one external event");
  const response = operation?.responses.find(({ status }) => status === step.child("status").value);
  const knownValues: Record<string, string[]> = {
    operation: operations.map((candidate) => candidate.operationId),
    webhook: webhooks.map((candidate) => candidate.name),
    event: resource?.externalEvents.map((event) => event.name) ?? [],
    resource: resources.map((candidate) => candidate.name),
    status: operation?.responses.map(({ key }) => key) ?? [],
    request: exampleNamesOf(operation?.requestBody?.bodies),
    example: [...exampleNamesOf(response?.bodies ?? webhook?.requestBody?.bodies), ...(response?.codes ?? [])],
  };
  for (const [key, values] of Object.entries(knownValues)) {
    const value = step.child(key);
    const problem = `There is no ${key} ${value.value} for this step`;
    if (!value.exists || values.length === 0) continue;
    check(values.includes(String(value.value)), value, problem, nameOneOf(values));
  }
}

function exampleNamesOf(bodies: readonly Body[] = []): string[] {
  return bodies.flatMap(({ examples }) => examples.map(({ name }) => name));
}

function judgeSample(sample: SourceLocation, operations: readonly Operation[], check: Check): void {
  const [id, request] = [sample.child("operation"), sample.child("request")];
  const operation = operations.find(({ operationId }) => operationId === id.value);
  check(operation !== undefined, id, `There is no operation ${id.value}`, "Name the operationId of an operation");
  if (operation === undefined) return;
  const { label, parameters, requestBody } = operation;
  const exampleNames = exampleNamesOf(requestBody?.bodies);
  const problem = `The request of ${label} has no example ${request.value}`;
  check(!request.exists || exampleNames.includes(String(request.value)), request, problem, nameOneOf(exampleNames));
  const body = sample.child("body");
  const hasExample = !body.exists || exampleNames.length > 0;
  check(hasExample, body, `The request of ${label} has no example whose values could be replaced`, "Leave it out");
  const pathParameters = parameters.flatMap(({ name, in: place }) => (place === "path" ? [name] : []));
  for (const [key, kind, names] of [
    ["path", "path parameter", pathParameters],
    ["body", "field", fieldsOf(operation)],
  ] as const)
    for (const [name, value] of sample.child(key).entries())
      check(names.includes(name), value, `The request of ${label} has no ${kind} ${name}`, nameOneOf(names));
}

function judgeEvent(webhook: Webhook, { resources, operations }: SourceContract, check: Check): void {
  const { label, name, event, provenance } = webhook;
  if (event === undefined) return;
  const { location, after } = event;
  const resource = resources.find((candidate) => candidate.name === event.resource);
  const remedy = "Name a resource of openapi/resources.yaml, or add it there";
  check(resource !== undefined, location, `There is no resource ${event.resource}`, remedy);
  if (resource === undefined) return;
  const isTriggered = operations.some(({ triggers }) => triggers.some((trigger) => trigger.webhook === name));
  check(
    isTriggered || resource.externalEvents.length > 0,
    location,
    `No operation or external event triggers ${label}`,
    "Add it to x-triggers of an operation, or add an external event to resources.yaml",
  );
  const state = stateOf(resource, event.state);
  check(state !== undefined, location, stateProblem(resource, event.state), "Name one state under `state`");
  const finals = state === undefined ? [] : finalValues(state);
  const isFinal = after.every((value) => finals.includes(value));
  const problem = isFinal ? undefined : provenanceProblem(resources, event, provenance);
  check.problem(problem, location, "Add `provenance` to x-event");
  // The rule `resources` reports a status without values.
  if (state === undefined || state.values.length === 0) return;
  for (const item of location.child("after").items()) {
    const problem = `${item.value} is not a value of the ${state.name} of ${resource.name}`;
    check(state.values.includes(String(item.value)), item, problem, `Name one of ${state.values.join(", ")}`);
  }
}

function judgeState(state: State, check: Check): void {
  const { name, schema, values, lifecycle, successValues, location } = state;
  const schemaLocation = location.child("schema");
  const remedy = "Name the file of a status with x-open-enum, relative to openapi/";
  check(values.length > 0, schemaLocation, `There is no status with known values in ${schemaLocation.value}`, remedy);
  if (values.length === 0) return;
  const reachedValues = new Set(
    lifecycle.initial.flatMap((value) => [value, ...valuesFollowing({ lifecycle }, value)]),
  );
  const namedValues = new Set([
    ...reachedValues,
    ...Object.entries(lifecycle.transitions).flatMap(([from, next]) => [from, ...next]),
  ]);
  for (const value of namedValues) {
    const problem = `${value} is not a known value of ${schema}`;
    check(values.includes(value), location, problem, "Correct it, or add it to x-open-enum of the schema");
  }
  const finals = finalValues(state);
  const isComplete = schema === undefined || finals.length < 2 || successValues.length > 0;
  check(isComplete, location, `${name} does not say which of ${finals.join(", ")} are a success`, "Add `succeeds`");
  for (const value of successValues) {
    const problem = `${value} is not a final value of ${name}`;
    check(finals.includes(value), location.child("succeeds"), problem, nameOneOf(finals));
  }
  // An unknown value can make other values unreachable, so unreachable values are reported only if all values are known.
  if ([...namedValues].some((value) => !values.includes(value))) return;
  for (const value of values) {
    const problem = `The value ${value} of ${name} cannot be reached`;
    check(reachedValues.has(value), location, problem, "Add it to initial or to the transitions of another value");
  }
}

function changeProblem(
  resources: Resource[],
  { kind, resource: name, state: stateName, from, to }: Pick<Effect, "kind" | "resource" | "state" | "from" | "to">,
): string | undefined {
  const resource = resources.find((candidate) => candidate.name === name);
  if (resource === undefined) return `There is no resource ${name}`;
  // Without `to`, each state of a new resource gets its initial value, so there is no value to check.
  if (kind === "creates" && to.length === 0) return undefined;
  const state = stateOf(resource, stateName);
  if (state === undefined) return stateProblem(resource, stateName);
  const problems = to.map((value) => valueProblem(resource, state, kind, value));
  const unreachedValues = from.filter(
    (value) => !to.some((next) => state.lifecycle.transitions[value]?.includes(next)),
  );
  const sourceProblems = unreachedValues.map(
    (value) => `The ${name} has no transition from ${value} to ${to.join(" or ")}`,
  );
  return [...problems, ...sourceProblems].find((problem) => problem !== undefined);
}

function provenanceProblem(
  resources: Resource[],
  element: { resource: string; state: string | undefined; provenance: Provenance | undefined },
  enclosingProvenance: Provenance | undefined,
): string | undefined {
  const resource = resources.find(({ name }) => name === element.resource);
  const state = resource && stateOf(resource, element.state);
  if (enclosingProvenance === undefined || state === undefined) return undefined;
  const effectiveProvenance = weakestProvenance(enclosingProvenance, element.provenance);
  if (weakestProvenance(effectiveProvenance, state.provenance) === effectiveProvenance) return undefined;
  return `Its provenance is ${effectiveProvenance}, but the transitions of the ${state.name} of ${element.resource} are ${state.provenance}`;
}

function stateProblem({ name, states }: Resource, state: string | undefined): string {
  const names = states.map((knownState) => knownState.name).join(", ");
  return state === undefined
    ? `The resource ${name} has several states, and none is named: ${names}`
    : `The resource ${name} has no state ${state}; its states are ${names}`;
}

function valueProblem({ name }: Resource, state: State, kind: Effect["kind"], value: string): string | undefined {
  const subject = state.name === "status" ? name : `${state.name} of ${name}`;
  if (state.values.length === 0) return undefined;
  if (!state.values.includes(value))
    return `${value} is not a value of the ${subject}; its values are ${state.values.join(", ")}`;
  if (kind === "creates" && !state.lifecycle.initial.includes(value))
    return `${value} is not an initial value of the ${subject}`;
  if (kind === "moves" && !Object.values(state.lifecycle.transitions).flat().includes(value))
    return `No transition of the ${subject} ends in ${value}`;
  return undefined;
}

export function expressionProblem(operation: Operation, text: string): string | undefined {
  const { label, parameters, requestBody, responses } = operation;
  const expression = parseExpression(text);
  // The rule `extension-value` reports a malformed expression.
  if (expression === undefined) return undefined;
  const { source, name } = expression;
  const hasField = (bodies: Body[]) => bodies.some(({ schema }) => propertiesOf(schema).has(name));
  if (source === "request") {
    return hasField(requestBody?.bodies ?? []) ? undefined : `The request body of ${label} has no field ${name}`;
  }
  if (source === "response") {
    const successes = responses.filter(({ key }) => key.startsWith("2"));
    const exists = successes.some(({ bodies }) => hasField(bodies));
    return exists ? undefined : `No success response of ${label} has a field ${name}`;
  }
  const exists = parameters.some((parameter) => parameter.in === source && parameter.name === name);
  return exists ? undefined : `${label} has no parameter ${name} in its ${source}`;
}
