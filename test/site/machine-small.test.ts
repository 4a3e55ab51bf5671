import { describe, expect, test } from "vitest";
import type { Effect, Operation, Resource, State } from "../../scripts/contract/model/index.ts";
import type { SitePage } from "../../scripts/site/components/site-page.ts";
import { readSynonyms } from "../../scripts/site/content/guides.ts";
import { type Cause, causesOf, transitionsOf } from "../../scripts/site/content/lifecycle-data.ts";
import { pathOf } from "../../scripts/site/content/pages.ts";
import { drawLifecycle } from "../../scripts/site/diagrams/lifecycle-layout.ts";
import { breakValue, widthOf, wrapWords } from "../../scripts/site/diagrams/text-size.ts";
import { joinTexts, maxCharacters } from "../../scripts/site/machine/llms.ts";
import { renderMarkdownPages } from "../../scripts/site/machine/markdown-pages.ts";
import { openapiSlices } from "../../scripts/site/machine/openapi-slices.ts";
import { parsePages } from "../../scripts/site/machine/parsed-html.ts";
import { pagesOf } from "../../scripts/site/pages/index.ts";
import { makeSearchIndex } from "../../scripts/site/search/search-index.ts";
import { smallDocument, smallSite } from "./small-document.ts";

test("the OpenAPI document of an operation has what the operation refers to, and nothing else", () => {
  const document = smallDocument();
  const getOperation = document.paths["/pots/{potId}"]?.get;
  Object.assign(Object(getOperation?.responses["200"]), { links: { again: { operationId: "getPot" } }, example: null });
  const schemas = Object(document.components?.schemas);
  schemas.PotId.description = "A text that names #/components/schemas/Shelf";
  Object.assign(schemas.Pot.properties, { inner: { $ref: "#/components/schemas/Pot" } });
  schemas.Shelf = { type: "object" };
  Object.assign(document, { tags: [...(document.tags ?? []), { name: "Shop" }] });
  Object.assign(document.components as object, { securitySchemes: { apiKey: { type: "apiKey" } } });
  const operation = { operationId: "getPot", path: "/pots/{potId}", method: "get", tag: "Garden pots" } as const;
  const files = openapiSlices(document, [operation]);
  expect(Object.keys(files)).toEqual(["operations/getPot.openapi.json"]);
  const slice = JSON.parse(files["operations/getPot.openapi.json"] ?? "");
  expect(slice.tags.map(({ name }: { name: string }) => name)).toEqual(["Garden pots"]);
  expect(slice.components.securitySchemes).toEqual({ apiKey: { type: "apiKey" } });
  expect(Object.keys(slice.components.schemas).sort()).toEqual(["P901", "P902", "Pot", "PotId", "PotStatus"]);
  expect(Object.keys(slice.paths["/pots/{potId}"].get.responses["200"])).toEqual(["description", "content", "example"]);
});

test("the lists for language models join the pages of a subject up to a number of characters", () => {
  const guide = { title: "Pots", text: "Pots.", summary: "Words.", synonyms: [], group: "Start", firstLine: 1 };
  const site = { ...smallSite(), guides: ["one", "two"].map((name) => ({ ...guide, name })) };
  const joinWithLength = (length: number) =>
    joinTexts(site, pagesOf(site), ({ ref }) => (ref.kind === "guide" ? "x".repeat(length) : "y"))
      .filter(({ title }) => title.startsWith("Guides"))
      .map(({ path, title, text }) => [path, title, text.split("<!-- ").length - 1]);
  const halfLength = maxCharacters / 2;
  expect(joinWithLength(halfLength - 200)).toEqual([["llms/guides.txt", "Guides", 4]]);
  expect(joinWithLength(halfLength + 200)).toEqual([
    ["llms/guides-1.txt", "Guides, part 1 of 2", 3],
    ["llms/guides-2.txt", "Guides, part 2 of 2", 1],
  ]);
});

