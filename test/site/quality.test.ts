import { beforeAll, describe, expect, test } from "vitest";
import { editions } from "../../scripts/contract/model/index.ts";
import type { SiteFiles } from "../../scripts/site/index.ts";
import { bundleName, slugOf } from "../../scripts/site/site/pages.ts";
import { bundles } from "../support/contract.ts";
import type { ParsedPage } from "./parsed-page.ts";
import { htmlOf, renderedSite } from "./rendered-site.ts";
import {
  addressesIn,
  countNotStated,
  gzipSize,
  linkComplaints,
  outlineComplaints,
  parseSite,
  policyComplaints,
  questionComplaints,
  sizeComplaints,
} from "./site-checks.ts";
import { site } from "./whole-site.ts";

/** Hard-to-read wordings that the pages must not contain: negated conditions, fragments, guesses about the reader. */
const stiff = [
  ...[
    /[Tt]his is not true/,
    /It arises when/,
    /among others/,
    /No document promises/,
    /this edition/,
    /After which values/,
  ],
  ...[/Which (calls|resource)\b[^?]*\.(?= |$)/, /No value of it/, /No bound is stated/, /The number is stated/],
  ...[/This contract assumes:? [A-Z]/, /If the answer differs/, /The page of a code shows/, /does what the call says/],
  ...[/first page of this reference starts/, /Nobody calls for/, /, is open\b/, /that it can happen to/],
  ...[
    /that concern other areas/,
    /\b\d+ open questions? on\b/,
    /\bAnswers\b/,
    /\b(this|each|of the|in the) answers?\b/,
  ],
];

function stiffSentences(html: string): string[] {
  const text = html.replace(/<(pre|head)\b.*?<\/\1>/gs, "").replace(/<[^>]*>/g, "");
  return stiff.flatMap((kind) => {
    const found = kind.exec(text);
    return found === null ? [] : [text.slice(Math.max(0, found.index - 40), found.index + 60)];
  });
}

/** Maximum sizes in bytes after compression with gzip. */
const budgets = { page: 15_000, script: 12_000, assets: 25 * 1024 };

let files: SiteFiles;
let pages: ParsedPage[];

beforeAll(async () => {
  files = await renderedSite();
  pages = parseSite(files);
});

describe("every page", () => {
  test("is one of more than 170, with more than 10,000 links in all", () => {
    expect(pages.length).toBeGreaterThan(170);
    expect(pages.flatMap(addressesIn).length).toBeGreaterThan(10_000);
  });

  test("links only to existing files and anchors, by relative addresses", () => {
    expect(linkComplaints(pages, new Set(Object.keys(files)))).toEqual([]);
  });

  test("has a unique title, a description, a language, and headings in order", () => {
    expect(outlineComplaints(pages)).toEqual([]);
  });

  test("has the strict content security policy, and no inline script or style", () => {
    expect(policyComplaints(pages)).toEqual([]);
  });

  test("is small, and so are the files that all pages load", () => {
    expect(sizeComplaints(pages, budgets.page)).toEqual([]);
    // Every page loads these three files. The script for other sample languages is loaded on demand.
    const shared = Object.entries(files).filter(([path]) => /^assets\/(site\.\w+\.(css|js)|favicon.*)$/.test(path));
    expect(shared).toHaveLength(3);
    const scripts = Object.entries(files).filter(([path]) => /^assets\/.*\.js$/.test(path));
    expect(scripts.filter(([, content]) => gzipSize(content) > budgets.script).map(([path]) => path)).toEqual([]);
    expect(shared.reduce((sum, [, content]) => sum + gzipSize(content), 0)).toBeLessThanOrEqual(budgets.assets);
  });

  test("has no id twice", () => {
    const twice = pages.filter(({ ids, byId }) => byId.size < ids.length);
    expect(twice.map(({ path }) => path)).toEqual([]);
  });

  test("has open questions in at most a tenth of its text, and few remarks that something is not stated", () => {
    expect(questionComplaints(pages)).toEqual([]);
    expect(countNotStated(pages)).toBeLessThanOrEqual(40);
  });

  test("has no sentences of the listed stiff kinds", () => {
    expect(pages.flatMap(({ path, html }) => stiffSentences(html).map((words) => `${path}: ${words}`))).toEqual([]);
  });
});

