import { type Place, propertiesOf, stateOf, valuesFollowing, type Webhook } from "../../contract/index.ts";
import type { Rule } from "../rule.ts";
import type { SourceContract } from "../source-contract.ts";

export const dedupeKey: Rule = {
  name: "dedupe-key",
  states:
    "A dedupe key (`x-dedupe-key`) tells every event of a webhook from every other one: it holds the identifier of the resource and, where more than one event of a resource can be sent, its status. Where the resource can return to a status, or its next one has the same identifier, there is no key.",
  why: "Receivers drop what has the same key. With a key that two events share, the second event is lost.",
  wrong: `
# a deposit can wait for travel rule data, then for a verification, then for travel rule data again
x-event: { resource: cryptoDeposit, after: [WAITING_FOR_TR_DATA, WAITING_FOR_VERIFICATION] }
x-dedupe-key: { fields: [cryptoDepositId, status] }`,
  right: `
# a deposit can wait for travel rule data, then for a verification, then for travel rule data again
x-event: { resource: cryptoDeposit, after: [WAITING_FOR_TR_DATA, WAITING_FOR_VERIFICATION] }`,
  judge(contract, check) {
    for (const webhook of contract.webhooks) {
      const { label, dedupeKey: key, requestBody, place } = webhook;
      if (key.length === 0) continue;
      const mark = place.own("x-dedupe-key");
      const fields = (requestBody?.bodies ?? []).flatMap(({ schema }) => [...propertiesOf(schema).keys()]);
      for (const item of mark.own("fields").items()) {
        const problem = `The body of ${label} has no field ${item.value}`;
        check(fields.includes(String(item.value)), item, problem, "Name fields of the body");
      }
      const problem = keyProblem(webhook, contract, mark);
      check(problem === undefined, mark, problem ?? "", "Add what is missing, or remove the key");
    }
  },
};

/** Why a key does not tell two events apart, undefined when it does or when `events` reports the webhook. */
function keyProblem({ event, dedupeKey: key }: Webhook, { model }: SourceContract, mark: Place): string | undefined {
  const resource = model.resources.find(({ name }) => name === event?.resource);
  if (event === undefined || resource === undefined || !mark.exists) return undefined;
  const state = stateOf(resource, event.state);
  if (state === undefined || state.values.length === 0) return undefined;
  const carried = key.map((field) => event.body[field] ?? field);
  const { name, id, repeats } = resource;
  if (!carried.includes(id)) return `The key does not hold the identifier of the ${name}, ${id}`;
  if (repeats) return `The next ${name} has the same ${id}, so that its events would be taken for repetitions`;
  const next = new Map(event.after.map((value) => [value, valuesFollowing(state, value)]));
  const returning = event.after.find((value) => next.get(value)?.has(value));
  if (returning !== undefined) return `A ${name} can return to ${returning}, and the key would be the same again`;
  const isSentOnce = event.after.every((value) => event.after.every((other) => !next.get(value)?.has(other)));
  if (isSentOnce || carried.includes(state.name)) return undefined;
  return `More than one event of a ${name} is sent, and the key does not hold its ${state.name}`;
}
