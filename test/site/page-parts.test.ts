/** Parts of pages: most tests change the small document, so that a part of a page appears or disappears. */
import { describe, expect, test } from "vitest";
import type {
  InvalidBodyResponses,
  JsonSchema,
  OpenApiDocument,
  OperationObject,
} from "../../scripts/contract/model/index.ts";
import { proofKinds } from "../../scripts/prove/index.ts";
import { causesOfPair } from "../../scripts/site/components/code-data.ts";
import { pathOf } from "../../scripts/site/content/pages.ts";
import type { SiteContent } from "../../scripts/site/content/site.ts";
import { pagesOf } from "../../scripts/site/pages/index.ts";
import { mockCommandLine } from "../../scripts/site/samples/index.ts";
import { elementsOf, parsePages, textOf } from "./parsed-page.ts";
import { smallDocument, smallSite } from "./small-document.ts";
import { site as wholeSite } from "./whole-site.ts";

/** The texts of the pages that were rendered, because several tests read the same page of a site. */
const pageTexts = new WeakMap<SiteContent, Map<string, string>>();

function pageText(path: string, site: SiteContent): string {
  const texts = pageTexts.get(site) ?? new Map<string, string>();
  pageTexts.set(site, texts);
  const text = texts.get(path) ?? renderText(path, site);
  texts.set(path, text);
  return text;
}

function renderText(path: string, site: SiteContent): string {
  const [page] = parsePages(
    pagesOf(site).filter(({ ref }) => pathOf(ref) === path),
    site,
  );
  if (page === undefined) throw new Error(`There is no page ${path}.`);
  return `${textOf(page.main)}\n${page.html}`;
}

interface Parts {
  document: OpenApiDocument;
  get: OperationObject;
  /** The response 200 of {@link get}. */
  json: { schema: JsonSchema; examples: object };
  schemas: Record<string, JsonSchema & Record<string, object>>;
  webhook: (name: string) => OperationObject & Record<string, object>;
}

function changeDocument(change: (parts: Parts) => unknown): OpenApiDocument {
  const document = smallDocument();
  const get = document.paths["/pots/{potId}"]?.get as OperationObject;
  const { json } = { json: Object(get.responses["200"]).content["application/json"] };
  const webhook: Parts["webhook"] = (name) => document.webhooks?.[name]?.post as never;
  change({ document, get, json, schemas: document.components?.schemas as Parts["schemas"], webhook });
  return document;
}

type Change = (parts: Parts) => unknown;

const withBody =
  (mediaType: string, bodyMembers: object): Change =>
  ({ get }) => {
    const content = { [mediaType]: { schema: { type: "object" }, examples: { a: { value: {} } } } };
    Object.assign(get, { requestBody: { content, ...bodyMembers } });
  };
const withPut =
  (members: object): Change =>
  ({ document, get }) =>
    Object.assign(document.paths["/pots/{potId}"] ?? {}, {
      put: { ...structuredClone(get), operationId: "putPot", summary: "Put Pot", ...members },
    });
const withShorterPath =
  (members: object = {}): Change =>
  ({ document, get }) => {
    const shortOperation = {
      ...structuredClone(get),
      operationId: "shortPot",
      summary: "Short Pot",
      parameters: [],
      ...members,
    };
    Object.assign(document.paths, { "/p": { get: shortOperation } });
  };
const withKnownValues =
  (count: number): Change =>
  ({ schemas }) => {
    const values = Array.from({ length: count }, (_, index) => [`V${index}`, { meaning: "A value" }]);
    Object.assign(schemas.PotStatus as object, { "x-open-enum": Object.fromEntries(values) });
  };
const withAdvice =
  (code: string, advice: object): Change =>
  ({ schemas }) =>
    Object.assign(schemas[code]?.["x-advice"] as object, advice);
const withEvent =
  (webhook: string, event: object): Change =>
  (parts) =>
    Object.assign(parts.webhook(webhook)["x-event"] as object, event);
const withoutMember =
  (key: keyof OperationObject): Change =>
  ({ get }) =>
    delete get[key];
const withTag =
  (tag: string): Change =>
  ({ get }) =>
    Object.assign(get, { tags: [tag] });
