/** The sitemap and robots.txt. */
import { h } from "preact";
import { renderToString } from "preact-render-to-string";

const namespace = "http://www.sitemaps.org/schemas/sitemap/0.9";

/**
 * The list of pages, as XML.
 *
 * @param siteUrl with a slash at the end.
 * @param paths of the pages, relative to the site root.
 * @param changed the day of the last change as YYYY-MM-DD; undefined if unknown.
 */
export function renderSitemap(siteUrl: string, paths: readonly string[], changed?: string): string {
  const entries = paths.map((path) =>
    h("url", { key: path }, h("loc", null, new URL(path, siteUrl).href), changed && h("lastmod", null, changed)),
  );
  return `${xmlDeclaration}\n${renderToString(h("urlset", { xmlns: namespace }, entries))}\n`;
}

const xmlDeclaration = `<?xml version="1.0" encoding="UTF-8"?>`;

export function renderRobots(siteUrl: string): string {
  return `User-agent: *\nAllow: /\n\nSitemap: ${new URL("sitemap.xml", siteUrl).href}\n`;
}
