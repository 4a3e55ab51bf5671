/** The index of the search, made by Pagefind. */
import { close, createIndex } from "pagefind";

/** A page to be found. */
export interface IndexedPage {
  /** Its path below the folder of its edition. */
  path: string;
  html: string;
}

/** What the search loads; Pagefind's own user interfaces are left out. */
const isNeeded = (path: string) =>
  /^(pagefind\.js|pagefind-worker\.js|pagefind-entry\.json|wasm\..*|.*\.pf_.*)$/.test(path);

/**
 * Makes the index of an edition.
 *
 * @returns the files of the folder `pagefind`, by their paths below the folder of the edition.
 * @throws {Error} when Pagefind fails.
 */
export async function indexPages(pages: readonly IndexedPage[]): Promise<Record<string, Uint8Array>> {
  const { index, errors } = await createIndex({
    keepIndexUrl: true,
    forceLanguage: "en",
    excludeSelectors: ["pre", "svg", "thead", ".mark"],
  });
  if (index === undefined) throw new Error(`The index of the search cannot be made: ${errors.join("; ")}`);
  for (const { path, html } of pages) await index.addHTMLFile({ url: path, content: html });
  const made = await index.getFiles();
  await index.deleteIndex();
  const problems = made.errors;
  if (problems.length > 0) throw new Error(`The index of the search cannot be made: ${problems.join("; ")}`);
  const files = made.files.filter(({ path }) => isNeeded(path.replace(/^.*\//, "")));
  return Object.fromEntries(files.map(({ path, content }) => [`pagefind/${path}`, content]));
}

/** Ends the process that Pagefind works in. */
export async function closeIndexer(): Promise<void> {
  await close();
}
