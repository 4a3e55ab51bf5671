/** The site of the reference documentation: an index, and a page for each edition. */
import { readFileSync } from "node:fs";
import {
  type Edition,
  editions,
  type OpenApiDocument,
  projectRoot,
  type Registers,
  UsageError,
} from "../contract/index.ts";
import { annotateDocument } from "./annotate.ts";
import { renderIndex } from "./index-page.ts";
import { readJourneys } from "./journeys.ts";
import { previewPage, renderPage } from "./page.ts";

export { type AnnotationSources, annotateDocument } from "./annotate.ts";
export { type Journey, operationOfStep, readJourneys } from "./journeys.ts";
export { type Site, type SiteOptions, serveSite } from "./site-server.ts";

/** The bundle of an edition, and its text in both formats. */
export interface SiteBundle {
  document: OpenApiDocument;
  yaml: string;
  json: string;
}

/** What the pages are written with besides the bundles. */
export interface SiteSources {
  registers: Registers;
  /** Absolute path of the folder with the guides; `openapi/guides` by default. */
  guidesFolder?: string;
}

/**
 * Renders the whole site.
 *
 * @returns path and text of every file: `index.html`, and the files of {@link renderEdition} for each edition.
 * @throws {UsageError} when a guide cannot be read or Redocly fails.
 */
export async function renderSite({
  bundles,
  ...sources
}: SiteSources & { bundles: Record<Edition, SiteBundle> }): Promise<Record<string, string>> {
  const files = await Promise.all(editions.map((edition) => renderEdition(edition, bundles[edition], sources)));
  const documents = { latest: bundles.latest.document, test: bundles.test.document };
  return Object.assign({ "index.html": renderIndex(documents, sources.registers.questions) }, ...files);
}

/**
 * Renders the page of one edition, with the bundle beside it to download.
 *
 * @returns path and text of `<edition>/index.html`, `<edition>/openapi.yaml` and `<edition>/openapi.json`.
 * @throws {UsageError} when a guide cannot be read or Redocly fails.
 */
export async function renderEdition(
  edition: Edition,
  { document, yaml, json }: SiteBundle,
  { registers, guidesFolder }: SiteSources,
): Promise<Record<string, string>> {
  const annotated = annotateDocument(document, {
    ...registers,
    guides: readGuides(guidesFolder),
    journeys: readJourneys(),
  });
  return {
    [`${edition}/index.html`]: await renderPage(annotated),
    [`${edition}/openapi.yaml`]: yaml,
    [`${edition}/openapi.json`]: json,
  };
}

/**
 * The page of one edition with another bundle in it, at once: see {@link previewPage}.
 *
 * @param page the page as it is.
 * @returns undefined when the page is not as expected.
 * @throws {UsageError} when a guide cannot be read.
 */
export function previewEdition(
  page: string,
  document: OpenApiDocument,
  { registers, guidesFolder }: SiteSources,
): string | undefined {
  return previewPage(
    page,
    annotateDocument(document, { ...registers, guides: readGuides(guidesFolder), journeys: readJourneys() }),
  );
}

/** The guides in the order of the page; each is a file of the folder. */
export const guideNames = [
  "getting-started",
  "errors",
  "webhooks",
  "webhook-delivery",
  "provenance-and-editions",
  "versions",
] as const;

/**
 * The text of all guides. Links in it are not resolved yet; see `linkText`.
 *
 * @param folder absolute path; `openapi/guides` by default.
 * @throws {UsageError} when a guide cannot be read.
 */
export function readGuides(folder = `${projectRoot}/openapi/guides`): string {
  return guideNames.map((name) => readGuide(`${folder}/${name}.md`)).join("\n\n");
}

function readGuide(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    throw new UsageError(`The guide ${file} cannot be read: ${(error as Error).message}`);
  }
}
