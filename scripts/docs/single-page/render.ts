/** The single pages of both editions. */
import { type Edition, editions, type OpenApiDocument } from "../../contract/index.ts";
import { renderSinglePage } from "./page.ts";

/**
 * The whole contract of each edition on one page, plainly as Redocly shows it.
 *
 * @returns the pages by their paths below the folder of the site.
 * @throws {UsageError} when Redocly fails.
 */
export async function renderSinglePages(
  bundles: Record<Edition, { document: OpenApiDocument }>,
): Promise<Record<string, string>> {
  const pages = await Promise.all(editions.map((edition) => renderSinglePage(bundles[edition].document)));
  return Object.fromEntries(
    editions.map((edition, index) => [`${edition}/single-page/index.html`, pages[index] as string]),
  );
}
