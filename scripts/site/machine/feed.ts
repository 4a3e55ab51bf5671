/** Atom (RFC 4287), with an entry for each version. */
import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { pathOf, slugOf } from "../content/pages.ts";
import { apiTitle, type SiteContent } from "../content/site.ts";

export const feedPath = "about/changelog.atom";

/** The date of an entry is the date of its version, so that every build produces the same file. */
export function renderFeed(siteUrl: string, site: SiteContent, changelogHtml: string): string {
  const pageUrl = new URL(pathOf({ kind: "changelog" }), siteUrl).href;
  const versions = [...site.changelog.matchAll(/^## (\S+) \((\d{4}-\d\d-\d\d)\)$/gm)];
  const entries = versions.map(([, version = "", day = ""]) => {
    const id = `version-${slugOf(`${version} (${day})`)}`;
    const [, content] = new RegExp(`<h2 id="${id}">.*?</h2>(.*?)</section>`, "s").exec(changelogHtml) ?? [];
    if (content === undefined)
      throw new Error(`The page of the changelog has no section ${id}, which the feed contains.`);
    // The page's links are relative to its folder, which a feed reader does not know.
    const absoluteContent = content.replace(
      / href="([^"]*)"/g,
      (_, href: string) => ` href="${new URL(href, pageUrl).href}"`,
    );
    return h(
      "entry",
      { key: id },
      h("title", null, `${apiTitle(site)} ${version}`),
      h("id", null, `${pageUrl}#${id}`),
      h("link", { rel: "alternate", type: "text/html", href: `${pageUrl}#${id}` }),
      h("updated", null, `${day}T00:00:00Z`),
      h("content", { type: "html" }, absoluteContent),
    );
  });
  const newestDay = versions[0]?.[2] ?? "1970-01-01";
  const feed = h(
    "feed",
    { xmlns: "http://www.w3.org/2005/Atom" },
    h("title", null, `${apiTitle(site)}: changelog`),
    h("id", null, pageUrl),
    h("link", { rel: "self", type: "application/atom+xml", href: new URL(feedPath, siteUrl).href }),
    h("link", { rel: "alternate", type: "text/html", href: pageUrl }),
    h("updated", null, `${newestDay}T00:00:00Z`),
    h("author", null, h("name", null, apiTitle(site))),
    entries,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${renderToString(feed)}\n`;
}
