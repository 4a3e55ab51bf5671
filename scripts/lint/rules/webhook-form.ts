import type { Rule } from "../rule.ts";
import { isJson } from "../source-contract.ts";

/**
 * A webhook is a POST with a JSON body to a path on the partner's server, and is answered with 200 and a JSON object.
 *
 * Why: the specification says so of all webhooks, and receivers are built on it.
 */
export const webhookForm: Rule = {
  name: "webhook-form",
  judge({ webhooks }, check) {
    for (const { name, method, place, requestBody, answers } of webhooks) {
      check(method === "post", place, `${name} is a ${method.toUpperCase()}`, "Write post: webhooks are POST requests");
      check(
        place.own("x-webhook-path").exists,
        place,
        `${name} has no path on the partner's server`,
        "Add x-webhook-path",
      );
      check(
        requestBody
          .at("content")
          .entries()
          .some(([type]) => isJson(type)),
        requestBody.exists ? requestBody : place,
        `${name} has no JSON body`,
        "Describe the event under requestBody, in application/json",
      );
      const acknowledgement = answers.find(({ status }) => status === "200");
      const [type, media] = acknowledgement?.media[0] ?? [];
      check(
        type !== undefined && isJson(type) && media?.at("schema", "type").value === "object",
        acknowledgement?.place ?? place.own("responses"),
        `${name} is not answered with 200 and a JSON object`,
        'Describe "200" with application/json and type: object',
      );
    }
  },
};
