import { HtmlValidate, StaticConfigLoader } from "html-validate";
import { expect, test } from "vitest";
import { renderedSite } from "../../site/rendered-site.ts";

const validator = new HtmlValidate(
  new StaticConfigLoader({
    root: true,
    extends: ["html-validate:recommended", "html-validate:a11y"],
    rules: {
      // The pages have these two styles. preact writes the second.
      "doctype-style": ["error", { style: "lowercase" }],
      "void-style": ["error", { style: "selfclosing" }],
      // The standard allows ids that begin with a digit, and an unescaped >.
      "valid-id": ["error", { relaxed: true }],
      "no-raw-characters": "off",
      // In the menu, the list of each group has an `aria-label`, because its title is outside of the list.
      "aria-label-misuse": ["error", { allowAnyNamable: true }],
      // A title may contain a long question.
      "long-title": "off",
    },
  }),
);

test("every page is valid HTML", async () => {
  const pages = Object.entries(await renderedSite()).filter(([path]) => path.endsWith(".html"));
  expect(pages.length).toBeGreaterThan(170);
  const complaints: string[] = [];
  for (const [index, [path, html]] of pages.entries()) {
    // The menu is checked once, because it is long and hardly differs between pages.
    const text = index === 0 ? String(html) : String(html).replace(/(<nav [^>]*id="pages"[^>]*>).*?(?=<\/nav>)/s, "$1");
    const { results } = await validator.validateString(text, path);
    for (const { messages } of results) {
      for (const { ruleId, message, line, column } of messages)
        complaints.push(`${path}:${line}:${column} ${ruleId}: ${message}`);
    }
  }
  expect(complaints).toEqual([]);
}, 300_000);
