import { h } from "preact";
import { renderToString } from "preact-render-to-string";

/** @param lastChangeDay as YYYY-MM-DD; if undefined, the sitemap has no dates. */
export function renderSitemap(siteUrl: string, paths: readonly string[], lastChangeDay?: string): string {
  const entries = paths.map((path) =>
    h(
      "url",
      { key: path },
      h("loc", null, new URL(path, siteUrl).href),
      lastChangeDay && h("lastmod", null, lastChangeDay),
    ),
  );
  const list = h("urlset", { xmlns: "http://www.sitemaps.org/schemas/sitemap/0.9" }, entries);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${renderToString(list)}\n`;
}

export function renderRobots(siteUrl: string): string {
  return `User-agent: *\nAllow: /\n\nSitemap: ${new URL("sitemap.xml", siteUrl).href}\n`;
}
