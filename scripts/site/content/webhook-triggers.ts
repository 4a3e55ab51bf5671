import {
  type Contract,
  type EventDefinition,
  type Operation,
  propertiesOf,
  type Resource,
  type State,
  stateOf,
  type Webhook,
} from "../../contract/model/index.ts";
import { bodiesOf } from "./subjects.ts";

export function triggersWebhook({ triggers }: Operation, { name }: Webhook): boolean {
  return triggers.some(({ webhook }) => webhook === name);
}

/** The event definition (`x-event`) of a webhook, and the resource and state that it reports. Lint ensures that they exist. */
export function reportOf({ event }: Webhook, { resources }: Contract) {
  const source = event as EventDefinition;
  const resource = resources.find(({ name }) => name === source.resource) as Resource;
  return { event: source, resource, state: stateOf(resource, source.state) as State };
}

/**
 * Whether a webhook reports a state change. False for a webhook that reports another external event, such as the webhook with a card's
 * code.
 */
export function reportsStateChange(webhook: Webhook, contract: Contract): boolean {
  const { event, resource, state } = reportOf(webhook, contract);
  const hasOtherEvents = resource.externalEvents.some(({ moves, creates }) => (moves ?? creates) === undefined);
  const isTriggered = contract.operations.some((operation) => triggersWebhook(operation, webhook));
  const fields = bodiesOf(webhook).flatMap(({ schema }) => [...propertiesOf(schema).keys()]);
  return !hasOtherEvents || isTriggered || fields.some((field) => (event.body[field] ?? field) === state.name);
}
