import type { Rule } from "../rule.ts";
import { isJson } from "../source-contract.ts";

export const webhookForm: Rule = {
  name: "webhook-form",
  states:
    "A webhook is a POST with a JSON body to a path on the partner's server, and is answered with 200 and a JSON object.",
  why: "The specification says so of all webhooks, and receivers are built on it.",
  wrong: `
put:
  summary: IBAN Status`,
  right: `
post:
  summary: IBAN Status
  x-webhook-path: { path: /iban-webhook }`,
  judge({ webhooks }, check) {
    for (const { label, method, place, path, requestBody, answers } of webhooks) {
      const remedy = "Write post: webhooks are POST requests";
      check(method === "post", place, `${label} is a ${method.toUpperCase()}`, remedy);
      check(path !== "", place, `${label} has no path on the partner's server`, "Add x-webhook-path with a path");
      check(
        requestBody?.bodies.some(({ mediaType }) => isJson(mediaType)) === true,
        requestBody?.place ?? place,
        `${label} has no JSON body`,
        "Describe the event under requestBody, in application/json",
      );
      const acknowledgement = answers.find(({ status }) => status === 200);
      const [body] = acknowledgement?.bodies ?? [];
      check(
        body !== undefined && isJson(body.mediaType) && body.schema.at("type").value === "object",
        acknowledgement?.place ?? place.own("responses"),
        `${label} is not answered with 200 and a JSON object`,
        'Describe "200" with application/json and type: object',
      );
    }
  },
};