test("there is one page for each operation, webhook, P-code, resource and guide", () => {
  const { operations, webhooks, errorCodes, resources } = site.contract;
  const expected = [
    ...operations.map(({ operationId }) => `operations/${operationId}`),
    ...webhooks.map(({ name }) => `webhooks/${name}`),
    ...errorCodes.map(({ code }) => `errors/${code}`),
    ...resources.map(({ name }) => `lifecycles/${slugOf(name)}`),
    ...site.guides.map(({ name }) => `guides/${name}`),
  ].map((path) => `${path}.html`);
  const subjects = /^(operations|webhooks|errors|lifecycles|guides)\/(?!index)[\w-]+\.html$/;
  const made = Object.keys(files).filter((path) => subjects.test(path));
  expect(made.sort()).toEqual(expected.sort());
});

test("the downloads are the bundles", async () => {
  const made = await bundles();
  for (const edition of editions) {
    for (const format of ["json", "yaml"] as const) {
      expect(files[bundleName(edition, format)]).toBe(made[edition][format]);
    }
  }
});

describe("a defect is found:", () => {
  const path = "errors/P412.html";
  const added = (check: (pages: ParsedPage[]) => string[], find: string | RegExp, put: string): string[] => {
    const html = htmlOf(files, path);
    const changed = html.replace(find, put);
    expect(changed).not.toBe(html);
    const others = pages.filter((page) => page.path !== path && /^errors\//.test(page.path));
    const before = check([...others, ...parseSite({ [path]: html })]);
    return check([...others, ...parseSite({ [path]: changed })]).filter((complaint) => !before.includes(complaint));
  };

  const links = (all: ParsedPage[]) => linkComplaints(all, new Set(Object.keys(files)));
  type Check = (all: ParsedPage[]) => string[];

  test.each<[name: string, check: Check, find: string | RegExp, put: string, complaint: RegExp]>([
    ["a link to no page", links, "../index.html", "../none.html", /none\.html leads to nothing/],
    ["a link to a folder", links, "../index.html", "../", /\.\.\/ leads to nothing/],
    ["a link to no anchor", links, "#content", "#contents", /#contents leads to no anchor/],
    ["a link to another host", links, "../index.html", "https://host.example/", /leads out of the site/],
    ["a link above the site", links, "../index.html", "../../index.html", /leads out of the site/],
    ["a link from the root", links, "../index.html", "/below/index.html", /root of a host only/],
    ["a script that is not there", links, /assets\/site\.\w+\.js/, "assets/site.js", /site\.js leads to nothing/],
    ["no language", outlineComplaints, ' lang="en"', "", /no language/],
    ["no description", outlineComplaints, /(name="description" content=")[^"]+/, "$1", /no description/],
    ["the title of another page", outlineComplaints, /<title>.*?<\/title>/, "P403", /has the title of errors/],
    ["two first headings", outlineComplaints, "<h2", "<h1></h1><h2", /not one h1/],
    ["a heading without the one above", outlineComplaints, "</h1>", "</h1><h3></h3>", /from h1 to h3/],
    ["no policy", policyComplaints, "Content-Security-Policy", "Refresh", /no policy/],
    ["a loose policy", policyComplaints, "style-src 'self'", "style-src 'self' 'unsafe-inline'", /allows /],
    ["a script within the page", policyComplaints, "</main>", "<script>run()</script></main>", /inline script/],
    ["a style", policyComplaints, "</main>", "<style>a {}</style></main>", /style element/],
    ["a style attribute", policyComplaints, "<main", '<main style="top:0"', /attribute style on main/],
    ["a handler", policyComplaints, "<main", '<main onclick="run()"', /attribute onclick on main/],
  ])("%s", (_, check, find, put, complaint) => {
    const title = /<title>.*?<\/title>/.exec(htmlOf(files, "errors/P403.html"))?.[0] ?? "";
    expect(added(check, find, put.replace("P403", title))).toEqual([expect.stringMatching(complaint)]);
  });

  test("a page with too many open questions", () => {
    const operation = "operations/getNetworkFee.html";
    const html = htmlOf(files, operation);
    const changed = html.replace('<ul class="questions">', `$&<li>${"Which one? ".repeat(50)}</li>`);
    const check = (text: string) => parseSite({ [operation]: text });
    expect(questionComplaints(check(changed))).toEqual([expect.stringMatching(/^operations\/getNetworkFee/)]);
    expect(countNotStated(check(changed.replace("Which one?", "It is not stated.")))).toBe(1);
  });

  test("a page that is too large", () => {
    const noise = Array.from({ length: 3000 }, (_, index) => Math.sin(index)).join();
    const complaints = added((all) => sizeComplaints(all, budgets.page), "</main>", `${noise}</main>`);
    expect(complaints).toHaveLength(1);
  });
});
