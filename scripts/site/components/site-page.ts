import type { ComponentChildren } from "preact";
import type { Edition } from "../../base/index.ts";
import type { PageRef } from "../content/pages.ts";

export interface SitePage {
  ref: PageRef;
  title: string;
  /** Plain text of one or two sentences, for search engines and lists. */
  description: string;
  section: string;
  edition?: Edition;
  /** Further search terms for the page, mostly words that it does not contain. */
  synonyms?: readonly string[];
  /** The breadcrumbs from the outermost page inwards, without the home page. */
  trail?: readonly { ref: PageRef; title: string }[];
  content: () => PageContent;
}

export interface PageContent {
  head?: ComponentChildren;
  sections?: readonly Section[];
  /** Second-level headings in `head`, for the table of contents. */
  headings?: readonly { id: string; title: string }[];
  questions?: readonly string[];
  origin?: ComponentChildren;
  samples?: ComponentChildren;
}

/** A section under a second-level heading. A section without content is left out. */
export type Section = readonly [id: string, title: string, content: ComponentChildren];
