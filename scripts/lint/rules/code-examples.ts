import type { Rule } from "../rule.ts";
import { codePattern, codeProperty, codeRefsOf } from "../source-contract.ts";

/**
 * Each P-code of an answer has an example of its own, named after the code, and no example is named after a code that the
 * answer does not have.
 *
 * Why: the docs show these examples, and the mock answers with them when a code is asked for.
 */
export const codeExamples: Rule = {
  name: "code-examples",
  judge(contract, check) {
    for (const media of contract.nodes("MediaType")) {
      const codes = codeRefsOf(media.at("schema")).map(({ code }) => code);
      const examples = media.at("examples");
      for (const code of codes) {
        check(
          examples.at(code).exists,
          examples,
          `${code} has no example`,
          `Add an example named ${code}, with a message as this operation would give it`,
        );
      }
      for (const [name, example] of examples.entries()) {
        if (!codePattern.test(name)) continue;
        check(
          codes.includes(name),
          example,
          `There is an example of ${name}, which is not a code of this answer`,
          `Remove the example, or add ${name} to the oneOf and the mapping`,
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
