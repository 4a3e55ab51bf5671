import { found } from "../../base/index.ts";
import {
  type Contract,
  type EventDefinition,
  type Operation,
  propertiesOf,
  stateOf,
  type Webhook,
} from "../../contract/model/index.ts";
import { bodiesOf } from "./subjects.ts";

export function triggersWebhook({ triggers }: Operation, { name }: Webhook): boolean {
  return triggers.some(({ webhook }) => webhook === name);
}

export function eventOf({ name, event }: Webhook): EventDefinition {
  return found(event, `x-event of the webhook ${name}`);
}

/** Lint ensures that the resource and the state of `x-event` exist. */
export function reportOf(webhook: Webhook, { resources }: Contract) {
  const event = eventOf(webhook);
  const resource = found(
    resources.find(({ name }) => name === event.resource),
    `resource ${event.resource}`,
  );
  const state = found(stateOf(resource, event.state), `state ${event.state ?? ""} of the resource ${resource.name}`);
  return { event, resource, state };
}

/** False for a webhook that reports another external event, such as the webhook with a card's code. */
export function reportsStateChange(webhook: Webhook, contract: Contract): boolean {
  const { event, resource, state } = reportOf(webhook, contract);
  const hasOtherEvents = resource.externalEvents.some(({ moves, creates }) => (moves ?? creates) === undefined);
  const isTriggered = contract.operations.some((operation) => triggersWebhook(operation, webhook));
  const fields = bodiesOf(webhook).flatMap(({ schema }) => [...propertiesOf(schema).keys()]);
  return !hasOtherEvents || isTriggered || fields.some((field) => (event.body[field] ?? field) === state.name);
}
