/** The list of pages for language models, see https://llmstxt.org */
import { editions } from "../../contract/model/index.ts";
import type { SitePage } from "../pages/page.ts";
import { bundleName, type PageRef, pathOf, slugOf } from "../site/pages.ts";
import { apiTitle, editionOf, type SiteContent } from "../site/site.ts";
import { linkText } from "../text/links.ts";
import { plainText } from "../text/markdown.tsx";
import { firstSentence } from "../text/words.ts";
import { markdownOf } from "./markdown-pages.ts";

const editionWords = {
  latest: "OpenAPI 3.1, without the operations whose path is proposed",
  test: "OpenAPI 3.1, the whole contract",
};

/** Maximum number of characters in a file with several pages: about 25,000 tokens. */
export const mostCharacters = 90_000;

/** A file with the pages of one subject. */
export interface JoinedText {
  /** Below the folder of the site. */
  readonly path: string;
  /** A short description of the content. */
  readonly title: string;
  readonly text: string;
}

/**
 * The Markdown of all pages in a few files: one for each area with its operations, one each for guides, webhooks, errors and the rest.
 * Files too long for a language model are split at page boundaries.
 *
 * @param textOf returns the Markdown of a page.
 */
export function joinTexts(
  site: SiteContent,
  pages: readonly SitePage[],
  textOf: (page: SitePage) => string,
): JoinedText[] {
  const groups: [title: string, is: (page: SitePage) => boolean][] = [
    ["Guides", ({ ref }) => ["home", "guides", "guide"].includes(ref.kind)],
    ...site.areas.map(({ name, operations }): [string, (page: SitePage) => boolean] => [
      name,
      ({ ref }) =>
        (ref.kind === "area" && ref.name === name) ||
        (ref.kind === "operation" && operations.some((own) => own.operationId === ref.name)),
    ]),
    ["Webhooks", ({ ref }) => ref.kind.startsWith("webhook")],
    ["Errors", ({ ref }) => ref.kind.startsWith("error")],
    ["Lifecycles", ({ ref }) => ref.kind.startsWith("lifecycle")],
    ["Open questions", ({ ref }) => ref.kind.startsWith("questions")],
    ["About", ({ ref }) => ["operations", "downloads", "changelog"].includes(ref.kind)],
  ];
  return groups.flatMap(([title, is]) => {
    const texts = pages.filter(is).map((page) => `<!-- ${markdownOf(pathOf(page.ref))} -->\n\n${textOf(page)}`);
    const parts = packed(texts);
    return parts.map((part, index) => ({
      path: `llms/${slugOf(title)}${parts.length > 1 ? `-${index + 1}` : ""}.txt`,
      title: parts.length > 1 ? `${title}, part ${index + 1} of ${parts.length}` : title,
      text: `Links are relative to the path that stands above each page.\n\n${part}`,
    }));
  });
}

/** Joins consecutive texts up to the maximum length. */
function packed(texts: readonly string[]): string[] {
  const parts: string[] = [];
  for (const text of texts) {
    const last = parts.at(-1);
    if (last !== undefined && last.length + text.length < mostCharacters) parts[parts.length - 1] = `${last}\n${text}`;
    else parts.push(text);
  }
  return parts;
}

/**
 * Instructions for calls, then a section for each kind of page, with a link to the Markdown of each page.
 *
 * @param joined the files with the texts of several pages.
 */
export function renderLlms(site: SiteContent, pages: readonly SitePage[], joined: readonly JoinedText[]): string {
  const entriesOf = (...kinds: PageRef["kind"][]) =>
    pages.filter(({ ref }) => kinds.includes(ref.kind)).map((page) => entry(page, site));
  const ofKinds = (title: string, ...kinds: PageRef["kind"][]) => section(title, entriesOf(...kinds));
  const areas = site.areas.map(({ name, operations }) => {
    const isIn = ({ ref }: SitePage) =>
      (ref.kind === "area" && ref.name === name) ||
      (ref.kind === "operation" && operations.some((own) => own.operationId === ref.name));
    return section(
      name,
      pages.filter(isIn).map((page) => entry(page, site)),
    );
  });
  const { version } = site.contract.document.info;
  return text([
    `# ${apiTitle(site)}`,
    `> ${summaryOf(site)}`,
    `Contract version ${version}. Every page is Markdown. Each part of it says where it comes from: stated, seen, observed or proposed. Operations whose path is proposed are in the edition test only; the others are in the edition latest as well.`,
    howToCall(site),
    ofKinds("Start", "home", "guides", "operations"),
    ofKinds("Guides", "guide"),
    ...areas,
    ofKinds("Webhooks", "webhooks", "webhook"),
    ofKinds("Errors", "errors", "error"),
    ofKinds("Lifecycles", "lifecycles", "lifecycle"),
    ofKinds("Open questions", "questions", "questions-of"),
    section("Optional", [
      ...entriesOf("downloads", "changelog"),
      ...editions.flatMap((edition) => [
        link(`OpenAPI document of ${edition}`, bundleName(edition, "yaml"), editionWords[edition]),
        link(`OpenAPI document of ${edition} as JSON`, bundleName(edition, "json"), "the same as JSON"),
      ]),
    ]),
    section(
      "Several pages in one file",
      joined.map(({ path, title }) => link(title, path, `the text of its pages, at most ${mostCharacters} characters`)),
    ),
  ]);
}

/** The guide with what is needed before the first call. */
function howToCall(site: SiteContent): string {
  const guide = site.guides.find(({ name }) => name === "how-to-call");
  return guide === undefined
    ? ""
    : `## ${guide.title}\n\n${markedText(linkText(guide.text, site, (target) => markdownOf(pathOf(target))))}`;
}

/** Replaces marks in a text by words. */
function markedText(text: string): string {
  return text.replace(/\{mark:(\w+)\}/g, "*$1*");
}

function summaryOf({ contract }: SiteContent): string {
  const { summary = "", description = "" } = contract.document.info as { summary?: string; description?: string };
  return `${plainText(summary)} ${plainText(firstSentence(description))}`.trim();
}

/** Operations and webhooks are listed by their name in code, operations with method and path. */
function entry({ ref, title, description }: SitePage, { contract }: SiteContent): string {
  const operation = contract.operations.find(({ name }) => ref.kind === "operation" && ref.name === name);
  const edition = operation && editionOf(operation) === "test" ? " (proposed, edition test)" : "";
  const call = operation && `${operation.name}, ${operation.method.toUpperCase()} ${operation.path}${edition}`;
  const subject = ref.kind === "webhook" ? ref.name : call;
  return link(title, markdownOf(pathOf(ref)), (subject === undefined ? "" : `${subject}. `) + plainText(description));
}

function link(title: string, href: string, words: string): string {
  return `- [${title}](${href}): ${words}`;
}

function section(title: string, entries: readonly string[]): string {
  return entries.length === 0 ? "" : `## ${title}\n\n${entries.join("\n")}`;
}

function text(blocks: readonly string[]): string {
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}
