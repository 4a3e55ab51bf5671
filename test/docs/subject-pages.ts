/** What the tests of codes, webhooks and lifecycles share. */
import { gzipSync } from "node:zlib";
import { pathOf, relativeHref } from "../../scripts/docs/site/pages.ts";
import { findTarget, type SiteContent } from "../../scripts/docs/site/site.ts";
import type { ParsedPage } from "./parsed-page.ts";

/** The size of the largest page, compressed, in bytes. */
export function largestPage(pages: readonly ParsedPage[]): number {
  return Math.max(...pages.map(({ html }) => gzipSync(html).length));
}

/** The questions that a page does not link. */
export function unlinkedQuestions(ids: readonly string[], { path, hrefs }: ParsedPage, site: SiteContent): string[] {
  return ids.filter((id) => {
    const target = findTarget(site, "question", id);
    return target === undefined || !hrefs.has(`${relativeHref(path, pathOf(target))}#${target.anchor}`);
  });
}
