/** The checks of the docs can fail: each defect, seeded into a copy of the code that makes the pages, is noticed. */
import { afterAll, describe } from "vitest";
import { type Defect, expectNoticed, Mutants } from "../support/mutants.ts";
import { checks } from "./docs-checks.ts";

const mutants = new Mutants("scripts/docs");
afterAll(() => mutants.remove());

const defects: Record<keyof typeof checks, Defect[]> = {
  "a page runs its own script only and connects to nothing": [
    ["everything may be loaded", "page.ts", `"default-src 'none'"`, '"default-src *"'],
    ["every script may run", "page.ts", 'hashes.join(" ")', `"'unsafe-inline'"`],
    ["the hash is that of the page", "page.ts", ".update(text)", ".update(html)"],
    [
      "the logo is loaded",
      "page.ts",
      "return addPolicy(linkWithinPage(withoutLogo));",
      "return addPolicy(linkWithinPage(html));",
    ],
    ["a script of another host is let through", "page.ts", "if (outside !== undefined)", "if (false)"],
    [
      "the telemetry of readers is let through",
      "page.ts",
      "if (!html.includes('\"disableTelemetry\":true'))",
      "if (false)",
    ],
    ["links leave the page", "page.ts", "' href=\"#/'", "' href=\"/'"],
  ],
  "the server sends the policy of the page, and one that allows nothing with everything else": [
    ["a page has no policy", "site-server.ts", 'extname(file) === ".html" ?', 'extname(file) === ".htm" ?'],
    ["other sites may show the page in a frame", "site-server.ts", "; frame-ancestors 'none'", ""],
    ["every method is answered", "site-server.ts", 'request.method !== "GET"', "false"],
  ],
  "everything says where it comes from": [
    [
      "two kinds of provenance are mixed up",
      "markdown.ts",
      'reference: "Seen in the public reference"',
      'reference: "Stated in the specification"',
    ],
    ["fields have no mark", "notes.ts", 'own === undefined || own === "specification" ? []', "true ? []"],
    ["values have no mark", "notes.ts", "provenance === undefined ? words : ", "true ? words : "],
    ["parts are not named", "marked-parts.ts", "path.length === 0 ? where : ", "true ? where : "],
  ],
  "links lead to what the page has": [
    ["a link to nothing", "links.ts", "codes.has(code) ? [errorsSection, code] : undefined", "[errorsSection, code]"],
    ["an address in capitals", "links.ts", "part.toLowerCase()", "part"],
    ["a link within code", "links.ts", "index % 2 === 1 ? part : ", ""],
    [
      "links of the guides are left as they are",
      "annotate.ts",
      "linkText(sources.guides, context.links)",
      "sources.guides",
    ],
  ],
  "text of the contract is shown as text": [
    ["HTML of the contract is used", "markdown.ts", 'part.replaceAll("<", "&lt;")', "part"],
    ["a line of a table is broken", "markdown.ts", '.replaceAll("|", "\\\\|")', ""],
  ],
  "every open question is shown with its assumption": [
    ["the assumption is left out", "notes.ts", " _Assumption:_ ", " "],
    ["questions that nothing is marked with are listed", "marked-parts.ts", "marked.has(id)", "true"],
    [
      "the questions on the whole interface are left out",
      "annotate.ts",
      "siteLinks, document.info.description, general, guides",
      "siteLinks, document.info.description, guides",
    ],
  ],
};

describe.each(Object.entries(checks))("%s", (name, check) => {
  expectNoticed(mutants, check, defects[name as keyof typeof checks]);
});
