/** The bar at the top of every page: home, search, edition, theme. */
import { editions } from "../../contract/index.ts";
import { apiTitle } from "../site/site.ts";
import { useHrefs, usePage } from "./page-context.ts";

export function Header() {
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
