/** Validates the HTML of the site. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { HtmlValidate, StaticConfigLoader } from "html-validate";
import { UsageError } from "../contract/index.ts";

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

/** Redocly makes it. */
const isSinglePage = (path: string) => /(^|\/)single-page\//.test(path);

/**
 * Validates every page of a built site but the single pages, which takes about half a minute.
 *
 * @param folder absolute path.
 * @returns what was validated, in words.
 * @throws {UsageError} with everything that is wrong, or when there is no page.
 */
export async function validateSite(folder: string): Promise<string> {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".html") && !isSinglePage(path),
  );
  if (paths.length === 0) throw new UsageError(`There is no page in ${folder}. Run "npm run build" first.`);
  const complaints: string[] = [];
  for (const path of paths.sort())
    complaints.push(...(await htmlComplaints(path, readFileSync(join(folder, path), "utf8"))));
  if (complaints.length > 0) throw new UsageError(`The HTML of the site is not valid:\n${complaints.join("\n")}`);
  return `${paths.length} pages are valid HTML`;
}
