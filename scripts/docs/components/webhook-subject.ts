/** What a webhook tells of. */
import { propertiesOf, type Webhook } from "../../contract/index.ts";
import type { SiteContent } from "../site/site.ts";

/**
 * Whether a webhook tells of a change of its resource. It does not where things happen to the resource that change nothing, no
 * operation leads to the webhook, and its body shows fields, but not the state: the code of a card, for example.
 */
export function tellsOfChange({ name, event, requestBody }: Webhook, { contract }: SiteContent): boolean {
  const resource = contract.resources.find((candidate) => candidate.name === event?.resource);
  if (event === undefined || resource === undefined) return true;
  const { operations } = contract;
  const hasOther = resource.outside.some(({ moves, creates }) => moves === undefined && creates === undefined);
  const isTriggered = operations.some(({ triggers }) => triggers.some(({ webhook }) => webhook === name));
  const fields = (requestBody?.bodies ?? []).flatMap(({ schema }) => [...propertiesOf(schema).keys()]);
  const state = event.state ?? resource.states[0]?.name ?? "";
  const showsState = fields.some((field) => (event.body[field] ?? field) === state);
  return !hasOther || isTriggered || fields.length === 0 || showsState;
}
