import { deliveryEntry } from "../../contract/index.ts";
import type { Rule } from "../rule.ts";

export const webhookDelivery: Rule = {
  name: "webhook-delivery",
  states:
    "`webhookDelivery` in resources.yaml has one delay less than attempts, and no webhook has the path that the service asks whether the server is up.",
  why: "The docs and the mock tell from it when an event is delivered again, and the receiver answers the health path by itself.",
  wrong: `
webhookDelivery:
  attempts: 5
  delays: [8, 16, 32, 64, 128]`,
  right: `
webhookDelivery:
  attempts: 5
  delays: [8, 16, 32, 64]`,
  judge({ resources, model, webhooks }, check) {
    const { delivery } = model;
    // Its form is judged by `register-form`.
    if (delivery === undefined || !Array.isArray(delivery.delays)) return;
    const { attempts, delays, healthPath } = delivery;
    check(
      delays.length === attempts - 1,
      resources.own(deliveryEntry, "delays"),
      `${attempts} attempts have ${attempts - 1} delays between them, not ${delays.length}`,
      "Correct attempts or delays",
    );
    for (const { label, path, place } of webhooks) {
      const holder = place.own("x-webhook-path", "path");
      check(path !== healthPath, holder, `${label} has the health path`, "Give it a path of its own");
    }
  },
};
