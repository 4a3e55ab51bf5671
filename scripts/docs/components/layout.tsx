/** The frame of every page. */
import { twinOf } from "../machine/twins.ts";
import type { SitePage } from "../pages/page.ts";
import { pagePolicy } from "../server/policy.ts";
import { pathOf } from "../site/pages.ts";
import { apiTitle } from "../site/site.ts";
import { Footer } from "./footer.tsx";
import { Header } from "./header.tsx";
import { Navigation } from "./navigation.tsx";
import { useHrefs, usePage } from "./page-context.ts";

export function Layout({ page }: { page: SitePage }) {
  const { site, assets, address } = usePage();
  const hrefs = useHrefs();
  const path = pathOf(page.ref);
  const asset = (name: string) => hrefs.file(assets[name] ?? name);
  const headings = page.headings ?? [];
  return (
    <html lang="en" data-root={hrefs.file("") || "."}>
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={pagePolicy} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>
          {page.ref.kind === "home" ? apiTitle(site) : `${page.title} · ${page.section} · ${apiTitle(site)}`}
        </title>
        <meta name="description" content={page.description} data-pagefind-meta="description[content]" />
        <meta name="referrer" content="no-referrer" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href={asset("favicon.svg")} type="image/svg+xml" />
        <link rel="alternate" href={hrefs.file(twinOf(path))} type="text/markdown" />
        {address?.isKnown && page.ref.kind !== "not-found" && <link rel="canonical" href={address.url + path} />}
        <link rel="stylesheet" href={asset("site.css")} />
        <script src={asset("site.js")} />
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <Header />
        <div class="frame">
          <Navigation />
          {headings.length > 1 && (
            <nav class="contents" aria-label="On this page">
              <p class="list-title">On this page</p>
              <ul>
                {headings.map(({ id, title }) => (
                  <li key={id}>
                    <a href={`#${id}`}>{title}</a>
                  </li>
                ))}
              </ul>
            </nav>
          )}
          <main id="content" class={`page page-${page.ref.kind}`} {...searchable(page)}>
            <Trail page={page} />
            <h1 {...named(page)}>{page.title}</h1>
            {page.content()}
            <Synonyms page={page} />
          </main>
        </div>
        <Footer />
      </body>
    </html>
  );
}

/** What the search shows of a page; the page for unknown addresses is not found by it. */
function searchable({ ref, section }: SitePage) {
  if (ref.kind === "not-found") return {};
  return { "data-pagefind-body": "", "data-pagefind-meta": `section:${section}` };
}

/** The name by which the search finds a page first. */
function named({ ref, edition = "latest" }: SitePage) {
  if (ref.kind === "not-found") return {};
  return { "data-pagefind-weight": "10", "data-pagefind-meta": `title, edition:${edition}` };
}

/** Other names of a page, for the search only. They stand last, so that what the search shows of a page does not begin with them. */
function Synonyms({ page: { synonyms, ref } }: { page: SitePage }) {
  if (synonyms === undefined || ref.kind === "not-found") return null;
  const names = {
    "data-pagefind-weight": "10",
    "data-pagefind-index-attrs": "data-synonyms",
    "data-pagefind-meta": "names[data-synonyms]",
    "data-synonyms": synonyms.join(", "),
  };
  return <div hidden {...names} />;
}

function Trail({ page: { trail = [], ref } }: { page: SitePage }) {
  const hrefs = useHrefs();
  if (ref.kind === "home") return null;
  return (
    <nav class="trail" aria-label="Breadcrumb" data-pagefind-ignore>
      <ol>
        <li>
          <a href={hrefs.to({ kind: "home" })}>Reference</a>
        </li>
        {trail.map(({ ref: target, title }) => (
          <li key={title}>
            <a href={hrefs.to(target)}>{title}</a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
