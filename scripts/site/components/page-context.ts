import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { type PageRef, pathOf, relativeHref, type Target } from "../content/pages.ts";
import type { SiteContent } from "../content/site.ts";
import type { SiteAddress } from "../content/site-address.ts";

export interface PageContext {
  site: SiteContent;
  ref: PageRef;
  /** Paths of shared files relative to the site root, by plain name: `site.css` is `assets/site.MZXW6YTB.css`. */
  assets: Readonly<Record<string, string>>;
  /** The path of the site's address, with a slash at both ends. Set only for the 404 page, which is served at any address. */
  base?: string;
  isArchived?: boolean | undefined;
  address?: SiteAddress;
}

const Context = createContext<PageContext | undefined>(undefined);

export const PageProvider = Context.Provider;

export function usePage(): PageContext {
  const page = useContext(Context);
  if (page === undefined) throw new Error("This component is rendered outside of a page.");
  return page;
}

export function useHrefs() {
  const { ref, base, assets } = usePage();
  const pagePath = pathOf(ref);
  const file = (path: string) => (base === undefined ? relativeHref(pagePath, path) : base + path);
  return {
    page: (target: Target): string => {
      const anchor = target.anchor === undefined ? "" : `#${target.anchor}`;
      const path = pathOf(target);
      return path === pagePath && anchor !== "" ? anchor : file(path) + anchor;
    },
    file,
    asset: (name: string): string => file(assets[name] ?? name),
    root: file("") || ".",
  };
}
