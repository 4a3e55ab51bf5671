/** The pages of the operations and areas, as a reader finds them. */
import { markOn, type Operation, weakest } from "../../scripts/contract/index.ts";
import { areaPages } from "../../scripts/docs/pages/area.tsx";
import { operationPages } from "../../scripts/docs/pages/operation.tsx";
import { operationsPage } from "../../scripts/docs/pages/operations.tsx";
import { pathOf, relativeHref } from "../../scripts/docs/site/pages.ts";
import { findTarget, type TargetKind } from "../../scripts/docs/site/site.ts";
import { type ParsedPage, parsePages } from "./parsed-page.ts";
import { site } from "./whole-site.ts";

/** One for each operation, in the order of the contract. */
export const pages = parsePages(operationPages(site), site);

/** The list of all operations, then one for each area. */
export const listing = parsePages([operationsPage(site), ...areaPages(site)], site);

/**
 * Judges every operation.
 *
 * @param judge complaints about an operation and its page.
 * @returns all complaints, each with its operation.
 */
export function complaintsOf(judge: (operation: Operation, page: ParsedPage) => string[]): string[] {
  return site.contract.operations.flatMap((operation) => {
    const page = pages.find(({ path }) => path === pathOf({ kind: "operation", name: operation.operationId }));
    const complaints = page === undefined ? ["there is no page"] : judge(operation, page);
    return complaints.map((complaint) => `${operation.operationId}: ${complaint}`);
  });
}

/** The address of something as the link of a page; throws where there is no such page. */
export function hrefFrom(page: ParsedPage, kind: TargetKind, name: string): string {
  const target = findTarget(site, kind, name);
  if (target === undefined) throw new Error(`There is no ${kind} ${name}.`);
  return relativeHref(page.path, pathOf(target)) + (target.anchor === undefined ? "" : `#${target.anchor}`);
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