const applyBoth =
  (firstChange: Change, secondChange: Change): Change =>
  (parts) => [firstChange(parts), secondChange(parts)];

/** Makes P902 a code of the service, and adds an operation that returns it to each of the areas `tags`. */
const withServiceCode =
  (tags: string[]): Change =>
  (parts) => {
    withAdvice("P902", { actor: "service" })(parts);
    const { document, get } = parts;
    document.tags = [...(document.tags ?? []), ...tags.map((name) => ({ name }))];
    for (const tag of tags) {
      const areaOperation = { ...structuredClone(get), operationId: `in${tag}`, summary: `In ${tag}`, tags: [tag] };
      Object(areaOperation.responses["404"]).content["application/json"].schema.oneOf.pop();
      document.paths[`/${tag}`] = { get: areaOperation };
    }
  };

const noContent = { responses: { "200": { description: "Put." } } };
const codesOf = (get: OperationObject) => Object(get.responses["404"]).content["application/json"].schema.oneOf;
const effectsOf = (get: OperationObject) => Object(get["x-effects"]);
const withoutQuestion: Change = ({ schemas }) => delete Object(schemas.Pot?.properties?.price)["x-open-questions"];
const resolvedByBoth = applyBoth(withAdvice("P901", { resolvedBy: ["putPot", "getPot"] }), withPut({}));

/** `+`: the page has the words only with the change. `-`: the page has the words only without the change. */
const rows: Record<string, [sign: "+" | "-", words: string | RegExp, change: Change][]> = {
  "operations/getPot.html": [
    [
      "+",
      "When no response arrives",
      ({ document, get }) => Object.assign(document.paths, { "/pots/{potId}": { post: get } }),
    ],
    ["+", "Deprecated", ({ get }) => Object.assign(get, { deprecated: true })],
    ["-", "Each call has a side effect", withoutMember("x-effects")],
    ["-", '<h2 id="before">', withoutMember("x-requires")],
    ["-", '<h2 id="effects">', withoutMember("x-effects")],
    ["-", '<h2 id="webhooks">', withoutMember("x-triggers")],
    ["-", '<h2 id="parameters">', withoutMember("parameters")],
    ["+", '<h2 id="request">', withBody("application/json", { required: true })],
    ["+", "application/json, optional", withBody("application/json", {})],
    ["+", /Request body multipart\/form-data(?!,)/, withBody("multipart/form-data", { required: true })],
    [
      "+",
      "It takes id in the response.",
      ({ get }) => {
        const parameters = { potId: "$response.body#/id", glaze: "$request.path.potId", size: 3 };
        Object.assign(Object(get.responses["200"]), { links: { again: { operationId: "getPot", parameters } } });
      },
    ],
    ["-", "May also occur; no document", ({ get }) => delete get.responses["404"]],
    ["+", "May occur; no document", ({ get }) => codesOf(get).shift()],
    ["-", /(: the value must never.*){2}/, ({ get }) => get.parameters?.shift()],
    ["-", ": the value must never", ({ schemas }) => delete Object(schemas.PotId)["x-sensitive"]],
    ["+", /401 ?: Access Denied\./, withPut(noContent)],
    ["-", "All codes, 401 and the form", withPut(noContent)],
    ["+", "Like most operations, it can return P902.", withAdvice("P902", { actor: "service" })],
    ["+", "it can return P902.", withServiceCode(["Shop"])],
    ["+", "Call: Put Pot or Get Pot.", resolvedByBoth],
    ["+", "The pot exists (potId in the path). See Put Pot. Otherwise P901", resolvedByBoth],
    [
      "+",
      "The pot exists (potId in the path). Otherwise P901 Proposed.",
      ({ get }) => Object.assign(codesOf(get)[0], { "x-provenance": "proposed" }),
    ],
    ["-", "becomes", withoutMember("x-triggers")],
    ["-", "to BROKEN, as far as known", ({ get }) => delete effectsOf(get)[0].later],
    ["-", "Changes after the response: pot", ({ get }) => delete effectsOf(get)[0].later],
    ["-", "as far as known", ({ get }) => delete effectsOf(get)[0].to],
    ["+", "with tight. Observed", ({ get }) => Object.assign(effectsOf(get)[1], { to: "tight" })],
    ["+", "<summary>Source</summary>", withoutQuestion],
    ["-", '<details class="open-questions" id="questions" open>', withoutQuestion],
    [
      "+",
      "1 more example An old pot",
      ({ json }) => Object.assign(json.examples, { old: { summary: "An old pot", value: 1 } }),
    ],
    ["-", '<details class="values" open>', withKnownValues(9)],
    [
      "-",
      "How the values follow each other",
      ({ schemas }) => Object.assign(schemas.Pot?.properties as object, { status: schemas.PotStatus }),
    ],
    [
      "+",
      /Response.*The pot\. text\/html.*data-language="xml"/s,
      ({ get }) => {
        const content = { "text/html": { schema: { type: "string" }, examples: { clay: { value: "<p>" } } } };
        Object.assign(Object(get.responses["200"]), { content });
      },
    ],
    ["+", "302 Moved.", ({ get }) => Object.assign(get.responses, { "302": { description: "Moved." } })],
    ["-", "Example of the response", ({ get }) => delete Object(get.responses["200"]).content],
    ["-", "Example of the response", ({ get }) => delete get.responses["200"]],
  ],
  "errors/P901.html": [
    [
      "+",
      "Look for the effect before you repeat a call that moves money. unknown-outcomes",
      withAdvice("P901", { retry: "later" }),
    ],
    ["+", "All 1 operations that document it", withAdvice("P901", { actor: "service" })],
    ["+", "Call: Get Pot.", withAdvice("P901", { resolvedBy: ["getPot"] })],
    // The sample is of the operation with the shortest request among the operations with a documented cause.
    ["+", "http://127.0.0.1:4010/p ", withShorterPath()],
    ["-", "http://127.0.0.1:4010/pots/ ", withShorterPath()],
  ],
  "errors/index.html": [["-", "Access Denied. Every operation", withPut(noContent)]],
  "areas/garden-pots.html": [["-", '<h2 id="operations">', withTag("Shop")]],
  "operations/index.html": [
    ["-", '<h2 id="garden-pots">', withTag("Shop")],
    ["+", " Yes ", withoutMember("x-effects")],
  ],
  "webhooks/potBroken.html": [
    ["+", "id of the event names the resource", withEvent("potBroken", { body: { id: "potId" } })],
    ["-", "Without a call of yours: A pot falls.", withEvent("potBroken", { after: ["WHOLE"] })],
    [
      "-",
      '<aside class="samples"',
      ({ webhook }) => delete Object(webhook("potBroken").requestBody).content["application/json"].examples,
    ],
  ],
  "webhooks/lidBroken.html": [
    ["+", "when the lid becomes loose or LOOSE", withEvent("lidBroken", { after: ["loose", "LOOSE"] })],
    ["+", "The path: Proposed.", ({ webhook }) => Object.assign(webhook("lidBroken"), { "x-provenance": "proposed" })],
  ],
};

