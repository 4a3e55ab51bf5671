import type { Rule } from "../rule.ts";

export const webhookPath: Rule = {
  name: "webhook-path",
  states: "No two webhooks have the same path in `x-webhook-path`.",
  why: "The receiver tells webhooks apart by their path: on one path, it would take an event for another kind of event.",
  wrong: `
kycFileAdded:
  x-webhook-path: { path: /webhook/kyc-verification/status }
kycVerificationStatus:
  x-webhook-path: { path: /webhook/kyc-verification/status }`,
  right: `
kycFileAdded:
  x-webhook-path: { path: /webhook/kyc-files/status }
kycVerificationStatus:
  x-webhook-path: { path: /webhook/kyc-verification/status }`,
  judge({ webhooks }, check) {
    for (const [index, { label, path, place }] of webhooks.entries()) {
      if (path === "") continue;
      const first = webhooks.slice(0, index).find((other) => other.path === path);
      check(
        first === undefined,
        place.own("x-webhook-path", "path"),
        `${label} has the same path as the webhook ${first?.name}`,
        "Give each webhook a path of its own",
      );
    }
  },
};
