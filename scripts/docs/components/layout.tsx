/** The frame of every page: the bar at the top, the list of pages, the content, the downloads. */
import { editions } from "../../contract/index.ts";
import { markdownOf } from "../machine/markdown-pages.ts";
import type { PageContent, Section, SitePage } from "../pages/page.ts";
import { pagePolicy } from "../server/policy.ts";
import { bundleName, pathOf } from "../site/pages.ts";
import { apiTitle } from "../site/site.ts";
import { Navigation } from "./navigation.tsx";
import { useHrefs, usePage } from "./page-context.ts";
import { PageQuestions } from "./questions.tsx";
import { list } from "./table.tsx";

export function Layout({ page }: { page: SitePage }) {
  const { site, assets, address } = usePage();
  const hrefs = useHrefs();
  const path = pathOf(page.ref);
  const asset = (name: string) => hrefs.file(assets[name] ?? name);
  const content = page.content();
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
        <link rel="alternate" href={hrefs.file(markdownOf(path))} type="text/markdown" />
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
          <Contents content={content} />
          <main id="content" class={`page page-${page.ref.kind}`} {...searchable(page)}>
            <Trail page={page} />
            <h1 {...named(page)}>{page.title}</h1>
            <Content content={content} />
            <Synonyms page={page} />
          </main>
        </div>
        <Footer />
      </body>
    </html>
  );
}

/** Home, search, edition, theme. */
function Header() {
  const { site, assets } = usePage();
  const hrefs = useHrefs();
  return (
    <header class="top">
      <a class="brand" href={hrefs.to({ kind: "home" })} aria-label={apiTitle(site)}>
        <img class="logo" src={hrefs.file(assets["favicon.svg"] ?? "favicon.svg")} alt="" width="24" height="24" />
        <span>{apiTitle(site)}</span>
      </a>
      {/* What needs the script has the class `scripted`, which hides it without one. */}
      <button
        class="search-button scripted"
        type="button"
        aria-label="Search"
        aria-haspopup="dialog"
        aria-keyshortcuts="/ Control+K"
      >
        <span>Search</span>
      </button>
      <a class="menu-link" href="#pages">
        Pages
      </a>
      {/* It selects what menus, lists and the search show. */}
      <fieldset class="editions scripted">
        <legend class="visually-hidden">Edition</legend>
        {editions.map((edition) => (
          <button key={edition} type="button" value={edition}>
            {edition}
          </button>
        ))}
      </fieldset>
      <button class="theme scripted" type="button" aria-label="Theme" />
    </header>
  );
}

/** The sections of a page that have something to show. */
function sectionsOf({ sections = [] }: PageContent): Section[] {
  return sections.filter(([, , inner]) => Boolean(inner));
}

/** The list of the sections of a long page. */
function Contents({ content }: { content: PageContent }) {
  const headings = [...(content.headings ?? []), ...sectionsOf(content).map(([id, title]) => ({ id, title }))];
  if (content.samples) headings.push({ id: "samples", title: "Samples" });
  if (headings.length < 2) return null;
  return (
    <nav class="contents" aria-label="On this page">
      <p class="list-title">On this page</p>
      {list(headings, ({ id, title }) => (
        <a href={`#${id}`}>{title}</a>
      ))}
    </nav>
  );
}

/** What is particular to a page. */
export function Content({ content }: { content: PageContent }) {
  const { head, questions = [], samples } = content;
  const text = (
    <>
      {sectionsOf(content).map(([id, title, inner]) => (
        <section key={id} class="section" aria-labelledby={id}>
          <h2 id={id}>{title}</h2>
          {inner}
        </section>
      ))}
      <PageQuestions ids={questions} />
    </>
  );
  return (
    <>
      {head}
      {samples ? (
        <div class="columns">
          <div class="text">{text}</div>
          {samples}
        </div>
      ) : (
        text
      )}
    </>
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
      {list(
        [{ ref: { kind: "home" } as const, title: "Reference" }, ...trail],
        ({ ref: target, title }) => (
          <a href={hrefs.to(target)}>{title}</a>
        ),
        { as: "ol" },
      )}
    </nav>
  );
}

/** The same page for machines, the downloads, the version. */
function Footer() {
  const { site, ref } = usePage();
  const hrefs = useHrefs();
  const { version } = site.contract.document.info;
  const bundles = editions.flatMap((edition) => [bundleName(edition, "yaml"), bundleName(edition, "json")]);
  return (
    <footer class="foot">
      {list([markdownOf(pathOf(ref)), ...bundles, "llms.txt"], (path) => (
        <a href={hrefs.file(path)}>{path.endsWith(".md") ? "This page as Markdown" : path}</a>
      ))}
      <p>
        Contract version {version}. Made from <code>openapi/</code>; examples are made up.
      </p>
    </footer>
  );
}