test("the sample of a code is of an operation whose cause is known", () => {
  const site = smallSite(changeDocument(withShorterPath({ "x-requires": {} })));
  expect(pageText("errors/P901.html", site)).toContain("http://127.0.0.1:4010/pots/ ");
});

test.each<[InvalidBodyResponses, causes: string[]]>([
  ["P403", ["the body breaks its schema"]],
  ["P404", []],
  [{ otherwise: "P403" }, ["the body breaks its schema"]],
  [{ missing: "P403", otherwise: "P403" }, ["a required part is missing", "the body breaks its schema in another way"]],
  [{ mediaType: "P404", tooLarge: "P403" }, ["a file is too large"]],
])("a request that is refused with %j has the causes %j of P403", (invalidRequest, causes) => {
  const operation = { requires: [], parameters: [], requestBody: { invalidRequest } };
  expect(causesOfPair({ code: "P403", operation } as never, smallSite())).toEqual(causes);
});

test("a code of the service is a general one if at least half of the areas return it", () => {
  const page = pageText("operations/getPot.html", smallSite(changeDocument(withServiceCode(["Shop", "Yard"]))));
  expect(page).not.toContain("it can return P902");
});

test("has no section for what the document lacks", () => {
  const operation = pageText("operations/getPot.html", smallSite());
  expect(operation).not.toMatch(/states its \.|<p class="note"><\/p>/);
  expect(operation).toContain('<p class="origin">Seen in the public reference.');
  expect(pageText("webhooks/lidBroken.html", smallSite()).match(/class="origin"/g)).toHaveLength(1);
});

