/** The journeys in the guides: their steps in order, with links to the calls and codes, in the editions that have them. */
import { describe, expect, it, test } from "vitest";
import { editions } from "../../scripts/contract/index.ts";
import { readJourneys } from "../../scripts/docs/index.ts";
import { guidePages } from "../../scripts/docs/pages/guide.tsx";
import { readGuides } from "../../scripts/docs/site/guides.ts";
import { expectedOf, operationOfStep } from "../../scripts/docs/site/journeys.ts";
import { createSite, type EditionSite } from "../../scripts/docs/site/site.ts";
import { Sources } from "../../scripts/sources/index.ts";
import { attribute, type Element, elementsOf, parsePages, textOf } from "./parsed-page.ts";
import { bundles } from "./site-bundles.ts";

const journeys = readJourneys();
const sources = {
  registers: new Sources().registers(),
  guides: readGuides(),
  journeys,
  changelog: "",
  comparison: "",
  scenario: {},
};
const siteOf = (edition: "latest" | "test"): EditionSite =>
  createSite(edition, structuredClone(bundles[edition]), sources);

describe.each(editions)("the guides of %s", (edition) => {
  const site = siteOf(edition);
  const shown = guidePages(site).filter(
    ({ ref }) => "name" in ref && site.guides.find(({ name }) => name === ref.name)?.text.includes("{{journey "),
  );
  const pages = parsePages(shown, site);

  /** The steps of a journey, as a guide shows them. */
  function stepsOf(workflowId: string): Element[] {
    const section = pages.flatMap(({ byId }) => byId.get(`journey-${workflowId}`) ?? [])[0];
    const list =
      section && elementsOf(section).find(({ attrs }) => attrs.some(({ value }) => value === "journey-steps"));
    return list === undefined ? [] : elementsOf(list).filter(({ tagName }) => tagName === "li");
  }

  it.each(
    site.journeys.filter(({ workflowId }) => isInGuides(workflowId)).map((journey) => [journey.workflowId, journey]),
  )(
    "have the steps of %s in their order, with links to the calls and to the codes that refuse them",
    (workflowId, { steps }) => {
      const entries = stepsOf(String(workflowId));
      expect(entries).toHaveLength(steps.length);
      for (const [index, step] of steps.entries()) {
        const { source, operationId } = operationOfStep(step);
        const { status, code } = expectedOf(step);
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

  it("say of the others that the edition does not have them", () => {
    const missing = journeys.filter(
      ({ workflowId }) => isInGuides(workflowId) && !site.journeys.some((one) => one.workflowId === workflowId),
    );
    for (const { workflowId } of missing) expect(stepsOf(workflowId)).toEqual([]);
    const texts = pages.map(({ main }) => textOf(main)).join();
    expect(texts.includes("This journey is not in this edition")).toBe(missing.length > 0);
  });
});

/** Whether a guide of both editions, or of its own, shows a journey. */
function isInGuides(workflowId: string): boolean {
  return sources.guides.some(
    ({ text, edition }) => edition === undefined && text.includes(`{{journey ${workflowId}}}`),
  );
}

test("the edition test has every journey, latest those without operations and codes that it does not have", () => {
  const namesOf = (edition: "latest" | "test") => siteOf(edition).journeys.map(({ workflowId }) => workflowId);
  expect(namesOf("test")).toEqual(journeys.map(({ workflowId }) => workflowId));
  expect(namesOf("latest")).toEqual(["cryptoWithdrawal", "hostedKyc", "onboarding", "transfer"]);
});
