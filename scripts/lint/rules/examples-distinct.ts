import type { Rule } from "../rule.ts";

/**
 * The examples of an operation's request differ from each other, and so do those of its answers.
 *
 * Why: an example that repeats another one shows nothing and tests nothing.
 */
export const examplesDistinct: Rule = {
  name: "examples-distinct",
  judge({ operations, webhooks }, check) {
    for (const { name, requestBody, answers } of [...operations, ...webhooks]) {
      const sent = requestBody
        .at("content")
        .entries()
        .map(([, media]) => media);
      const answered = answers.flatMap(({ media }) => media.map(([, type]) => type));
      for (const bodies of [sent, answered]) {
        const seen = new Map<string, string>();
        for (const [title, example] of bodies.flatMap((media) => media.at("examples").entries())) {
          const value = example.at("value");
          const text = JSON.stringify(value.value);
          check(
            !seen.has(text),
            value,
            `The example "${title}" of ${name} repeats "${seen.get(text)}"`,
            "Give it values of its own, or remove it",
          );
          seen.set(text, title);
        }
      }
    }
  },
};