test.each(Object.entries(rows).flatMap(([path, pageRows]) => pageRows.map((row) => [path, ...row] as const)))(
  "%s: %s %s",
  (path, sign, words, change) => {
    const [textBefore, textAfter] = [smallDocument(), changeDocument(change)].map((document) =>
      pageText(path, smallSite(document)),
    );
    const isOnPage = (text = "") => (typeof words === "string" ? text.includes(words) : words.test(text));
    expect([isOnPage(textBefore), isOnPage(textAfter)]).toEqual(sign === "+" ? [false, true] : [true, false]);
  },
);

test("a list of eight known values is open", () => {
  expect(pageText("operations/getPot.html", smallSite(changeDocument(withKnownValues(8))))).toContain(
    '<details class="values" open>',
  );
});

test("the page of a resource says what is known of it", () => {
  const [pot = "", lid = ""] = ["pot", "lid"].map((name) => pageText(`lifecycles/${name}.html`, smallSite()));
  expect(pot).toContain("Identified by potId. Read it with Get Pot.");
  expect(pot).toContain("A pot falls. Moves it to BROKEN or LOST.");
  expect(pot).toContain('<h2 id="values">');
  expect(lid).toContain("Identified by lidId, the id of its owner: the next one has the same. Proposed");
  expect(lid).toContain("Somebody sees the lid. Only a webhook; nothing changes.");
  expect(lid).not.toContain('<h2 id="values">');
  expect(pot).toMatch(
    /Transition What leads to it 1 \(new\) → WHOLE 2 WHOLE → BROKEN \(final\) Get Pot, after the response Outside: A pot falls\./,
  );
  expect(pot).not.toContain('<ul class="diagram-causes"></ul>');
  expect(pageText("lifecycles/index.html", smallSite())).toContain("A pot of the garden. WHOLE and BROKEN ");
  expect(pageText("webhooks/lidBroken.html", smallSite())).toContain("No operation reads it back");
  expect(pageText("webhooks/lidBroken.html", smallSite())).toContain("It is sent when the lid is loose.");
});

