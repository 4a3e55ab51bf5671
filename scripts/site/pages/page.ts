/** What every kind of page is. */
import type { ComponentChildren } from "preact";
import type { Edition } from "../../contract/model/index.ts";
import type { PageRef } from "../site/pages.ts";

/** A page of the site. */
export interface SitePage {
  ref: PageRef;
  /** The heading, and the first part of the title in the browser. */
  title: string;
  /** What it holds in one or two sentences of plain text, for search engines and lists. */
  description: string;
  /** What kind of page it is, as the search shows it. */
  section: string;
  /** The first edition that has its subject; latest by default. */
  edition?: Edition;
  /** Words that somebody may search for and that the page does not have. */
  synonyms?: readonly string[];
  /** The links on the way to it, from the outermost on; the first page is left out. */
  trail?: readonly { ref: PageRef; title: string }[];
  content: () => PageContent;
}

/** Everything between the header of the page and its footer, without the heading of the first level. */
export interface PageContent {
  /** What stands above the sections. */
  head?: ComponentChildren;
  sections?: readonly Section[];
  /** The headings of the second level within the head, for the list beside a long page. */
  headings?: readonly { id: string; title: string }[];
  /** The open questions that the page rests on. */
  questions?: readonly string[];
  /** Where its subject comes from. */
  origin?: ComponentChildren;
  /** The column of samples, with the heading `samples`; beside the sections on a wide screen. */
  samples?: ComponentChildren;
}

/** A part under a heading of the second level. One without content is left out. */
export type Section = readonly [id: string, title: string, content: ComponentChildren];
