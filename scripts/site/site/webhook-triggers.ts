/** Which operations trigger a webhook, and whether the webhook reports a state change, from x-event, x-triggers and resources.yaml. */
import { type Contract, type Operation, propertiesOf, type Webhook } from "../../contract/model/index.ts";

export function triggersWebhook({ triggers }: Operation, { name }: Webhook): boolean {
  return triggers.some(({ webhook }) => webhook === name);
}

/**
 * Whether a webhook reports a state change. False if all of this is true: its resource has external events that change no state, no
 * operation triggers the webhook, and its body has fields but does not contain the state. Example: a webhook with a card's code.
 */
export function reportsStateChange(webhook: Webhook, { operations, resources }: Contract): boolean {
  const { event, requestBody } = webhook;
  const resource = resources.find(({ name }) => name === event?.resource);
  if (event === undefined || resource === undefined) return true;
  const hasOther = resource.externalEvents.some(({ moves, creates }) => moves === undefined && creates === undefined);
  const isTriggered = operations.some((operation) => triggersWebhook(operation, webhook));
  const fields = (requestBody?.bodies ?? []).flatMap(({ schema }) => [...propertiesOf(schema).keys()]);
  const state = event.state ?? resource.states[0]?.name ?? "";
  const showsState = fields.some((field) => (event.body[field] ?? field) === state);
  return !hasOther || isTriggered || fields.length === 0 || showsState;
}