describe("a guide", () => {
  const guidePage = (text: string, site = smallSite()) =>
    pageText("guides/pots.html", { ...site, guides: smallSite(smallDocument(), text).guides });
  const proposedSite = () => smallSite(changeDocument(({ get }) => Object.assign(get, { "x-provenance": "proposed" })));

  test("says which edition its calls need", () => {
    expect(guidePage("[words](operation:getPot)")).toContain("Everything on this page is in both editions.");
    expect(guidePage("Words.")).not.toMatch(/both editions|Only in the edition/);
    expect(guidePage("`wallet.getPot()`", proposedSite())).toContain(
      "Only in the edition “test” of the contract, which is no test mode: Get Pot.",
    );
    expect(guidePage("Words.", proposedSite())).not.toMatch(/both editions|Only in the edition/);
    expect(guidePage("[words](operation:putPot)", proposedSite())).toContain("in both editions");
  });

  test("has lists, and boxes to tick", () => {
    const page = guidePage("- one\n- [ ] two");
    expect(page).toContain("<li>one</li>");
    expect(page).toMatch(/<li class="tick"><label><input type="checkbox"\/> <span>two/);
  });

  test("links the names of operations that are several words, and no webhook's", () => {
    const hasLink = (summary: string) => {
      const site = smallSite(changeDocument(({ get }) => Object.assign(get, { summary })));
      return /<article.*<\/article>/s
        .exec(guidePage(`See ${summary} now.`, site))?.[0]
        .includes("operations/getPot.html");
    };
    expect(["Get Pot", "Potting", "Pot Broken"].map(hasLink)).toEqual([true, false, false]);
  });

  test("says how to run its program, unless it does so itself", () => {
    const howToRunText = "is one program in parts";
    expect(guidePage("```ts\na;\n```")).toContain(howToRunText);
    expect(guidePage(`\`\`\`ts\na;\n\`\`\`\n\n${mockCommandLine}`)).not.toContain(howToRunText);
    expect(guidePage("```json\n{}\n```")).not.toContain(howToRunText);
  });

  const kind = proofKinds.find(({ conditions, input }) => conditions.length > 1 && input.length > 0);
  const [first, second] = kind?.conditions ?? [];
  const [area] = wholeSite.areas;
  const [operation, other] = area?.operations ?? [];

  test.each<[block: string, words: (string | undefined)[], not: (string | undefined)[]]>([
    [`conditions ${kind?.name}`, [first?.meaning, second?.meaning], []],
    [`conditions ${kind?.name} ${second?.name}`, [second?.meaning], [first?.meaning]],
    [`input ${kind?.name}`, [kind?.input[0]], []],
    [`operations ${area?.name}`, [operation?.summary, other?.summary], [wholeSite.areas[1]?.operations[0]?.path]],
    [`codes ${operation?.operationId}`, ["What to do", "P411"], ["Returned by", "P433", "P500"]],
    [`codes ${operation?.operationId} ${other?.operationId}`, ["What to do", "Returned by"], []],
    ["lifecycle iban", ["Lifecycle of IBAN"], ["Lifecycle of card"]],
    ["policy SUPPORT Deprecation", ["marked deprecated first"], ["Node.js: every version"]],
    ["program go/wallet.go", ["package", "wallet.go"], []],
    ["contacts", ["No address is published yet"], []],
    ["bill-of-materials", ["this build is none"], ['<a href="../sbom.cdx.json">']],
  ])("with {{%s}} shows what it names", (block, words, absentTexts) => {
    const article = /<article.*<\/article>/s.exec(guidePage(`{{${block}}}`, wholeSite))?.[0] ?? "";
    const text = article
      .replace(/<[^>]*>/g, "")
      .replaceAll("&amp;", "&")
      .replaceAll("&quot;", '"')
      .replaceAll("&lt;", "<");
    expect(words.filter((word) => !text.includes(String(word).replaceAll("`", "")))).toEqual([]);
    expect(
      absentTexts.filter((absentText) => text.includes(String(absentText)) || article.includes(String(absentText))),
    ).toEqual([]);
  });

  test("links the addresses that publishing.yaml states, and the bill of materials of a release", () => {
    const publishing = { registry: null, repository: null, support: "mailto:help@pots.example", status: null };
    const page = guidePage("{{contacts}}\n\n{{bill-of-materials}}", { ...smallSite(), publishing, hasSbom: true });
    expect(page).toContain('Support: <a href="mailto:help@pots.example">help@pots.example</a>');
    expect(page).toContain('<a href="mailto:help@pots.example">Support</a>');
    expect(page).not.toMatch(/Incidents|>Repository<|No address|this build is none/);
    expect(page).toContain('<a href="../sbom.cdx.json">');
  });
});

