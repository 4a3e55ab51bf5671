import { propertiesOf, stateOf, type Webhook } from "../../contract/index.ts";
import { stateProblem, surenessProblem } from "../changes.ts";
import type { Check, Rule } from "../rule.ts";
import type { SourceContract } from "../source-contract.ts";

export const events: Rule = {
  name: "events",
  states:
    "Every webhook says in `x-event` which resource of resources.yaml it tells of and after which of its values it is sent. The mapping names fields of its body. It carries `provenance` where it names a value that is not final and the ways between the values are not as sure as the webhook. An operation triggers it, or something happens to the resource outside.",
  why: "The docs show when a webhook is sent, and a mock can send it; one that nothing leads to would never be seen.",
  wrong: `
x-event:
  resource: exchange
  after: [SUCCESSFUL, FAILED]`,
  right: `
x-event:
  resource: exchange
  after: [COMPLETED, FAILED]`,
  judge(contract, check) {
    for (const webhook of contract.webhooks) {
      const { label, place, event } = webhook;
      const remedy = "Add x-event with the resource and the values after which it is sent";
      check(event !== undefined, place, `${label} does not say what it tells of`, remedy);
      judgeEvent(webhook, contract, check);
      judgeMapping(webhook, check);
    }
  },
};

function judgeEvent(webhook: Webhook, { model, operations }: SourceContract, check: Check): void {
  const { label, name, event, provenance } = webhook;
  if (event === undefined) return;
  const { resource: resourceName, place } = event;
  const resource = model.resources.find((candidate) => candidate.name === resourceName);
  const remedy = "Name one of openapi/resources.yaml, or add it there";
  check(resource !== undefined, place, `There is no resource ${resourceName}`, remedy);
  if (resource === undefined) return;
  const isTriggered = operations.some(({ triggers }) => triggers.some((trigger) => trigger.webhook === name));
  check(
    isTriggered || resource.outside.length > 0,
    place,
    `Nothing leads to ${label}`,
    "Add it to x-triggers of an operation, or to resources.yaml what happens outside",
  );
  const state = stateOf(resource, event.state);
  check(state !== undefined, place, stateProblem(resource, event.state), "Name one state under `state`");
  // Which values are final is known without the ways that lead to them.
  const isFinal = event.after.every((value) => state?.moves.transitions[value] === undefined);
  const doubt = isFinal || provenance === undefined ? undefined : surenessProblem(model.resources, event, provenance);
  check(doubt === undefined, place, doubt ?? "", "Add `provenance` to x-event");
  // A status without values is reported by the rule `resources`.
  if (state === undefined || state.values.length === 0) return;
  for (const item of place.own("after").items()) {
    check(
      state.values.includes(String(item.value)),
      item,
      `${item.value} is no value of the ${state.name} of ${resource.name}`,
      `Name one of ${state.values.join(", ")}`,
    );
  }
}

function judgeMapping({ label, event, requestBody }: Webhook, check: Check): void {
  const fields = (requestBody?.bodies ?? []).flatMap(({ schema }) => [...propertiesOf(schema).keys()]);
  for (const [field, place] of event?.place.own("body").entries() ?? []) {
    const remedy = `Name one of ${fields.join(", ")}`;
    check(fields.includes(field), place, `The body of ${label} has no field ${field}`, remedy);
  }
}
