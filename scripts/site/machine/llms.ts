/** llms.txt is a list of pages for language models (https://llmstxt.org). */
import { editions, found } from "../../base/index.ts";
import { plainText } from "../components/markdown.tsx";
import type { SitePage } from "../components/site-page.ts";
import { linkText } from "../content/links.ts";
import { bundleName, markdownPathOf, type PageRef, pathOf, slugOf } from "../content/pages.ts";
import { apiTitle, editionOf, type SiteContent } from "../content/site.ts";
import { firstSentence } from "../text/words.ts";

const editionWords = {
  latest: "OpenAPI 3.1, without the operations whose path is proposed",
  test: "OpenAPI 3.1, the whole contract",
};

/** The limit for the number of characters of joined pages: some 25,000 tokens. A single longer page has a file of its own. */
export const maxCharacters = 90_000;

interface JoinedText {
  readonly path: string;
  readonly title: string;
  readonly text: string;
}

/** One file for each group. A group longer than {@link maxCharacters} is split between pages. */
export function joinTexts(
  site: SiteContent,
  pages: readonly SitePage[],
  textOf: (page: SitePage) => string,
): JoinedText[] {
  return groupsOf(site, pages).flatMap(([title, pagesOfGroup]) => {
    const texts = pagesOfGroup.map((page) => `<!-- ${markdownPathOf(pathOf(page.ref))} -->\n\n${textOf(page)}`);
    const parts = joinShortTexts(texts);
    return parts.map((part, index) => ({
      path: `llms/${slugOf(title)}${parts.length > 1 ? `-${index + 1}` : ""}.txt`,
      title: parts.length > 1 ? `${title}, part ${index + 1} of ${parts.length}` : title,
      text: `Links are relative to the path that stands above each page.\n\n${part}`,
    }));
  });
}

function groupsOf({ areas }: SiteContent, pages: readonly SitePage[]): [title: string, pages: SitePage[]][] {
  const pagesOfKinds = (...kinds: PageRef["kind"][]) => pages.filter(({ ref }) => kinds.includes(ref.kind));
  return [
    ["Guides", pagesOfKinds("home", "guides", "guide")],
    ...areas.map(({ name, operations }): [string, SitePage[]] => [
      name,
      [
        ...pagesOfKinds("area").filter(({ ref }) => "name" in ref && ref.name === name),
        ...pagesOfKinds("operation").filter(({ ref }) =>
          operations.some((operation) => "name" in ref && operation.name === ref.name),
        ),
      ],
    ]),
    ["Webhooks", pagesOfKinds("webhooks", "webhook")],
    ["Errors", pagesOfKinds("errors", "error")],
    ["Lifecycles", pagesOfKinds("lifecycles", "lifecycle")],
    ["Open questions", pagesOfKinds("questions", "questions-of")],
    ["Optional", pagesOfKinds("operations", "downloads", "changelog")],
  ];
}

function joinShortTexts(texts: readonly string[]): string[] {
  const parts: string[] = [];
  for (const text of texts) {
    const lastPart = parts.at(-1);
    if (lastPart !== undefined && lastPart.length + text.length < maxCharacters)
      parts[parts.length - 1] = `${lastPart}\n${text}`;
    else parts.push(text);
  }
  return parts;
}

export function renderLlms(site: SiteContent, pages: readonly SitePage[], joinedTexts: readonly JoinedText[]): string {
  const groups = groupsOf(site, pages).map(([title, pagesOfGroup]) =>
    formatSection(
      title,
      pagesOfGroup.map((page) => formatEntry(page, site)),
    ),
  );
  const { version } = site.contract.document.info;
  const blocks = [
    `# ${apiTitle(site)}`,
    `> ${summaryOf(site)}`,
    `Contract version ${version}. Every page is Markdown. Each part of it says where it comes from: stated by the specification, seen in the public reference, observed, or proposed. Operations whose path is proposed are in the edition test only; the others are in the edition latest as well.`,
    howToCall(site),
    ...groups,
    formatSection(
      "OpenAPI documents",
      editions.flatMap((edition) => [
        formatLink(`OpenAPI document of ${edition}`, bundleName(edition, "yaml"), editionWords[edition]),
        formatLink(`OpenAPI document of ${edition} as JSON`, bundleName(edition, "json"), "the same as JSON"),
      ]),
    ),
    formatSection(
      "Several pages in one file",
      joinedTexts.map(({ path, title }) =>
        formatLink(title, path, `the text of its pages, at most ${maxCharacters} characters`),
      ),
    ),
  ];
  return `${blocks.join("\n\n")}\n`;
}

function howToCall(site: SiteContent): string {
  const { title, text } = found(
    site.guides.find(({ name }) => name === "how-to-call"),
    "guide how-to-call",
  );
  const linkedText = linkText(text, site, (target) => markdownPathOf(pathOf(target)));
  return `## ${title}\n\n${linkedText.replace(/\{mark:(\w+)\}/g, "*$1*")}`;
}

function summaryOf({ contract }: SiteContent): string {
  const { summary = "", description = "" } = contract.document.info as { summary?: string; description?: string };
  return `${plainText(summary)} ${plainText(firstSentence(description))}`.trim();
}

function formatEntry({ ref, title, description }: SitePage, { contract }: SiteContent): string {
  const operation = contract.operations.find(({ name }) => ref.kind === "operation" && ref.name === name);
  const edition = operation && editionOf(operation) === "test" ? " (proposed, edition test)" : "";
  const call = operation && `${operation.name}, ${operation.method.toUpperCase()} ${operation.path}${edition}`;
  const subject = ref.kind === "webhook" ? ref.name : call;
  return formatLink(
    title,
    markdownPathOf(pathOf(ref)),
    (subject === undefined ? "" : `${subject}. `) + plainText(description),
  );
}

function formatLink(title: string, href: string, description: string): string {
  return `- [${title}](${href}): ${description}`;
}

function formatSection(title: string, entries: readonly string[]): string {
  return `## ${title}\n\n${entries.join("\n")}`;
}
