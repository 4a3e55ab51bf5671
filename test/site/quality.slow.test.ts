import { posix } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { editions } from "../../scripts/base/index.ts";
import { bundleName, redocName, slugOf } from "../../scripts/site/content/pages.ts";
import type { SiteFiles } from "../../scripts/site/index.ts";
import { bundles } from "../support/contract.ts";
import { attribute, type Element, elementsWithClass, type ParsedPage, parsePage, textOf } from "./parsed-page.ts";
import { renderedSite, textsOf } from "./rendered-site.ts";
import { site } from "./whole-site.ts";

/** Maximum sizes in bytes after compression with gzip. */
const budgets = { page: 15_000, script: 12_000, assets: 25 * 1024 };

let files: SiteFiles;
let pages: ParsedPage[];

beforeAll(async () => {
  files = await renderedSite();
  pages = [...textsOf(files, ".html")].map(([path, html]) => parsePage(path, html));
});

describe("every page", () => {
  test("is one of more than 170, with more than 10,000 links in all", () => {
    expect(pages.length).toBeGreaterThan(170);
    expect(pages.flatMap(addressesIn).length).toBeGreaterThan(10_000);
  });

  test("links only to existing files and anchors, by relative addresses", () => {
    expect(linkComplaints(pages, new Set([...Object.keys(files), ...editions.map(redocName)]))).toEqual([]);
  });

  test("has a unique title, a description, a language, and headings in order", () => {
    expect(outlineComplaints(pages)).toEqual([]);
  });

  test("has the strict content security policy, and no inline script or style", () => {
    expect(policyComplaints(pages)).toEqual([]);
  });

  test("is small, and so are the files that all pages load", () => {
    const sizes = pages.map(({ path, html }) => [path, gzipSize(html)] as const);
    expect(sizes.filter(([, size]) => size > budgets.page)).toEqual([]);
    // Every page loads these three files. The other scripts are loaded on demand.
    const sharedFiles = Object.entries(files).filter(([path]) =>
      /^assets\/(site\.\w+\.(css|js)|favicon.*)$/.test(path),
    );
    expect(sharedFiles).toHaveLength(3);
    const scripts = Object.entries(files).filter(([path]) => /^assets\/.*\.js$/.test(path));
    expect(scripts.filter(([, content]) => gzipSize(content) > budgets.script).map(([path]) => path)).toEqual([]);
    expect(sharedFiles.reduce((sum, [, content]) => sum + gzipSize(content), 0)).toBeLessThanOrEqual(budgets.assets);
  });

  test("has no id twice", () => {
    const pagesWithRepeatedIds = pages.filter(({ ids, byId }) => byId.size < ids.length);
    expect(pagesWithRepeatedIds.map(({ path }) => path)).toEqual([]);
  });

  test("has open questions in at most a tenth of its text, and few remarks that something is not stated", () => {
    expect(questionComplaints(pages)).toEqual([]);
    const notStatedTexts = pages.flatMap(({ main }) => textOf(main).match(/not stated/gi) ?? []);
    expect(notStatedTexts.length).toBeLessThanOrEqual(40);
  });
});

test("there is one page for each operation, webhook, P-code, resource and guide", () => {
  const { operations, webhooks, errorCodes, resources } = site.contract;
  const expectedPages = [
    ...operations.map(({ operationId }) => `operations/${operationId}`),
    ...webhooks.map(({ name }) => `webhooks/${name}`),
    ...errorCodes.map(({ code }) => `errors/${code}`),
    ...resources.map(({ name }) => `lifecycles/${slugOf(name)}`),
    ...site.guides.map(({ name }) => `guides/${name}`),
  ].map((path) => `${path}.html`);
  const subjectPath = /^(operations|webhooks|errors|lifecycles|guides)\/(?!index)[\w-]+\.html$/;
  const madePages = Object.keys(files).filter((path) => subjectPath.test(path));
  expect(madePages.sort()).toEqual(expectedPages.sort());
});

test("the downloads are the bundles", async () => {
  const bundlesOfEditions = await bundles();
  for (const edition of editions) {
    for (const format of ["json", "yaml"] as const) {
      expect(files[bundleName(edition, format)]).toBe(bundlesOfEditions[edition][format]);
    }
  }
});

/** The server sends the 404 page for paths of any depth, so its addresses start at the root of the site. */
const isForAnyAddress = ({ path }: ParsedPage) => posix.basename(path) === "404.html";

const host = "https://site.example";
const folder = `${host}/below/`;

