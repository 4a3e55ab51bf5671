/** The checks of the docs can fail: each defect, seeded into a copy of the code that makes the pages, is noticed. */
import { afterAll, describe } from "vitest";
import { type Defect, expectNoticed, Mutants } from "../support/mutants.ts";
import { checks } from "./docs-checks.ts";

const mutants = new Mutants("scripts/docs");
afterAll(() => mutants.remove());

const defects: Record<keyof typeof checks, Defect[]> = {
  "the server sends the strict policy, whatever a page holds": [
    ["a page has no policy", "server/site-listener.ts", '"Content-Security-Policy": `', '"X-Policy": `'],
    ["what a page holds may run", "server/policy.ts", "style-src 'self'", "style-src 'self' 'unsafe-inline'"],
    ["other sites may show the page in a frame", "server/site-listener.ts", "; frame-ancestors 'none'", ""],
    ["every method is answered", "server/site-listener.ts", 'app.get("*",', 'app.all("*",'],
  ],
  "everything says where it comes from": [
    [
      "two kinds of provenance are mixed up",
      "components/marks.tsx",
      'long: "Seen in the public reference"',
      'long: "Stated in the specification"',
    ],
    [
      "the code of an operation has no mark",
      "components/code-table.tsx",
      "<WeakerMark provenance={own}",
      "<WeakerMark provenance={enclosing}",
    ],
    ["every code has the mark of its table", "components/effects.tsx", "effective === than ? null :", "false ? null :"],
    [
      "effects have no mark",
      "components/effects.tsx",
      "<WeakerMark provenance={effect.provenance} than={provenance} />",
      "",
    ],
    ["sensitive values have no mark", "components/marks.tsx", "      Sensitive\n", "      Value\n"],
  ],
  "pairs of operations and codes, and values, say where they come from": [
    [
      "the pair of a code and an operation has the mark of the operation",
      "components/code-pairs.ts",
      "weakest(provenance, markOn(place), markOn(place.target), ref.provenance)",
      "provenance",
    ],
    [
      "values have no mark",
      "components/known-values.tsx",
      "provenance !== undefined && <ProvenanceMark",
      "false && <ProvenanceMark",
    ],
  ],
  "links lead to what there is": [
    [
      "a link to nothing",
      "site/site.ts",
      "error: () => contract.errorCodes.some(({ code }) => code === name)",
      "error: () => true",
    ],
    ["a link within code", "text/links.ts", "index % 2 === 1", "false"],
    [
      "links of the guides are left as they are",
      "text/links.ts",
      ".map((part, index) => {",
      ".map((part, index) => {\nreturn part;",
    ],
    ["a question is on a page without anchor", "site/site.ts", ", anchor: name.toLowerCase() }", " }"],
  ],
  "text of the contract is shown as text": [
    ["HTML of the contract is used", "text/markdown.tsx", '.replaceAll("<", "&lt;"),', ","],
    ["code is used as HTML", "text/highlight.ts", '.replaceAll("<", "&lt;")', ""],
  ],
  "every open question is shown with its assumption": [
    ["the assumption is left out", "components/questions.tsx", "!isShown &&", "false &&"],
    ["the entry has no assumption", "pages/questions.tsx", "<dd>\n          <InlineProse text={assumption} />", "<dd>"],
    ["questions that nothing is marked with are listed", "site/marked-parts.ts", "marked.has(id)", "true"],
    ["the places of a question are left out", "site/question-places.ts", "parts: [...new Set(concerned)]", "parts: []"],
    ["an entry has no anchor", "pages/questions.tsx", "id={id.toLowerCase()}", ""],
  ],
};

describe.each(Object.entries(checks))("%s", (name, check) => {
  expectNoticed(mutants, check, defects[name as keyof typeof checks]);
});
