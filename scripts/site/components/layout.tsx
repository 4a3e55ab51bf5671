import { editions } from "../../base/index.ts";
import { bundleName, markdownPathOf, pathOf, sliceName } from "../content/pages.ts";
import { apiTitle } from "../content/site.ts";
import { pagePolicy } from "../server/policy.ts";
import { Navigation } from "./navigation.tsx";
import { useHrefs, usePage } from "./page-context.ts";
import { PageQuestions } from "./questions.tsx";
import type { PageContent, Section, SitePage } from "./site-page.ts";
import { list } from "./table.tsx";

export function Layout({ page }: { page: SitePage }) {
  const { site, assets, address, isArchived } = usePage();
  const hrefs = useHrefs();
  const path = pathOf(page.ref);
  const content = page.content();
  const title = page.ref.kind === "home" ? apiTitle(site) : `${page.title} · ${page.section} · ${apiTitle(site)}`;
  return (
    <html
      lang="en"
      data-root={hrefs.root}
      data-snippets={hrefs.asset("snippets.js")}
      data-sending={hrefs.asset("sending.js")}
    >
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={pagePolicy} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <meta name="description" content={page.description} />
        {isArchived && <meta name="robots" content="noindex" />}
        <meta property="og:type" content="website" />
        <meta property="og:title" content={title} />
        <meta property="og:description" content={page.description} />
        {address?.isKnown && <meta property="og:image" content={address.url + assets["preview.png"]} />}
        <meta name="referrer" content="no-referrer" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href={hrefs.asset("favicon.svg")} type="image/svg+xml" />
        <link rel="alternate" href={hrefs.file(markdownPathOf(path))} type="text/markdown" />
        {address?.isKnown && page.ref.kind !== "not-found" && <link rel="canonical" href={address.url + path} />}
        <link rel="stylesheet" href={hrefs.asset("site.css")} />
        <script src={hrefs.asset("site.js")} />
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        {content.samples && (
          <a class="skip" href="#samples">
            Skip to the samples
          </a>
        )}
        {isArchived && (
          <p class="archived">
            These pages are of version {site.contract.document.info.version}.{" "}
            <a href={`${hrefs.root.replace(/\/$/, "")}/../index.html`}>The current version</a>
          </p>
        )}
        <Header />
        <div class="frame">
          <Navigation />
          <Contents content={content} />
          <main id="content" class={`page page-${page.ref.kind}`}>
            <Trail page={page} />
            <Content title={page.title} content={content} />
          </main>
        </div>
        <Footer />
      </body>
    </html>
  );
}

function Header() {
  const { site } = usePage();
  const hrefs = useHrefs();
  return (
    <header class="top">
      <a class="brand" href={hrefs.page({ kind: "home" })} aria-label={apiTitle(site)}>
        <img class="logo" src={hrefs.asset("favicon.svg")} alt="" width="24" height="24" />
        <span>{apiTitle(site)}</span>
      </a>
      {/* The class `scripted` hides elements that need the script, unless the script runs. */}
      <button
        class="search-button scripted"
        type="button"
        aria-label="Search"
        aria-haspopup="dialog"
        aria-keyshortcuts="/ Control+K"
      >
        <span>Search</span>
      </button>
      <button class="menu-button" type="button" popovertarget="pages">
        Pages
      </button>
      <label class="languages scripted">
        <span>Language</span>
        <select />
      </label>
      <fieldset class="editions scripted">
        <legend>Edition</legend>
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

function sectionsOf({ sections = [] }: PageContent): Section[] {
  return sections.filter(([, , sectionContent]) => Boolean(sectionContent));
}

function Contents({ content }: { content: PageContent }) {
  const headings = [...(content.headings ?? []), ...sectionsOf(content).map(([id, title]) => ({ id, title }))];
  // Narrow windows show the samples below the text. Wide windows show them beside the text and hide this link.
  if (content.samples) headings.unshift({ id: "samples", title: "Samples" });
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

export function Content({ title, content }: { title: string; content: PageContent }) {
  const { head, questions = [], origin, samples } = content;
  const text = (
    <>
      <h1>{title}</h1>
      {head}
      {sectionsOf(content).map(([id, heading, sectionContent]) => (
        <section key={id} class="section" aria-labelledby={id}>
          <h2 id={id}>{heading}</h2>
          {sectionContent}
        </section>
      ))}
      <PageQuestions ids={questions} origin={origin} />
    </>
  );
  if (!samples) return text;
  return (
    <div class="columns">
      <div class="text">{text}</div>
      {samples}
    </div>
  );
}

function Trail({ page: { trail = [], ref } }: { page: SitePage }) {
  const hrefs = useHrefs();
  if (ref.kind === "home") return null;
  return (
    <nav class="trail" aria-label="Breadcrumb">
      {list(
        [{ ref: { kind: "home" } as const, title: "Reference" }, ...trail],
        ({ ref: target, title }) => (
          <a href={hrefs.page(target)}>{title}</a>
        ),
        { element: "ol" },
      )}
    </nav>
  );
}

function Footer() {
  const { site, ref } = usePage();
  const hrefs = useHrefs();
  const { version } = site.contract.document.info;
  const sliceNames = ref.kind === "operation" ? [sliceName({ operationId: ref.name })] : [];
  const { repository, support, status } = site.publishing;
  const bundles = editions.flatMap((edition) => [bundleName(edition, "yaml"), bundleName(edition, "json")]);
  return (
    <footer class="foot">
      {list([markdownPathOf(pathOf(ref)), ...sliceNames, ...bundles, "llms.txt"], (path) => (
        <a href={hrefs.file(path)}>
          {path.endsWith(".md")
            ? "This page as Markdown"
            : sliceNames.includes(path)
              ? "This operation as OpenAPI"
              : path}
        </a>
      ))}
      {list(
        Object.entries({ Repository: repository, Support: support, Status: status }).flatMap(([words, href]) =>
          href === null ? [] : [{ words, href }],
        ),
        ({ words, href }) => (
          <a href={href}>{words}</a>
        ),
      )}
      <p>
        Contract version {version}. Made from <code>openapi/</code>; examples are made up.
      </p>
    </footer>
  );
}
