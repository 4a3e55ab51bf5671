import { codeProperty, codeRefsOf, isCode, type Place } from "../../contract/index.ts";
import type { Check, Rule } from "../rule.ts";

export const codeExamples: Rule = {
  name: "code-examples",
  states:
    "The example of a P-code stands under `examples` in its error file and carries that code. An answer has one of its own, named after the code, only for a message that differs. No example is named after a code that the answer does not have.",
  why: "The bundle shows the example of the file in every answer that lists the code; a copy of it is a line that can go wrong and tells nothing.",
  wrong: `
# errors/P411.yaml has an example with the message "User exists"
oneOf:
  - $ref: ../../errors/P411.yaml
examples:
  P411:
    summary: User exists
    value: { errorCode: P411, errorMessage: User exists, timestamp: "2026-03-02T09:19:21.445Z" }`,
  right: `
# errors/P411.yaml has an example with the message "User exists"
oneOf:
  - $ref: ../../errors/P411.yaml`,
  judge(contract, check) {
    for (const file of contract.catalogue.filter(({ name }) => isCode(name))) {
      for (const example of file.own("examples").items()) judgeCarried(file.name, example, check);
    }
    for (const media of contract.nodes("MediaType")) {
      const refs = codeRefsOf(media.at("schema"));
      for (const [name, example] of media.at("examples").entries()) {
        if (!isCode(name)) continue;
        const ref = refs.find(({ code }) => code === name);
        check(
          ref !== undefined,
          example,
          `There is an example of ${name}, which is not a code of this answer`,
          `Remove the example, or add ${name} to the oneOf`,
        );
        if (ref === undefined) continue;
        judgeCarried(name, example.at("value"), check);
        const [general] = ref.place.at("examples").items();
        const message = example.at("value", "errorMessage");
        check(
          general === undefined || message.value !== general.own("errorMessage").value,
          message,
          `The example ${name} has the message of its error file`,
          "Remove the example: the bundle shows the one of the file",
        );
      }
    }
  },
};

function judgeCarried(code: string, example: Place, check: Check): void {
  const carried = example.own(codeProperty);
  check(
    carried.value === code,
    carried,
    `The example of ${code} carries the code ${carried.value}`,
    `Write ${code}, or move the example`,
  );
}
