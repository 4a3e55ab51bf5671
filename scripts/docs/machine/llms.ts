/** The lists of pages for language models, see https://llmstxt.org */
import { type Edition, editions } from "../../contract/index.ts";
import type { SitePage } from "../pages/page.ts";
import { type PageRef, pathOf } from "../site/pages.ts";
import { apiTitle, type EditionSite } from "../site/site.ts";
import { firstSentence } from "../text/first-sentence.ts";
import { plainText } from "../text/markdown.tsx";
import { twinOf } from "./twins.ts";

const editionWords: Record<Edition, string> = {
  latest: "what the service states, what its public reference shows, and what was observed; nothing proposed",
  test: "everything in latest, and what this contract proposes where no document shows it",
};

/** The list of an edition's pages: a section for each kind, with a link to the Markdown of each page. */
export function renderLlms(site: EditionSite, pages: readonly SitePage[]): string {
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
    `Edition ${site.edition}, contract version ${version}: ${editionWords[site.edition]}. Every page is Markdown. Each part of it says where it comes from: stated, seen, observed or proposed.`,
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
      ...ofKind("provenance", "editions", "changelog").map((page) => entry(page)),
      link("OpenAPI document", "openapi.yaml", "the whole contract in OpenAPI 3.1"),
      link("OpenAPI document as JSON", "openapi.json", "the same as JSON"),
      link("Postman collection", "postman.json", "every operation with its examples, for the mock"),
    ]),
  ]);
}

/** The list of the editions, for the root of the site. */
export function renderRootLlms(sites: Record<Edition, EditionSite>): string {
  return text([
    `# ${apiTitle(sites.latest)}`,
    `> ${summaryOf(sites.latest)}`,
    "The reference has two editions. Read latest unless you need an operation that it does not have.",
    section(
      "Editions",
      editions.flatMap((edition) => [
        link(`Pages of ${edition}`, `${edition}/llms.txt`, editionWords[edition]),
        link(`OpenAPI document of ${edition}`, `${edition}/openapi.yaml`, "the whole contract in OpenAPI 3.1"),
      ]),
    ),
  ]);
}

function summaryOf({ contract }: EditionSite): string {
  const { summary = "", description = "" } = contract.document.info as { summary?: string; description?: string };
  return `${plainText(summary)} ${plainText(firstSentence(description))}`.trim();
}

/** The method and path of an operation, and the name that it has in code. */
function callOf({ contract }: EditionSite, ref: PageRef): string | undefined {
  if (ref.kind !== "operation") return undefined;
  const operation = contract.operations.find(({ operationId }) => operationId === ref.name);
  return operation && `${operation.operationId}, ${operation.method.toUpperCase()} ${operation.path}`;
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
