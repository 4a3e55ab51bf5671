/** The type of all pages. */
import type { ComponentChildren } from "preact";
import type { Edition } from "../../contract/model/index.ts";
import type { PageRef } from "../site/pages.ts";

/** A page of the site. */
export interface SitePage {
  ref: PageRef;
  /** The heading, and the start of the browser title. */
  title: string;
  /** A plain text summary in one or two sentences, for search engines and lists. */
  description: string;
  /** The kind of page, as shown in search results. */
  section: string;
  /** The first edition that has its subject; latest by default. */
  edition?: Edition;
  /** Search terms that the page does not contain. */
  synonyms?: readonly string[];
  /** The breadcrumbs from the outermost on, without the home page. */
  trail?: readonly { ref: PageRef; title: string }[];
  content: () => PageContent;
}

/** The content between header and footer, without the first-level heading. */
export interface PageContent {
  /** Content above the sections. */
  head?: ComponentChildren;
  sections?: readonly Section[];
  /** Second-level headings within the head, for the list of contents. */
  headings?: readonly { id: string; title: string }[];
  /** The open questions that the page depends on. */
  questions?: readonly string[];
  /** The provenance of its subject. */
  origin?: ComponentChildren;
  /** The column of samples, with the heading `samples`; next to the sections on a wide screen. */
  samples?: ComponentChildren;
}

/** A section under a second-level heading. Left out when it is empty. */
export type Section = readonly [id: string, title: string, content: ComponentChildren];