test("links in Markdown pages keep the anchors that Markdown viewers derive from headings, and lose all others", async () => {
  const target = '<main><h1>T</h1><h2 id="a-lid">A lid</h2><h3 id="x">Other</h3><p id="a-pot">A pot</p></main>';
  const anchors = ["a-lid", "x", "a-pot", "none"];
  const links = anchors.map((anchor) => `<a href="target.html#${anchor}">${anchor}</a>`).join(" ");
  const pages = { "target.html": target, "page.html": `<main><h1>P</h1><p>${links}</p></main>` };
  const { "page.md": text } = await renderMarkdownPages(parsePages(pages));
  expect(text).toContain("[a-lid](target.md#a-lid) [x](target.md) [a-pot](target.md) [none](target.md)");
});

describe("the search index", () => {
  const ownPage: SitePage = {
    ref: { kind: "guide", name: "kiln" },
    title: "Glazed commonTitle",
    section: "Guide",
    description: "Firing",
    synonyms: ["terracotta"],
    content: () => ({}),
  };
  const { pages: otherNames, notes } = readSynonyms();
  const otherPages = [...new Set([...Object.keys(otherNames), ...notes.flatMap(({ pages }) => pages)])].map(
    (name): SitePage => ({
      ...ownPage,
      ref: { kind: "operation", name },
      title: "commonTitle",
      synonyms: [],
      edition: "test",
    }),
  );
  const notFoundPage: SitePage = { ...ownPage, ref: { kind: "not-found" }, title: "Unfindable" };
  const html = Object.fromEntries(
    [...otherPages, notFoundPage, ownPage].map(({ ref }) => [pathOf(ref), "<main><p>everywhere</p></main>"]),
  );
  html["guides/kiln.html"] =
    '<main><h2 id="rim">Rimming a pot&#39;s edge</h2><ul><li class="field" id="f"><p><code>clayBody</code></p></li></ul><pre>codeword</pre>' +
    '<section class="question" id="q"><h2>Whether</h2></section><p>glazed everywhere plainword x &amp; terracotta</p></main>';

  test("has the words of each page by where they stand, without code and without what stands everywhere", () => {
    const { pages, parts, words } = makeSearchIndex(
      [ownPage, notFoundPage, ...otherPages],
      parsePages(html),
      smallSite(),
    );
    expect(pages).toHaveLength(otherPages.length + 1);
    expect(pages[0]).toMatchObject({ path: "guides/kiln.html", edition: "latest", names: "terracotta" });
    expect(pages[1]).toMatchObject({ edition: "test" });
    const weightsOf = (word: string) => words[word]?.filter((entry) => entry < 10);
    expect(
      ["glazed", "terracotta", "rimming", "claybody", "clay", "body", "firing", "plainword"].map(weightsOf),
    ).toEqual([[9], [8], [5], [5], [5], [5], [3], [1]]);
    expect(
      ["codeword", "x", "everywhere", "amp", "39", "unfindable"].filter((word) => Object.hasOwn(words, word)),
    ).toEqual([]);
    expect(words.common).toHaveLength(pages.length);
    expect(parts).toEqual([
      [0, "f", "clayBody"],
      [0, "rim", "Rimming a pot's edge"],
      [0, "q", "Whether"],
    ]);
  });

  test("is not made if the list of synonyms names a page that does not exist", () => {
    expect(() => makeSearchIndex(otherPages.slice(1), parsePages(html), smallSite())).toThrow(
      `there is no page of ${Object.keys(otherNames)[0]}. Correct the name.`,
    );
  });

  test("is not made if a note says of a currency that it is not known, though it is", () => {
    const { contract } = smallSite();
    const mockValues = { countries: [], networks: [{ currency: "usdt" }] as never, delays: {} };
    expect(() => makeSearchIndex(otherPages, parsePages(html), { contract, mockValues })).toThrow(
      "the contract has usdt.",
    );
  });
});

