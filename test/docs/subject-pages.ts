/** What the tests of codes, webhooks and lifecycles share. */
import { gzipSync } from "node:zlib";
import type { Registers } from "../../scripts/contract/index.ts";
import { readGuides } from "../../scripts/docs/site/guides.ts";
import { readJourneys } from "../../scripts/docs/site/journeys.ts";
import { pathOf, relativeHref } from "../../scripts/docs/site/pages.ts";
import { type EditionSite, findTarget, type SiteSources } from "../../scripts/docs/site/site.ts";
import type { ParsedPage } from "./parsed-page.ts";

/** Sources without the texts that only pages about the project show. */
export function bareSources(registers: Registers): SiteSources {
  return { registers, guides: readGuides(), journeys: readJourneys(), changelog: "", comparison: "", scenario: {} };
}

/** The size of the largest page, compressed, in bytes. */
export function largestPage(pages: readonly ParsedPage[]): number {
  return Math.max(...pages.map(({ html }) => gzipSync(html).length));
}

/** The questions that a page does not link. */
export function unlinkedQuestions(ids: readonly string[], { path, hrefs }: ParsedPage, site: EditionSite): string[] {
  return ids.filter((id) => {
    const target = findTarget(site, "question", id);
    return target === undefined || !hrefs.has(`${relativeHref(path, pathOf(target))}#${target.anchor}`);
  });
}
