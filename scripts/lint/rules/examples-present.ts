import type { Rule } from "../rule.ts";

/** Statuses that exclude a body. */
const withoutBody = ["204", "205", "304"];

/**
 * Every request body and every answer of the service has at least one named example, each with a summary and a value, and
 * every parameter has an example. What a partner answers to a webhook may be without body.
 *
 * Why: the docs show them, the mock answers with them, and the tests send them.
 */
export const examplesPresent: Rule = {
  name: "examples-present",
  judge(contract, check) {
    const describe = "Describe it under content, with examples";
    for (const { name, answers } of contract.operations) {
      for (const { status, place, media } of answers.filter((answer) => !withoutBody.includes(answer.status))) {
        check(media.length > 0, place, `The ${status} answer of ${name} has no body`, describe);
      }
    }
    for (const body of contract.nodes("RequestBody")) {
      check(body.at("content").entries().length > 0, body, "The request body is empty", describe);
    }
    for (const media of contract.nodes("MediaType")) {
      const examples = media.at("examples").entries();
      const remedy = "Add examples, each with a name, a summary and a value that looks like life";
      check(examples.length > 0, media, "The body has no named example", remedy);
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
        "Add example with a value that looks like life",
      );
    }
  },
};
