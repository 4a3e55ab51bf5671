import { codeProperty, codeRefsOf, isCode } from "../../contract/index.ts";
import type { Rule } from "../rule.ts";

export const codeExamples: Rule = {
  name: "code-examples",
  states:
    "Each P-code of an answer has an example: one in the answer, named after the code, or `examples` in its error file. No example is named after a code that the answer does not have.",
  why: "The docs show these examples, and the mock answers with them when a code is asked for.",
  wrong: `
oneOf:
  - $ref: ../../errors/P411.yaml
examples:
  taken:
    summary: The externalUserId is taken
    value: { errorCode: P411, errorMessage: User already exists, timestamp: "2026-03-02T09:19:21.445Z" }`,
  right: `
oneOf:
  - $ref: ../../errors/P411.yaml
examples:
  P411:
    summary: The externalUserId is taken
    value: { errorCode: P411, errorMessage: User already exists, timestamp: "2026-03-02T09:19:21.445Z" }`,
  judge(contract, check) {
    for (const media of contract.nodes("MediaType")) {
      const refs = codeRefsOf(media.at("schema"));
      const codes = refs.map(({ code }) => code);
      const examples = media.at("examples");
      for (const { code, place } of refs) {
        check(
          examples.at(code).exists || place.at("examples").items().length > 0,
          examples.exists ? examples : media,
          `${code} has no example`,
          `Add an example named ${code}, with a message as this operation would give it, or examples to errors/${code}.yaml`,
        );
      }
      for (const [name, example] of examples.entries()) {
        if (!isCode(name)) continue;
        check(
          codes.includes(name),
          example,
          `There is an example of ${name}, which is not a code of this answer`,
          `Remove the example, or add ${name} to the oneOf`,
        );
        if (!codes.includes(name)) continue;
        const carried = example.at("value", codeProperty);
        check(
          carried.value === name,
          carried,
          `The example ${name} carries the code ${carried.value}`,
          `Write ${name}, or rename the example`,
        );
      }
    }
  },
};