/** Links must be relative and contain the file name, so that the site works under any path and from a disk. */
function linkComplaints(pages: readonly ParsedPage[], knownPaths: ReadonlySet<string>): string[] {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  return pages.flatMap((page) => {
    const root = isForAnyAddress(page) ? `${host}/` : folder;
    return [...new Set(addressesIn(page))].flatMap((address) => {
      const complain = (words: string) => [`${page.path}: ${address} ${words}`];
      if (address === "") return complain("is empty");
      const { href, hash } = new URL(address, root + page.path);
      if (!href.startsWith(root)) return complain("leads out of the site");
      if (isForAnyAddress(page)) {
        if (!/^[/#]/.test(address)) return complain("is relative on a page that is shown at any address");
      } else if (address.startsWith("/")) return complain("works at the root of a host only");
      const namedPath = decodeURI(href.slice(root.length).replace(/[#?].*$/, ""));
      const path = isForAnyAddress(page) ? namedPath.replace(/(^|\/)$/, "$1index.html") : namedPath;
      const target = byPath.get(path);
      if (target === undefined && !knownPaths.has(path)) return complain("leads to nothing");
      const anchor = decodeURIComponent(hash.slice(1));
      return anchor === "" || target?.byId.has(anchor) === true ? [] : complain("leads to no anchor");
    });
  });
}

function addressesIn({ elements }: ParsedPage): string[] {
  return elements.flatMap((element) => [attribute(element, "href") ?? [], attribute(element, "src") ?? []].flat());
}

function outlineComplaints(pages: readonly ParsedPage[]): string[] {
  const titles = new Map<string, string>();
  return pages.flatMap(({ path, elements }) => {
    const elementsNamed = (tag: string) => elements.filter(({ tagName }) => tagName === tag);
    const complaints: string[] = [];
    if (attribute(elementsNamed("html")[0] as Element, "lang") !== "en") complaints.push("has no language");
    const description = contentOf(elements, "name", "description").trim();
    if (description === "") complaints.push("has no description");
    else if (titles.has(description)) complaints.push(`has the description of ${titles.get(description)}`);
    titles.set(description, path);
    const title = textOf(elementsNamed("title")[0]);
    if (title === "") complaints.push("has no title");
    else if (titles.has(title)) complaints.push(`has the title of ${titles.get(title)}: ${title}`);
    titles.set(title, path);
    const levels = elements.flatMap(({ tagName }) => (/^h[1-6]$/.test(tagName) ? Number(tagName[1]) : []));
    if (levels.filter((level) => level === 1).length !== 1) complaints.push("has not one h1");
    const levelsFromTitle = levels.slice(levels.indexOf(1));
    const jump = levelsFromTitle.findIndex(
      (level, index) => index > 0 && level > (levelsFromTitle[index - 1] as number) + 1,
    );
    if (jump !== -1) complaints.push(`goes from h${levelsFromTitle[jump - 1]} to h${levelsFromTitle[jump]}`);
    return complaints.map((words) => `${path} ${words}`);
  });
}

function policyComplaints(pages: readonly ParsedPage[]): string[] {
  return pages.flatMap(({ path, elements }) => {
    const text = contentOf(elements, "http-equiv", "Content-Security-Policy");
    const complaints = text.includes("default-src 'none'") ? [] : ["has no policy that forbids everything else"];
    if (/unsafe-(inline|eval|hashes)/.test(text)) complaints.push(`allows ${text}`);
    for (const element of elements) {
      const { tagName, attrs } = element;
      if (tagName === "script" && (textOf(element) !== "" || attribute(element, "src") === undefined))
        complaints.push("has an inline script");
      if (tagName === "style") complaints.push("has a style element");
      const inlineAttributes = attrs
        .map(({ name }) => name)
        .filter((name) => name === "style" || name.startsWith("on"));
      if (inlineAttributes.length > 0)
        complaints.push(`has the attribute ${inlineAttributes.join(", ")} on ${tagName}`);
    }
    return [...new Set(complaints)].map((words) => `${path} ${words}`);
  });
}

function contentOf(elements: readonly Element[], kind: string, name: string): string {
  const meta = elements.find((element) => element.tagName === "meta" && attribute(element, kind) === name);
  return (meta && attribute(meta, "content")) ?? "";
}

const gzipSize = (text: string | Uint8Array): number => gzipSync(text, { level: 9 }).length;

function questionComplaints(pages: readonly ParsedPage[]): string[] {
  const operations = pages.filter(({ path }) => /^operations\/(?!index)/.test(path));
  return operations.flatMap(({ path, main }) => {
    const wordCountOfQuestions = countWords(elementsWithClass(main, "questions").map(textOf).join(" "));
    const wordCount = countWords(textOf(main));
    return wordCountOfQuestions * 10 > wordCount
      ? [`${path}: ${wordCountOfQuestions} of ${wordCount} words are open questions`]
      : [];
  });
}

function countWords(text: string): number {
  return text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
}
