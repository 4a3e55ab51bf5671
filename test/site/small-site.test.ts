import { describe, expect, test } from "vitest";
import type { JsonSchema, OperationObject, PathItemObject } from "../../scripts/contract/model/index.ts";
import type { SiteContent } from "../../scripts/site/content/site.ts";
import { pagesOf } from "../../scripts/site/pages/index.ts";
import { highlight } from "../../scripts/site/text/highlight.ts";
import {
  attribute,
  type Element,
  elementsOf,
  elementsWithClass,
  type ParsedPage,
  parsePages,
  textOf,
} from "./parsed-page.ts";
import { smallDocument, smallSite } from "./small-document.ts";

function pageFinder(site: SiteContent): (path: string) => ParsedPage {
  const pages = new Map(parsePages(pagesOf(site), site).map((page) => [page.path, page]));
  return (path) => {
    const page = pages.get(path);
    if (page === undefined) throw new Error(`There is no page ${path}.`);
    return page;
  };
}

describe("the small document", () => {
  const document = smallDocument();
  const page = pageFinder(smallSite(document));
  const operation = page("operations/getPot.html").main;

  test("is not modified", () => expect(document).toEqual(smallDocument()));

  test("has the mark of each parameter and known value with a weaker provenance", () => {
    expect(textOf(page("operations/getPot.html").byId.get("query-glaze"))).toContain("Observed");
    const guide = pageFinder(smallSite(smallDocument(), "{{values PotStatus}}"))("guides/pots.html").main;
    const rows = elementsOf(guide).filter(({ tagName }) => tagName === "tr");
    expect(rows.slice(1).map(textOf)).toEqual(["WHOLE It is whole", "BROKEN It is not Proposed"]);
  });

  test("is shown as text where it contains HTML", () => {
    expect(highlight("<b> & c", "text")).toBe("&lt;b&gt; &amp; c");
    expect(textOf(page("areas/garden-pots.html").main)).toContain("Pots, <b>bold</b> & <script>round</script>.");
    expect(textOf(page("errors/P901.html").main)).toMatch(/Buy a <pot> for < 5\..*Look into the <cupboard>\./);
    for (const path of ["areas/garden-pots.html", "errors/P901.html", "operations/getPot.html"]) {
      const names = elementsOf(page(path).main).map(({ tagName }) => tagName);
      expect(names.filter((name) => ["b", "script", "pot", "cupboard"].includes(name))).toEqual([]);
    }
  });

  test("has every question once with its assumption, and links from each place that it affects", () => {
    const text = textOf(page("questions/money.html").main);
    expect(text).toMatch(/How many pots are there\? Assumed There is one .*“?Number of pots: not shown\./);
    expect(text).toContain("Get Pot: response 200 price");
    expect(page("questions/money.html").byId.has("q-pots")).toBe(true);
    expect(textOf(page("questions/index.html").main)).not.toContain("Is this used?");
    expect(Object.keys(smallSite(document).questions)).toEqual(["Q-pots"]);
    for (const path of ["operations/getPot.html", "webhooks/potBroken.html"]) {
      expect(textOf(page(path).main).split("Assumed: There is one")).toHaveLength(2);
      expect(page(path).hrefs).toContain("../questions/money.html#q-pots");
    }
  });

  test("has a way back on every page but the first", () => {
    const hasTrail = (path: string) => page(path).html.includes('class="trail"');
    expect(["index.html", "operations/getPot.html", "guides/pots.html"].map(hasTrail)).toEqual([false, true, true]);
  });

  test("has samples without empty parameters", () => {
    expect(textOf(operation)).toContain("await wallet.getPot();");
  });

  test("marks sensitive values, also through references, in parameters and beside null", () => {
    const { byId } = page("operations/getPot.html");
    for (const id of ["response-200-id", "response-200-lid", "response-200-saucer"]) {
      expect(textOf(byId.get(id)), id).toContain("Sensitive");
    }
    expect(textOf(byId.get("response-200-price"))).not.toContain("Sensitive");
  });
});

