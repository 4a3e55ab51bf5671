/** What makes HTML valid. */
import { HtmlValidate, StaticConfigLoader } from "html-validate";

const validator = new HtmlValidate(
  new StaticConfigLoader({
    root: true,
    extends: ["html-validate:recommended", "html-validate:a11y"],
    rules: {
      // As preact writes them.
      "doctype-style": ["error", { style: "lowercase" }],
      "void-style": ["error", { style: "selfclosing" }],
      // What the standard allows: an id that begins with a digit, and > as it is.
      "valid-id": ["error", { relaxed: true }],
      "no-raw-characters": "off",
      // A list of links has a name where its heading is not in it.
      "aria-label-misuse": ["error", { allowAnyNamable: true }],
      // A title names the subject, which can be a long question, and the interface.
      "long-title": "off",
    },
  }),
);

/** What is wrong with a page, as lines of text. */
export async function htmlComplaints(path: string, html: string): Promise<string[]> {
  const { results } = await validator.validateString(html, path);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line, column }) => `${path}:${line}:${column} ${ruleId}: ${message}`),
  );
}