describe("the transitions of a lifecycle", () => {
  const { contract } = smallSite();
  const describeTransitions = (resource: Resource, { operations } = contract) => {
    const state = resource.states[0] as State;
    return transitionsOf(state, causesOf({ operations }, resource, state)).map(
      ({ number, from, to, causes }) => `${number} ${from} ${to}: ${causes.map(({ name }) => name).join()}`,
    );
  };
  const [pot, lid] = contract.resources as [Resource, Resource];

  test("have the operations and events that cause them", () => {
    expect(describeTransitions(pot)).toEqual(["1 undefined WHOLE: ", "2 WHOLE BROKEN: getPot,potFalls"]);
    expect(describeTransitions(lid)).toEqual([
      "1 undefined tight: getPot",
      "2 tight loose: lidFlies",
      "3 loose tight: ",
    ]);
    const [falls] = pot.externalEvents;
    const events = [
      { ...Object(falls), name: "potIsBought", moves: undefined, creates: "pot", to: [] },
      { ...Object(falls), name: "lidFlies", moves: "lid" },
    ];
    expect(describeTransitions({ ...pot, externalEvents: events })).toEqual([
      "1 undefined WHOLE: potIsBought",
      "2 WHOLE BROKEN: getPot",
    ]);
  });

  test("have, of a resource with two states, what names the state, and creations that name none", () => {
    const [firstState] = lid.states as [State];
    const secondState = { ...firstState, name: "second" };
    const resource = { ...lid, states: [firstState, secondState], externalEvents: [] };
    const [getPot] = contract.operations as [Operation];
    const creation = getPot.effects.find(({ kind }) => kind === "creates") as Effect;
    const effects: Effect[] = [
      { ...creation, to: ["new"] },
      { ...creation, to: ["new second"], state: "second" },
      { ...creation, kind: "moves", to: ["moved second"], state: "second" },
      { ...creation, kind: "moves", to: ["moved"] },
    ];
    const operations = [{ ...getPot, effects }];
    const valuesOf = (state: State) => causesOf({ operations }, resource, state).flatMap(({ to }) => to);
    expect(valuesOf(firstState)).toEqual(["new"]);
    expect(valuesOf(secondState)).toEqual(["new", "new second", "moved second"]);
  });

  const makeCause = (members: Partial<Cause>): Cause => ({
    kind: "operation",
    name: "a",
    label: "Do it",
    meaning: "",
    isCreation: false,
    from: [],
    to: ["B"],
    isLater: false,
    ...members,
  });
  const lifecycle = { initial: ["A"], transitions: { A: ["B", "A"], C: ["B"] } };
  const state = { ...(pot.states[0] as State), values: ["A", "B", "C"], lifecycle };

  test("have only the causes that start at their value", () => {
    const causes = [
      makeCause({ name: "any" }),
      makeCause({ name: "fromC", from: ["C"] }),
      makeCause({ name: "new", isCreation: true, to: ["A"] }),
    ];
    expect(transitionsOf(state, causes).map(({ causes: own }) => own.map(({ name }) => name).join())).toEqual([
      ...["new", "any", "", "any,fromC"],
    ]);
  });

  test.each<[numbered: boolean, what: string, causes: Cause[]]>([
    [false, "a short cause", [makeCause({})]],
    [false, "an event with one outcome", [makeCause({ kind: "outside" })]],
    [false, "an operation with two outcomes", [makeCause({ to: ["A", "B"] })]],
    [true, "an event with two outcomes", [makeCause({}), makeCause({ kind: "outside", to: ["A", "B"] })]],
    [true, "many words", [makeCause({ label: "word ".repeat(40).trim() })]],
  ])("are numbered (%s) for %s", (hasNumbers, _, causes) => {
    const { isNumbered, arrows } = drawLifecycle(state, transitionsOf(state, causes));
    expect(isNumbered).toBe(hasNumbers);
    expect(arrows).toHaveLength(4);
    if (!hasNumbers)
      expect(arrows.map(({ lines }) => lines.join(" ")).filter((words) => words !== "")).toContain("Do it");
  });
});

test("texts in diagrams are broken where they are too wide", () => {
  expect(widthOf(["ab", "a"], "code")).toBe(2 * widthOf(["a"], "code"));
  expect(widthOf(["iM"], "words")).toBeCloseTo(4 + 11.7);
  expect(widthOf(["é"], "words")).toBeCloseTo(7.7);
  expect(widthOf([], "code")).toBe(0);
  const twoWords = widthOf(["aa aa"], "words");
  expect(wrapWords("aa aa aa", twoWords)).toEqual(["aa aa", "aa"]);
  expect(wrapWords("aa aa", twoWords - 1)).toEqual(["aa", "aa"]);
  expect(breakValue("AAA_BBBBBB_C")).toEqual(["AAA_", "BBBBBB_C"]);
  expect(breakValue("AA_B_AA")).toEqual(["AA_", "B_AA"]);
  expect(breakValue("PLAIN")).toEqual(["PLAIN"]);
});
