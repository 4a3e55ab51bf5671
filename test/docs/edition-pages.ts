/** The pages of the operations and areas of both editions, as a reader finds them. */
import { type Edition, markOn, type Operation, weakest } from "../../scripts/contract/index.ts";
import { areaPages } from "../../scripts/docs/pages/area.tsx";
import { operationPages } from "../../scripts/docs/pages/operation.tsx";
import { operationsPage } from "../../scripts/docs/pages/operations.tsx";
import { readGuides } from "../../scripts/docs/site/guides.ts";
import { readJourneys } from "../../scripts/docs/site/journeys.ts";
import { pathOf, relativeHref } from "../../scripts/docs/site/pages.ts";
import {
  createSite,
  type EditionSite,
  findTarget,
  type SiteSources,
  type TargetKind,
} from "../../scripts/docs/site/site.ts";
import { Sources } from "../../scripts/sources/index.ts";
import { type ParsedPage, parsePages } from "./parsed-page.ts";
import { bundles } from "./site-bundles.ts";

export const siteSources: SiteSources = {
  registers: new Sources().registers(),
  guides: readGuides(),
  journeys: readJourneys(),
  changelog: "",
  comparison: "",
  scenario: {},
  wholeDocument: bundles.test.document,
};

export interface EditionPages {
  site: EditionSite;
  /** One for each operation, in the order of the contract. */
  pages: ParsedPage[];
  /** The list of all operations, then one for each area. */
  listing: ParsedPage[];
  /**
   * Judges every operation.
   *
   * @param judge complaints about an operation and its page.
   * @returns all complaints, each with its operation.
   */
  complaintsOf(judge: (operation: Operation, page: ParsedPage) => string[]): string[];
  /** The address of something as the link of a page; throws where the edition does not have it. */
  hrefFrom(page: ParsedPage, kind: TargetKind, name: string): string;
}

const made = new Map<Edition, EditionPages>();

/** Renders the pages of an edition once. */
export function pagesOfEdition(edition: Edition): EditionPages {
  const known = made.get(edition);
  if (known !== undefined) return known;
  const site = createSite(edition, bundles[edition], siteSources);
  const pages = parsePages(operationPages(site), site);
  const rendered: EditionPages = {
    site,
    pages,
    listing: parsePages([operationsPage(site), ...areaPages(site)], site),
    complaintsOf: (judge) =>
      site.contract.operations.flatMap((operation) => {
        const page = pages.find(({ path }) => path === pathOf({ kind: "operation", name: operation.operationId }));
        const complaints = page === undefined ? ["there is no page"] : judge(operation, page);
        return complaints.map((complaint) => `${operation.operationId}: ${complaint}`);
      }),
    hrefFrom: (page, kind, name) => {
      const target = findTarget(site, kind, name);
      if (target === undefined) throw new Error(`The edition ${edition} has no ${kind} ${name}.`);
      return relativeHref(page.path, pathOf(target)) + (target.anchor === undefined ? "" : `#${target.anchor}`);
    },
  };
  made.set(edition, rendered);
  return rendered;
}

/** The bodies that a page describes with their fields. */
export function bodiesOf({ requestBody, answers, provenance = "proposed" }: Operation) {
  const sent = (requestBody?.bodies ?? []).map(({ schema }) => ({ prefix: "request", schema, provenance }));
  const received = answers
    .filter(({ status, codes }) => status < 400 && codes.length === 0)
    .flatMap(({ key, bodies, place }) =>
      bodies.map(({ schema }) => ({
        prefix: `response-${key}`,
        schema,
        provenance: weakest(provenance, markOn(place), markOn(place.target)),
      })),
    );
  return [...sent, ...received];
}
