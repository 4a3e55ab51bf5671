/** The bar at the top of every page: home, search, edition, theme. */
import { type Edition, editions } from "../../contract/index.ts";
import { type PageRef, pathOf, relativeHref, type Target } from "../site/pages.ts";
import { apiTitle } from "../site/site.ts";
import { useHrefs, usePage } from "./page-context.ts";

export function Header() {
  const { site, assets } = usePage();
  const hrefs = useHrefs();
  return (
    <header class="top">
      <a class="brand" href={hrefs.to({ kind: "home" })} aria-label={apiTitle(site)}>
        <img class="logo" src={hrefs.root(assets["favicon.svg"] ?? "favicon.svg")} alt="" width="24" height="24" />
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
      <EditionSwitch />
      <button class="theme scripted" type="button" aria-label="Theme" />
    </header>
  );
}

/** The two editions; the other one opens on the same subject where it has it. */
function EditionSwitch() {
  const { site } = usePage();
  return (
    <nav class="editions" aria-label="Edition">
      {editions.map((edition) => (
        <EditionLink key={edition} edition={edition} isCurrent={edition === site.edition} />
      ))}
    </nav>
  );
}

function EditionLink({ edition, isCurrent }: { edition: Edition; isCurrent: boolean }) {
  const { site, ref, otherPaths, base } = usePage();
  const path = pathOf(ref);
  const isMissing = !isCurrent && !otherPaths.has(path);
  const counterpart: Target = isMissing ? substituteOf(ref) : ref;
  const anchor = counterpart.anchor === undefined ? "" : `#${counterpart.anchor}`;
  const to = `${edition}/${pathOf(counterpart)}`;
  const href = base === undefined ? relativeHref(`${site.edition}/${path}`, to) + anchor : `${base}${edition}/`;
  if (isCurrent)
    return (
      <a href={href} aria-current="true">
        {edition}
      </a>
    );
  return (
    <a href={href} title={isMissing ? `The edition ${edition} does not have this page.` : undefined}>
      {edition}
    </a>
  );
}

/** What to show instead of a page that the other edition does not have. */
function substituteOf(ref: PageRef): Target {
  const lists: Partial<Record<PageRef["kind"], Target>> = {
    operation: { kind: "operations", anchor: "absent" },
    webhook: { kind: "webhooks" },
    error: { kind: "errors" },
    lifecycle: { kind: "lifecycles" },
    guide: { kind: "guides" },
    "questions-of": { kind: "questions" },
  };
  return lists[ref.kind] ?? { kind: "home" };
}
