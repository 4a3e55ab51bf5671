import { HtmlValidate, StaticConfigLoader } from "html-validate";

const validator = new HtmlValidate(
  new StaticConfigLoader({
    root: true,
    extends: ["html-validate:recommended", "html-validate:a11y"],
    rules: {
      // preact writes these two styles.
      "doctype-style": ["error", { style: "lowercase" }],
      "void-style": ["error", { style: "selfclosing" }],
      // The standard allows ids that begin with a digit, and an unescaped >.
      "valid-id": ["error", { relaxed: true }],
      "no-raw-characters": "off",
      // A list of links has a label if its heading is outside of the list.
      "aria-label-misuse": ["error", { allowAnyNamable: true }],
      // A title may contain a long question.
      "long-title": "off",
    },
  }),
);

export async function htmlComplaints(path: string, html: string): Promise<string[]> {
  const { results } = await validator.validateString(html, path);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line, column }) => `${path}:${line}:${column} ${ruleId}: ${message}`),
  );
}