describe("every page", () => {
  const guides = [
    { name: "pots", group: "Pots" },
    { name: "lids", group: "Pots" },
    { name: "go", group: "Tongues", role: "languages" as const },
    { name: "shop", group: "Subjects", role: "areas" as const },
  ].map((guide) => ({
    ...guide,
    title: guide.name === "shop" ? "Shop" : `About ${guide.name}`,
    summary: "Words.",
    synonyms: [],
    text: "",
    firstLine: 1,
  }));
  const site = { ...smallSite(changeDocument(withPut({ tags: ["Shop"], "x-provenance": "proposed" }))), guides };
  site.areas = [
    ...site.areas,
    { name: "Shop", description: "All pots.", operations: site.contract.operations.slice(1), webhooks: [] },
  ];
  const openFoldersIn = (path: string) =>
    [...pageText(path, site).matchAll(/<details open><summary>([^<]*)/g)].map(([, name]) => name);

  test.each([
    ["index.html", []],
    ["guides/lids.html", ["Pots"]],
    ["guides/go.html", ["Tongues"]],
    ["guides/shop.html", ["Shop"]],
    ["areas/shop.html", ["Shop"]],
    ["operations/getPot.html", ["Garden pots"]],
    ["operations/putPot.html", ["Shop"]],
    ["webhooks/lidBroken.html", ["Garden pots"]],
  ])("%s opens its own part of the list of pages", (path, folders) => {
    const html = pageText(path, site);
    expect(openFoldersIn(path)).toEqual(folders);
    const currentLinks = [...html.matchAll(/<a href="([^"]*)"[^>]* aria-current="page"/g)].map(([, href]) => href);
    expect(currentLinks).toEqual(path === "index.html" ? [] : [path.split("/")[1]]);
  });

  test("marks operations and webhooks in the list, and dims what is in the edition test only", () => {
    const html = pageText("index.html", site);
    expect(html).toMatch(/<li><a href="operations\/getPot.html" data-tag="get">Get Pot/);
    expect(html).toMatch(/<li data-edition="test"><a href="operations\/putPot.html" data-tag="put">Put Pot/);
    expect(html).toMatch(/<li><a href="webhooks\/potBroken.html" data-tag="event">Pot Broken/);
    expect(html.split("What is dimmed")).toHaveLength(1);
    expect(pageText("areas/shop.html", site)).toContain("What is dimmed");
    expect(pageText("areas/garden-pots.html", site)).not.toContain("What is dimmed");
    expect(pageText("operations/index.html", site)).toContain("What is dimmed");
  });

  test("has the title of its page, and the contents where there is more than one part", () => {
    expect(pageText("index.html", site)).toContain("<title>Pots</title>");
    expect(pageText("guides/lids.html", site)).toContain("<title>About lids · Guide · Pots</title>");
    expect(pageText("guides/lids.html", site)).not.toContain("On this page");
    expect(pageText("operations/getPot.html", site)).toMatch(/On this page<\/p><ul><li><a href="#samples">Samples</);
    expect(pageText("areas/garden-pots.html", site)).toMatch(
      /On this page<\/p><ul><li><a href="#operations">Operations</,
    );
    expect(pageText("index.html", site)).not.toMatch(/robots|These pages are of version/);
  });

  test("lists guides by group, with the languages on the first page", () => {
    const home = pageText("index.html", site);
    expect(home).toContain('data-language="go">About go</a>');
    const wholeHome = pageText("index.html", wholeSite);
    expect(wholeHome).toMatch(/What do you want to do\? Pay out to a bank account .*Reconcile .*Try it without code/);
    expect(/<p class="lead">(.*?)<\/p>/.exec(wholeHome)?.[1]?.split(" ").length).toBeLessThan(30);
    expect(home).toMatch(/Start here About pots Words\. About lids Words\. Areas/);
    expect(pageText("guides/index.html", site)).toMatch(/Pots About pots Words\. About lids Words\. Tongues About go/);
  });

  test("has tables whose first cells are the heads of the rows", () => {
    const [page] = parsePages(
      pagesOf(site).filter(({ ref }) => ref.kind === "operations"),
      site,
    );
    const tableRows = elementsOf(page?.main as never).filter(
      ({ tagName, parentNode }) => tagName === "tr" && Object(parentNode).tagName === "tbody",
    );
    expect(
      tableRows.map((row) =>
        elementsOf(row)
          .filter(({ tagName }) => /^t[hd]$/.test(tagName))
          .map(({ tagName }) => tagName)
          .join(),
      ),
    ).toEqual(["th,td,td,td", "th,td,td,td"]);
    expect(textOf(tableRows[0])).toMatch(/^Get Pot GET \/pots\/\{potId\} No: look for it /);
    expect(page?.html).toContain("<code>/pots<wbr/>/{potId}</code>");
    expect(textOf(tableRows[1])).toMatch(/^Put Pot Proposed PUT \/pots\/\{potId\} No: look for it /);
  });

  test("has its changelog by version, without an empty one", () => {
    const changelog = "# Changelog\n\nWords.\n\n## Unreleased\n\n## 0.2.0 (2026-12-01)\n\nNew.\n";
    const html = pageText("about/changelog.html", { ...site, changelog });
    expect(html).toContain('<h2 id="version-0-2-0-2026-12-01">0.2.0 (2026-12-01)</h2>');
    expect(html).not.toContain("Unreleased");
    const downloads = pageText("about/downloads.html", site);
    expect(downloads).toMatch(/Edition latest: [^;]*; everything but the operations whose path is proposed\./);
    expect(downloads).toMatch(/Edition test: [^;]*; everything\./);
  });
});
