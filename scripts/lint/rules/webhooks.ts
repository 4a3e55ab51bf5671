import {
  deliveryEntry,
  isJsonType,
  propertiesOf,
  type Subject,
  stateOf,
  valuesFollowing,
  type Webhook,
} from "../../contract/model/index.ts";
import { type Judge, nameOneOf } from "../rule.ts";
import type { SourceContract } from "../source-contract.ts";

export const webhookRules: Record<string, Judge> = {
  "dedupe-key"(contract, check) {
    for (const webhook of contract.webhooks.filter(({ dedupeKey }) => dedupeKey.length > 0)) {
      const mark = webhook.location.child("x-dedupe-key");
      const fields = fieldsOf(webhook);
      for (const item of mark.child("fields").items()) {
        const problem = `The body of ${webhook.label} has no field ${item.value}`;
        check(fields.includes(String(item.value)), item, problem, "Name fields of the body");
      }
      check.problem(keyProblem(webhook, contract), mark, "Add the missing field, or remove the key");
    }
  },

  triggers({ operations, webhooks }, check) {
    const webhookNames = webhooks.map(({ name }) => name);
    for (const { label, effects, triggers } of operations) {
      for (const { webhook: key, location } of triggers) {
        const webhook = webhooks.find(({ name }) => name === key);
        check(webhook !== undefined, location, `There is no webhook ${key}`, nameOneOf(webhookNames));
        // The rule `events` reports a webhook without x-event.
        const resource = webhook?.event?.resource;
        if (resource === undefined) continue;
        check(
          effects.some((effect) => effect.resource === resource),
          location,
          `${label} triggers ${key}, which reports a ${resource}, but it neither creates nor changes one`,
          "Add the effect to x-effects, with `later: true` if it happens after the response, or remove the webhook",
        );
      }
    }
  },

  "webhook-delivery"({ files, delivery, webhooks }, check) {
    // The rule `register-form` reports malformed delivery data.
    if (delivery === undefined) return;
    const { attempts, delays, healthPath } = delivery;
    check(
      delays.length === attempts - 1,
      files.resources.child(deliveryEntry, "delays"),
      `${attempts} attempts have ${attempts - 1} delays between them, not ${delays.length}`,
      "Correct attempts or delays",
    );
    for (const { label, path, location } of webhooks) {
      const pathLocation = location.child("x-webhook-path", "path");
      check(path !== healthPath, pathLocation, `${label} has the health path`, "Give it a different path");
    }
  },

  "webhook-form"({ webhooks }, check) {
    for (const { label, method, location, path, requestBody, responses } of webhooks) {
      const remedy = "Use post: all webhooks are POST requests";
      check(method === "post", location, `${label} is a ${method.toUpperCase()}`, remedy);
      check(path !== "", location, `${label} has no path on the partner's server`, "Add x-webhook-path with a path");
      check(
        requestBody?.bodies.some(({ mediaType }) => isJsonType(mediaType)) === true,
        requestBody?.location ?? location,
        `${label} has no JSON body`,
        "Describe the event under requestBody, in application/json",
      );
      const acknowledgement = responses.find(({ status }) => status === 200);
      const [body] = acknowledgement?.bodies ?? [];
      check(
        body !== undefined && isJsonType(body.mediaType) && body.schema.at("type").value === "object",
        acknowledgement?.location ?? location.child("responses"),
        `${label} has no response 200 with a JSON object`,
        'Describe "200" with application/json and type: object',
      );
    }
  },

  "webhook-path"({ webhooks }, check) {
    for (const [index, { label, path, location }] of webhooks.entries()) {
      if (path === "") continue;
      const otherWebhook = webhooks.slice(0, index).find((other) => other.path === path);
      const problem = otherWebhook && `${label} has the same path as the webhook ${otherWebhook.name}`;
      check.problem(problem, location.child("x-webhook-path", "path"));
    }
  },
};

export function fieldsOf({ requestBody }: Subject): string[] {
  return (requestBody?.bodies ?? []).flatMap(({ schema }) => [...propertiesOf(schema).keys()]);
}

/**
 * Why two events can have the same `x-dedupe-key`; undefined if they cannot, or if the resource or state is unknown, which the rule
 * `events` reports.
 */
function keyProblem({ event, dedupeKey: key }: Webhook, { resources }: SourceContract): string | undefined {
  const resource = resources.find(({ name }) => name === event?.resource);
  if (event === undefined || resource === undefined) return undefined;
  const state = stateOf(resource, event.state);
  if (state === undefined || state.values.length === 0) return undefined;
  const members = key.map((field) => event.body[field] ?? field);
  const { name, id, hasUserId } = resource;
  if (!members.includes(id)) return `The key does not contain the identifier of the ${name}, ${id}`;
  if (hasUserId) return `The next ${name} has the same ${id}, so receivers would ignore its events as repetitions`;
  const nextValues = new Map(event.after.map((value) => [value, valuesFollowing(state, value)]));
  const returningValue = event.after.find((value) => nextValues.get(value)?.has(value));
  if (returningValue !== undefined)
    return `A ${name} can return to ${returningValue}, and the key would be the same again`;
  const isSentOnce = event.after.every((value) => event.after.every((other) => !nextValues.get(value)?.has(other)));
  if (isSentOnce || members.includes(state.name)) return undefined;
  return `More than one event of a ${name} is sent, and the key does not contain its ${state.name}`;
}
