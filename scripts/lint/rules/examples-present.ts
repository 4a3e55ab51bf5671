import { codeRefsOf } from "../../contract/index.ts";
import type { Rule } from "../rule.ts";

/** Statuses that exclude a body. */
const withoutBody = [204, 205, 304];

export const examplesPresent: Rule = {
  name: "examples-present",
  states:
    "Every request body and every answer of the service has at least one named example, each with a summary and a value, and every parameter has an example. A partner may answer a webhook without a body. `code-examples` judges answers with P-codes.",
  why: "The docs show the examples, the mock answers with them, and the tests send them.",
  wrong: `
name: externalUserId
in: path
required: true
schema:
  type: string`,
  right: `
name: externalUserId
in: path
required: true
schema:
  type: string
example: user-1042`,
  judge(contract, check) {
    const describe = "Describe it under content, with examples";
    for (const { label, answers } of contract.operations) {
      for (const { key, place, bodies } of answers.filter(({ status }) => !withoutBody.includes(status))) {
        check(bodies.length > 0, place, `The ${key} answer of ${label} has no body`, describe);
      }
    }
    for (const body of contract.nodes("RequestBody")) {
      check(body.at("content").entries().length > 0, body, "The request body is empty", describe);
    }
    for (const media of contract.nodes("MediaType")) {
      const examples = media.at("examples").entries();
      check(
        examples.length > 0 || codeRefsOf(media.at("schema")).length > 0,
        media,
        "The body has no named example",
        "Add examples, each with a name, a summary and a realistic value",
      );
      for (const [name, example] of examples) {
        for (const part of ["summary", "value"]) {
          check(example.at(part).exists, example, `The example "${name}" has no ${part}`, `Add ${part}`);
        }
      }
    }
    for (const parameter of contract.nodes("Parameter")) {
      check(
        parameter.own("example").exists || parameter.at("examples").entries().length > 0,
        parameter.own("name"),
        `The parameter ${parameter.own("name").value} has no example`,
        "Add example with a realistic value",
      );
    }
  },
};
