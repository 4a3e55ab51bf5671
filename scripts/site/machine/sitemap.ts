import { h } from "preact";
import { renderToString } from "preact-render-to-string";

const namespace = "http://www.sitemaps.org/schemas/sitemap/0.9";

/** `changed` is a day as YYYY-MM-DD. */
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
