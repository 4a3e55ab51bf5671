/** The list of pages for language models, see https://llmstxt.org */
import { editions } from "../../contract/index.ts";
import type { SitePage } from "../pages/page.ts";
import { bundleName, type PageRef, pathOf } from "../site/pages.ts";
import { apiTitle, editionOf, type SiteContent } from "../site/site.ts";
import { firstSentence } from "../text/first-sentence.ts";
import { plainText } from "../text/markdown.tsx";
import { twinOf } from "./twins.ts";

const editionWords = {
  latest: "OpenAPI 3.1, without the operations whose path is proposed",
  test: "OpenAPI 3.1, the whole contract",
};

/** A section for each kind of page, with a link to the Markdown of each page. */
export function renderLlms(site: SiteContent, pages: readonly SitePage[]): string {
  const ofKind = (...kinds: PageRef["kind"][]) => pages.filter(({ ref }) => kinds.includes(ref.kind));
  const areas = site.areas.map(({ name, operations }) => {
    const isIn = ({ ref }: SitePage) =>
      ref.kind === "area"
        ? ref.name === name
        : ref.kind === "operation" && operations.some((own) => own.operationId === ref.name);
    return section(
      name,
      pages.filter(isIn).map((page) => entry(page, callOf(site, page.ref))),
    );
  });
  const { version } = site.contract.document.info;
  return text([
    `# ${apiTitle(site)}`,
    `> ${summaryOf(site)}`,
    `Contract version ${version}. Every page is Markdown. Each part of it says where it comes from: stated, seen, observed or proposed. Operations whose path is proposed are in the edition test only; the others are in the edition latest as well.`,
    section(
      "Start",
      ofKind("home", "guides", "operations").map((page) => entry(page)),
    ),
    section(
      "Guides",
      ofKind("guide").map((page) => entry(page)),
    ),
    ...areas,
    section(
      "Webhooks",
      ofKind("webhooks", "webhook").map((page) => entry(page, nameOf(page.ref))),
    ),
    section(
      "Errors",
      ofKind("errors", "error").map((page) => entry(page)),
    ),
    section(
      "Lifecycles",
      ofKind("lifecycles", "lifecycle").map((page) => entry(page)),
    ),
    section(
      "Open questions",
      ofKind("questions", "questions-of").map((page) => entry(page)),
    ),
    section("Optional", [
      ...ofKind("provenance", "changelog").map((page) => entry(page)),
      ...editions.flatMap((edition) => [
        link(`OpenAPI document of ${edition}`, bundleName(edition, "yaml"), editionWords[edition]),
        link(`OpenAPI document of ${edition} as JSON`, bundleName(edition, "json"), "the same as JSON"),
      ]),
    ]),
  ]);
}

function summaryOf({ contract }: SiteContent): string {
  const { summary = "", description = "" } = contract.document.info as { summary?: string; description?: string };
  return `${plainText(summary)} ${plainText(firstSentence(description))}`.trim();
}

/** The method and path of an operation, and the name that it has in code. */
function callOf({ contract }: SiteContent, ref: PageRef): string | undefined {
  if (ref.kind !== "operation") return undefined;
  const operation = contract.operations.find(({ operationId }) => operationId === ref.name);
  if (operation === undefined) return undefined;
  const edition = editionOf(operation) === "test" ? " (proposed, edition test)" : "";
  return `${operation.operationId}, ${operation.method.toUpperCase()} ${operation.path}${edition}`;
}

function nameOf(ref: PageRef): string | undefined {
  return "name" in ref ? ref.name : undefined;
}

/** @param name what the subject is called in code. */
function entry({ ref, title, description }: SitePage, name?: string): string {
  const words = plainText(description);
  return link(title, twinOf(pathOf(ref)), name === undefined ? words : `${name}. ${words}`);
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
