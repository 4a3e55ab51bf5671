/** Builds the site of the reference: an index, and a page for each edition. */
import { bundleContract, toJson, toYaml } from "../build/bundle.ts";
import { type Files, replaceFolder } from "../build/files.ts";
import type { OpenApiDocument } from "../contract/document.ts";
import { readOpenQuestions } from "../contract/open-questions.ts";
import { docsFolder, type Edition, editions } from "../contract/project.ts";
import { annotateDocument } from "./annotate.ts";
import { readGuides } from "./guides.ts";
import { renderIndex } from "./index-page.ts";
import { renderPage } from "./redoc.ts";
import { readRequiredStates } from "./required-states.ts";
import { sealPage } from "./seal.ts";

export interface DocsOptions {
  /** Absolute path of the folder to make; `generated/docs` by default. */
  outputFolder?: string;
  /** The bundle of each edition; bundled from the contract by default. */
  documents?: Record<Edition, OpenApiDocument>;
}

/**
 * Builds the site: `index.html`, and for each edition `<edition>/index.html` with the two bundles beside it. The site is
 * put in place as a whole; when anything fails, the one that was there before is still there.
 *
 * @throws {UsageError} when a source cannot be read or Redocly fails.
 */
export async function buildDocs({ outputFolder = docsFolder, documents }: DocsOptions = {}): Promise<void> {
  const bundles = documents ?? (await bundleAll());
  const questions = readOpenQuestions();
  const sources = { questions, states: readRequiredStates(), guides: readGuides() };
  const pages = await Promise.all(
    editions.map(async (edition) => {
      const page = await renderPage(annotateDocument(bundles[edition], sources));
      return editionFiles(edition, bundles[edition], sealPage(page));
    }),
  );
  replaceFolder(outputFolder, Object.assign({ "index.html": renderIndex(bundles, questions) }, ...pages) as Files);
}

function editionFiles(edition: Edition, document: OpenApiDocument, page: string): Files {
  return {
    [`${edition}/index.html`]: page,
    [`${edition}/openapi.yaml`]: toYaml(document),
    [`${edition}/openapi.json`]: toJson(document),
  };
}

async function bundleAll(): Promise<Record<Edition, OpenApiDocument>> {
  const entries = await Promise.all(editions.map(async (edition) => [edition, await bundleContract(edition)] as const));
  return Object.fromEntries(entries) as Record<Edition, OpenApiDocument>;
}
