import type { Rule } from "../rule.ts";

export const apiKey: Rule = {
  name: "api-key",
  states:
    "Every operation requires the header `x-api-key` and no webhook does: the root requires it, no operation overrides that, and each webhook has a security of its own, which allows a call without any credential.",
  why: "The specification says so, and the client, the mock and the docs take it from the root. The token of webhooks is known from the public reference only, so that a receiver may not rely on it.",
  wrong: `
get:
  operationId: getKycStatus
  security: []`,
  right: `
get:
  operationId: getKycStatus`,
  judge({ root, operations, webhooks }, check) {
    const security = root.own("security");
    const schemes = security.items().flatMap((requirement) => requirement.entries().map(([name]) => name));
    const scheme = root.at("components", "securitySchemes", schemes[0] ?? "").target;
    check(
      security.items().length === 1 && schemes.length === 1,
      security.exists ? security : root,
      "The document does not require exactly one security scheme",
      "Write security with the one scheme of the API key",
    );
    check(
      scheme.own("type").value === "apiKey" &&
        scheme.own("in").value === "header" &&
        scheme.own("name").value === "x-api-key",
      scheme.exists ? scheme : root,
      "The security scheme is not the header x-api-key",
      "Give it type: apiKey, in: header and name: x-api-key",
    );
    for (const { label, place } of operations) {
      const own = place.own("security");
      check(
        !own.exists,
        own,
        `${label} has a security of its own`,
        "Remove it: the root requires x-api-key everywhere",
      );
    }
    for (const { label, place } of webhooks) {
      const own = place.own("security");
      const alternatives = own.items().map((requirement) => requirement.entries().map(([name]) => name));
      const remedy = "Write security: [{ webhookToken: [] }, {}]";
      check(
        own.exists && !alternatives.flat().some((name) => schemes.includes(name)),
        own.exists ? own : place,
        `${label} would require the partner's API key of the service`,
        remedy,
      );
      check(
        !own.exists || (alternatives.length > 1 && alternatives.some((names) => names.length === 0)),
        own,
        `The token of ${label} is not optional`,
        remedy,
      );
    }
  },
};
