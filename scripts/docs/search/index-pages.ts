/** The index of the search, made by Pagefind. */
import { close, createIndex } from "pagefind";

/** What the search loads; Pagefind's own user interfaces are left out. */
const isNeeded = (path: string) =>
  /^(pagefind\.js|pagefind-worker\.js|pagefind-entry\.json|wasm\..*|.*\.pf_.*)$/.test(path);

/**
 * Makes the index of the search.
 *
 * @param pages HTML by path below the folder of the site.
 * @returns the files of the folder `pagefind`, by their paths below the folder of the site.
 * @throws {Error} when Pagefind fails.
 */
export async function indexPages(pages: Readonly<Record<string, string>>): Promise<Record<string, Uint8Array>> {
  const { index, errors } = await createIndex({
    keepIndexUrl: true,
    forceLanguage: "en",
    excludeSelectors: ["pre", "svg", "thead", ".mark"],
  });
  if (index === undefined) throw new Error(`The index of the search cannot be made: ${errors.join("; ")}`);
  for (const [path, html] of Object.entries(pages)) await index.addHTMLFile({ url: path, content: html });
  const made = await index.getFiles();
  // Ends the process that Pagefind works in.
  await close();
  if (made.errors.length > 0) throw new Error(`The index of the search cannot be made: ${made.errors.join("; ")}`);
  const files = made.files.filter(({ path }) => isNeeded(path.replace(/^.*\//, "")));
  return Object.fromEntries(files.map(({ path, content }) => [`pagefind/${path}`, content]));
}
