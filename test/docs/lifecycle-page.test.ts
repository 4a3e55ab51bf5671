/** The pages of resources: every transition, and what moves it. */
import { describe, expect, test } from "vitest";
import type { Resource } from "../../scripts/contract/index.ts";
import { lifecyclePages } from "../../scripts/docs/pages/lifecycle.tsx";
import { lifecyclesPage } from "../../scripts/docs/pages/lifecycles.tsx";
import { slugOf } from "../../scripts/docs/site/pages.ts";
import { happenings } from "../../scripts/mock/behaviours/index.ts";
import { type Element, elementsOf, type ParsedPage, parsePages, textOf, withClass } from "./parsed-page.ts";
import { largestPage } from "./subject-pages.ts";
import { site } from "./whole-site.ts";

describe("the page of a resource", () => {
  const { resources, operations, webhooks } = site.contract;
  const pages = parsePages(lifecyclePages(site), site);
  const [index] = parsePages([lifecyclesPage(site)], site) as [ParsedPage];
  const each = (judge: (resource: Resource, page: ParsedPage) => void) => {
    for (const [position, resource] of resources.entries()) judge(resource, pages[position] as ParsedPage);
  };

  test("has a page for each resource, and lists them all", () => {
    expect(pages.map(({ path }) => path)).toEqual(resources.map(({ name }) => `lifecycles/${slugOf(name)}.html`));
    for (const { name } of resources) expect(index.hrefs).toContain(`${slugOf(name)}.html`);
  });

  test("shows every transition", () => {
    each(({ name, states }, { byId }) => {
      for (const { name: state, moves } of states) {
        const section = byId.get(`state-${slugOf(state)}`)?.parentNode as Element;
        const cells = elementsOf(section).flatMap((element) => (element.tagName === "td" ? [valueText(element)] : []));
        for (const [from, next] of Object.entries(moves?.transitions ?? {})) {
          for (const to of next) expect(cells.join("\n"), name).toContain(`${from} → ${to}`);
        }
      }
    });
  });

  test("leaves what an unknown value means to the guides", () => {
    for (const { main, path } of pages) expect(textOf(main), path).not.toMatch(/as not final|do not know/);
  });

  test("links every operation and webhook that concerns a resource", () => {
    each(({ name, details }, { hrefs }) => {
      const concerned = operations.filter(({ operationId, effects }) => {
        return details.includes(operationId) || effects.some(({ resource }) => resource === name);
      });
      for (const { operationId } of concerned) expect(hrefs, name).toContain(`../operations/${operationId}.html`);
      for (const webhook of webhooks.filter(({ event }) => event?.resource === name)) {
        expect(hrefs, name).toContain(`../webhooks/${webhook.name}.html`);
      }
    });
  });

  test("names what happens outside as the mock takes it", () => {
    each(({ name, outside }, { main }) => {
      const entries = withClass(main, "happening-name").map((entry) => textOf(entry).replace("In the mock: ", ""));
      expect(entries, name).toEqual(outside.map((happening) => happening.name));
      for (const happening of entries) expect(Object.keys(happenings)).toContain(`${name}.${happening}`);
    });
  });

  test("has no page above 12 kB, and no id twice on a page", () => {
    const all = [...pages, index];
    expect(largestPage(all)).toBeLessThanOrEqual(12_000);
    for (const { ids, path } of all) expect(new Set(ids).size, path).toBe(ids.length);
  });
});

/** A text in which no value is broken behind an underscore. */
function valueText(element: Element): string {
  return textOf(element).replace(/_\W+/g, "_");
}
