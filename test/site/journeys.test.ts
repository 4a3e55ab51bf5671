import { describe, expect, it } from "vitest";
import { expectedResponseOf, operationOfStep } from "../../scripts/site/content/journeys.ts";
import { guidePages } from "../../scripts/site/pages/guide.tsx";
import { attribute, type Element, elementsOf, elementsWithClass, parsePages, textOf } from "./parsed-page.ts";
import { site } from "./whole-site.ts";

describe("the guides", () => {
  const guidePagesWithJourneys = guidePages(site).filter(
    ({ ref }) => "name" in ref && site.guides.find(({ name }) => name === ref.name)?.text.includes("{{journey "),
  );
  const pages = parsePages(guidePagesWithJourneys, site);

  function stepsOf(workflowId: string): Element[] {
    const section = pages.flatMap(({ byId }) => byId.get(`journey-${workflowId}`) ?? [])[0];
    const [list] = section === undefined ? [] : elementsWithClass(section, "steps");
    return list === undefined ? [] : elementsOf(list).filter(({ tagName }) => tagName === "li");
  }

  it.each(
    site.journeys.filter(({ workflowId }) => isInGuides(workflowId)).map((journey) => [journey.workflowId, journey]),
  )(
    "show the steps of %s in order, with links to the calls and to the codes that refuse them",
    (workflowId, { steps }) => {
      const entries = stepsOf(String(workflowId));
      expect(entries).toHaveLength(steps.length);
      for (const [index, step] of steps.entries()) {
        const { source, operationId } = operationOfStep(step);
        const { status, code } = expectedResponseOf(step);
        const links = elementsOf(entries[index] as Element).flatMap((element) => attribute(element, "href") ?? []);
        if (source === "mock") {
          expect(textOf(entries[index])).toContain("control interface of the mock");
          continue;
        }
        expect(links[0]).toBe(`../operations/${operationId}.html`);
        if (code !== "") expect(links[1]).toBe(`../errors/${code}.html`);
        expect(textOf(entries[index])).toContain(`(${status}`);
      }
    },
  );
});

function isInGuides(workflowId: string): boolean {
  return site.guides.some(({ text }) => text.includes(`{{journey ${workflowId}}}`));
}
