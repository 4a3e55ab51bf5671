/** Checks the guides without rendering anything. */
import type { OpenApiDocument, Registers } from "../contract/index.ts";
import { problemsOfGuide } from "./site/check-guides.ts";
import { readGuides } from "./site/guides.ts";
import { readJourneys } from "./site/journeys.ts";
import { createSite } from "./site/site.ts";

/**
 * What is wrong with the guides: links, blocks, marks and headings, each with file and line.
 *
 * @param document the whole contract.
 * @throws {UsageError} when a guide cannot be read or has not the form of one.
 */
export function guideProblems(document: OpenApiDocument, registers: Registers): string[] {
  const sources = {
    registers,
    guides: readGuides(),
    journeys: readJourneys(),
    changelog: "",
  };
  const site = createSite(document, sources);
  return site.guides.flatMap((guide) => problemsOfGuide(guide, site));
}
