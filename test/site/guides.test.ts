import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { projectRoot } from "../../scripts/base/index.ts";
import { problemsOfGuides } from "../../scripts/site/check.ts";
import { fillParts, siteForm } from "../../scripts/site/content/guide-form.ts";
import { type Guide, readGuides, readSynonyms } from "../../scripts/site/content/guides.ts";
import { readJourneys } from "../../scripts/site/content/journeys.ts";
import { staleGuides } from "../../scripts/tools/build/guides.ts";
import { bundles, sources } from "../support/contract.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { smallSite } from "./small-document.ts";
import { site as wholeSite } from "./whole-site.ts";

test("the guides have no problems, unique titles, one-sentence summaries and single-word synonyms", () => {
  const { guides } = wholeSite;
  expect(problemsOfGuides(wholeSite)).toEqual([]);
  expect(new Set(guides.map(({ title }) => title)).size).toBe(guides.length);
  expect(guides.filter(({ summary }) => !/^[A-Z][^.]*\.$/.test(summary))).toEqual([]);
  expect(guides.flatMap(({ synonyms }) => synonyms).filter((word) => typeof word !== "string" || word === "")).toEqual(
    [],
  );
  // The title in the front matter becomes the first-level heading, so the text has no such heading.
  expect(guides.filter(({ text }) => /^# /m.test(text.replace(/^```[\s\S]*?^```$/gm, "")))).toEqual([]);
});

const site = smallSite();
const problemsIn = (text: string) =>
  problemsOfGuides({ ...site, guides: [{ ...(site.guides[0] as Guide), text, firstLine: 5 }] }).map(
    ({ file, line, message }) => `${file.slice(projectRoot.length + 1)}:${line}: ${message}`,
  );

describe("a guide", () => {
  it("can refer to everything that exists, and show anything as code", () => {
    const text =
      "## Pots\n\nSee [it](operation:getPot), [them](lifecycle:pot), [below](#pots), {mark:reference}.\n\n{{codes getPot}}\n\n`[x](nothing:y)`\n\n```ts\n// {{none}}\n```";
    expect(problemsIn(text)).toEqual([]);
  });

  it.each([
    ["[words](operation:getPott)", "There is no operation getPott. Correct the name in the link."],
    ["[words](lifecycle:none)", "There is no lifecycle none. Correct the name in the link."],
    ["[words](section:Errors)", "The link section:Errors leads to no page."],
    ["[words](#nowhere)", "There is no heading #nowhere in this guide."],
    ["{mark:guess}", "_(guess)_ is no mark."],
    ["`npm install partner-wallet-api-0.0.1.tgz`", "The package is installed by: npm install partner-wallet-api."],
    ["<!-- codes getPot -->", "A generated part has two lines"],
    ["{{tables}}", "There is no block tables."],
    ...[
      "codes getPott",
      "codes getPot getPott",
      "codes",
      "journey none",
      "values Pot",
      "lifecycle none",
      "questions Q-none",
      "policy SUPPORT None",
      "conditions payouts none",
      "lookup-table never none",
    ].map((call) => [`{{${call}}}`, `The block ${call.split(" ")[0]} cannot show "`]),
    [
      "{{journey pots.arazzo.yaml}}",
      'The block journey cannot show "pots.arazzo.yaml": the contract has no such thing. Known:',
    ],
    ["the code P999", "There is no P-code P999."],
    ["the code [P999](error:P999)", "There is no error P999. Correct the name in the link."],
    ["Text {{delivery}}", "A generated part stands alone"],
    ["{{delivery}}\nText", "A generated part stands alone"],
    ["## Pots", 'The heading "Pots" is in this guide twice.'],
  ])("is refused because of %s", (wrongText, problem) => {
    const foundProblems = problemsIn(`## Pots\n\n${wrongText}`);
    expect(foundProblems).toEqual([expect.stringContaining(`openapi/guides/pots.md:7: ${problem}`)]);
  });
});

test("a guide's links to files become links to pages, and its generated parts become calls, on the same lines", () => {
  const text = [
    "See [it](../paths/pot/getPot.yaml), [both](../paths/pot/a-b.yaml#b), [them](pots.md#more), `[x](pots.md)` _(proposed)_,",
    "[an event](../webhooks/potFilled.yaml), [why](../open-questions.yaml#Q-pots), [P433](../errors.yaml#P433).",
    "",
    "<!-- codes getPot b -->",
    "| a table |",
    "<!-- /codes -->",
    "",
    "The end.",
  ];
  const lines = siteForm(text.join("\n")).split("\n");
  expect(lines).toEqual([
    "See [it](operation:getPot), [both](operation:b), [them](guide:pots#more), `[x](pots.md)` {mark:proposed},",
    "[an event](webhook:potFilled), [why](question:Q-pots), [P433](error:P433).",
    ...["", "{{codes getPot b}}", "", "", "", "The end."],
  ]);
  expect(fillParts(text.join("\n"), (call) => call.toUpperCase())).toContain("-->\nCODES GETPOT B\n<!--");
});

test("the generated parts in the files are those of the contract", async () => {
  const input = { bundles: await bundles(), registers: sources.registers() };
  expect(Object.keys(await staleGuides(input)), 'Run "npm run guides" and commit these files').toEqual([]);
}, 120_000);

describe("the folder of the guides", () => {
  const folder = temporaryFolder();
  const guide = "---\ntitle: Pots\nsummary: About pots.\n---\n\nText.\n";
  const write = (list: string, text = guide) => {
    writeFileSync(join(folder, "guides.yaml"), list);
    writeFileSync(join(folder, "pots.md"), text);
  };

  it("is read with the line of each text", () => {
    write("- { group: Start, role: areas, guides: [pots] }");
    expect(readGuides(folder)).toMatchObject([
      { name: "pots", title: "Pots", group: "Start", role: "areas", text: "Text.", firstLine: 6 },
    ]);
  });

  it.each([
    ["a guide that is not listed", "- { group: Start, guides: [] }", guide, "does not list pots"],
    [
      "a guide without a file",
      "- { group: Start, guides: [pots, pans] }",
      guide,
      "lists pans, but there is no such file",
    ],
    ["another form of the list", "- { group: Start, guide: [pots] }", guide, "must be a list of"],
    ["an unknown role", "- { group: Start, role: area, guides: [pots] }", guide, "role: languages or areas"],
    ["no front matter", "- { group: Start, guides: [pots] }", "Text.", "does not begin with front matter"],
    [
      "an unknown key",
      "- { group: Start, guides: [pots] }",
      guide.replace("summary", "sumary"),
      "pots.md:3 has sumary. Known keys",
    ],
    [
      "front matter without a title",
      "- { group: Start, guides: [pots] }",
      guide.replace(/title.*\n/, ""),
      "pots.md:1 needs a title and a summary",
    ],
    [
      "synonyms that are no texts",
      "- { group: Start, guides: [pots] }",
      guide.replace("\n---\n\n", "\nsynonyms: [pan, 5]\n---\n\n"),
      "pots.md:4 has synonyms that are no list of texts",
    ],
    [
      "front matter that is no YAML",
      "- { group: Start, guides: [pots] }",
      guide.replace("summary:", "summary: a:"),
      "pots.md cannot be read: bad indentation of a mapping entry (3:",
    ],
  ])("is refused with %s", (_, list, text, problem) => {
    write(list, text);
    expect(() => readGuides(folder)).toThrow(problem);
  });

  it.each(["", "words: [a b]", "{ words: [5], pages: {}, notes: [], abbreviations: {} }"])(
    "has no list of synonyms of the form %j",
    (text) => {
      const file = join(folder, "synonyms.yaml");
      writeFileSync(file, text);
      expect(() => readSynonyms(file)).toThrow(`${file} must have words: [texts]`);
    },
  );

  it.each(["", "workflows: [{ workflowId: fill, summary: Fill, description: A pot., steps: [{ stepId: one }] }]"])(
    "has no journey of the form %j",
    (text) => {
      const file = join(folder, "pots.arazzo.yaml");
      writeFileSync(file, text);
      expect(() => readJourneys(folder)).toThrow(`${file} must have workflows`);
    },
  );
});
