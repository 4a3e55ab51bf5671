import { spawnSync } from "node:child_process";
import { found, projectRoot } from "../../base/index.ts";
import type { SitePage } from "../components/site-page.ts";
import { markdownPathOf, pathOf } from "../content/pages.ts";
import type { SiteContent } from "../content/site.ts";
import type { SiteAddress } from "../content/site-address.ts";
import { feedPath, renderFeed } from "./feed.ts";
import { joinTexts, renderLlms } from "./llms.ts";
import { renderMarkdownPages } from "./markdown-pages.ts";
import type { ParsedPages } from "./parsed-html.ts";
import { questionnaireCsv, questionnaireMarkdown } from "./questionnaire.ts";
import { renderRobots, renderSitemap } from "./sitemap.ts";

interface MachineInput {
  site: SiteContent;
  pages: readonly SitePage[];
  html: Readonly<Record<string, string>>;
  parsedPages: ParsedPages;
  address: SiteAddress;
}

function textAt(texts: Readonly<Record<string, string>>, path: string): string {
  return found(texts[path], `file ${path}`);
}

function noteOf({ ref, edition }: SitePage, { contract }: SiteContent): string {
  const editionText = edition === "test" ? "edition test only" : "editions latest and test";
  const operationLink = ref.kind === "operation" ? ` [OpenAPI of this operation](${ref.name}.openapi.json).` : "";
  return `Contract ${contract.document.info.version}, ${editionText}.${operationLink}`;
}

/**
 * YYYY-MM-DD; undefined outside of a Git repository. All builds of a commit have the same date, because it is the date of the last commit
 * that changed the contract or the changelog.
 */
function dayOfLastChange(): string | undefined {
  const git = spawnSync("git", ["log", "-1", "--format=%cs", "--", "openapi", "CHANGELOG.md"], { cwd: projectRoot });
  const [day] = /^\d{4}-\d\d-\d\d/.exec(String(git.stdout)) ?? [];
  return day;
}

export async function renderMachineFiles(input: MachineInput): Promise<Record<string, string>> {
  const { site, pages, html, parsedPages, address } = input;
  const listedPaths = pages.flatMap(({ ref }) => (ref.kind === "not-found" ? [] : pathOf(ref)));
  const notes = new Map(pages.map((page) => [pathOf(page.ref), noteOf(page, site)]));
  const markdown = await renderMarkdownPages(parsedPages, { base: address.base, notes });
  const joinedTexts = joinTexts(site, pages, ({ ref }) => textAt(markdown, markdownPathOf(pathOf(ref))));
  return {
    ...markdown,
    "llms.txt": renderLlms(site, pages, joinedTexts),
    ...Object.fromEntries(joinedTexts.map(({ path, text }) => [path, text])),
    [feedPath]: renderFeed(address.url, site, textAt(html, pathOf({ kind: "changelog" }))),
    "questions/questionnaire.txt": questionnaireMarkdown(site.questions, site.contract),
    "questions/questionnaire.csv": questionnaireCsv(site.questions, site.contract),
    "sitemap.xml": renderSitemap(address.url, listedPaths, dayOfLastChange()),
    "robots.txt": renderRobots(address.url),
  };
}