describe("a document with a change", () => {
  test("counts operations and codes without provenance as proposed", () => {
    const document = smallDocument();
    const get = document.paths["/pots/{potId}"]?.get as OperationObject;
    delete get["x-provenance"];
    const schemas = document.components?.schemas as Record<string, JsonSchema>;
    delete schemas.P901?.["x-provenance"];
    const page = pageFinder(smallSite(document));
    expect(textOf(elementsWithClass(page("operations/getPot.html").main, "subject")[0])).toContain(
      "Proposed, to be confirmed",
    );
    expect(textOf(page("errors/P901.html").main)).toContain("404 Proposed");
  });

  test("does not attribute questions of a shared error body to its operations", () => {
    const document = smallDocument();
    const get = document.paths["/pots/{potId}"]?.get as OperationObject;
    const schemas = document.components?.schemas as Record<string, JsonSchema>;
    schemas.P901 = { ...schemas.P901, "x-open-questions": ["Q-pots"] };
    Object.assign(get.responses, { "400": get.responses["404"] });
    const places = textOf(pageFinder(smallSite(document))("questions/money.html").main);
    expect(places).toContain("Get Pot: response 200 price");
    expect(places).not.toMatch(/response 40[04]/);
  });

  test("shows a question on a path item's parameter at its operations", () => {
    const document = smallDocument();
    const item = document.paths["/pots/{potId}"] as PathItemObject;
    item.parameters = [{ name: "garden", in: "query", schema: { type: "string" }, "x-open-questions": ["Q-pots"] }];
    item.put = { ...structuredClone(item.get as OperationObject), operationId: "putPot" };
    const page = pageFinder(smallSite(document));
    const text = textOf(page("questions/money.html").main);
    expect(text.split("parameter garden, response 200 price")).toHaveLength(3);
    for (const id of ["getPot", "putPot"]) {
      expect(textOf(page(`operations/${id}.html`).byId.get("questions"))).toContain("How many pots are there?");
    }
  });
});

describe("a request body with forms that the contract does not use", () => {
  const document = smallDocument();
  const objectSchema = (properties: object) => ({ type: "object", properties });
  const textSchema = { type: "string" };
  Object.assign(document.components?.schemas as object, {
    Nest: objectSchema({ inner: { $ref: "#/components/schemas/Nest" } }),
  });
  const schema = {
    ...objectSchema({
      colour: { enum: ["red", 5] },
      size: textSchema,
      form: {
        oneOf: [{ title: "Round", ...objectSchema({ radius: textSchema }) }, objectSchema({ edge: textSchema })],
      },
      inner: { $ref: "#/components/schemas/Nest" },
      a: objectSchema({ b: objectSchema({ c: objectSchema({ d: textSchema }) }) }),
    }),
    additionalProperties: false,
    required: ["colour"],
    if: { properties: { colour: { const: "red" } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ["size"] },
  };
  const requestBody = { content: { "application/json": { schema } } };
  Object.assign(document.paths["/pots/{potId}"]?.get as object, { requestBody });
  const { main, byId } = pageFinder(smallSite(document))("operations/getPot.html");

  test("has constraints, rules and alternatives in words", () => {
    expect(textOf(byId.get("request-colour"))).toMatch(/required.*one of red, 5/);
    expect(textOf(byId.get("request-form"))).toMatch(/One of: Round .*radius .*One of: Form 2 .*edge/);
    const body = textOf(byId.get("request")?.parentNode as Element);
    expect(body).toContain("When colour is red: size is required.");
    expect(body).toContain("no other fields");
  });

  test("stops at a recursive schema, and folds deeply nested fields", () => {
    expect(textOf(byId.get("request-inner"))).toContain("object");
    expect(byId.has("request-inner-inner-inner")).toBe(false);
    const foldedParts = elementsOf(main).filter(
      (element) => element.tagName === "details" && attribute(element, "open") === undefined,
    );
    const isFolded = (id: string) => foldedParts.some((part) => elementsOf(part).includes(byId.get(id) as Element));
    expect(["request-a-b", "request-a-b-c"].map(isFolded)).toEqual([false, true]);
  });
});

test("a guide can link only what exists", () => {
  const guideLines = [
    "[call](operation:getPot), [event](webhook:potBroken), [code](error:P901), [open](question:Q-pots),",
    "[here](guide:pots), [area](area:Garden pots), Get Pot, P902, P999 and `P901`, [no](webhook:none), [no](guide:none).",
  ];
  const { main, hrefs } = pageFinder(smallSite(smallDocument(), guideLines.join("\n")))("guides/pots.html");
  const [article] = elementsWithClass(main, "guide");
  expect(textOf(article)).toBe("call, event, code, open, here, area, Get Pot, P902, P999 and P901, no, no.");
  const targets = ["operations/getPot", "webhooks/potBroken", "errors/P901", "areas/garden-pots", "errors/P902"];
  for (const target of targets) expect(hrefs).toContain(`../${target}.html`);
  expect(hrefs).toContain("../questions/money.html#q-pots");
  expect(hrefs).toContain("pots.html");
  expect([...hrefs].filter((href) => /P999|none/i.test(href))).toEqual([]);
});
