import type { Rule } from "../rule.ts";

export const webhookDelivery: Rule = {
  name: "webhook-delivery",
  states:
    "`x-webhook-delivery` has one delay less than attempts, and no webhook has the path that the service asks whether the server is up.",
  why: "The docs and the mock tell from it when an event is delivered again, and the receiver answers the health path by itself.",
  wrong: `
x-webhook-delivery:
  attempts: 5
  delays: [8, 16, 32, 64, 128]`,
  right: `
x-webhook-delivery:
  attempts: 5
  delays: [8, 16, 32, 64]`,
  judge({ root, model, webhooks }, check) {
    const mark = root.own("x-webhook-delivery");
    const { delivery } = model;
    // Its form is judged by `extension-value`.
    if (delivery === undefined || !Array.isArray(delivery.delays)) return;
    const { attempts, delays, healthPath } = delivery;
    check(
      delays.length === attempts - 1,
      mark.own("delays"),
      `${attempts} attempts have ${attempts - 1} delays between them, not ${delays.length}`,
      "Correct attempts or delays",
    );
    for (const { label, path, place } of webhooks) {
      const holder = place.own("x-webhook-path", "path");
      check(path !== healthPath, holder, `${label} has the health path`, "Give it a path of its own");
    }
  },
};
