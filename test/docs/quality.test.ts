/** Qualities of every page of both editions, without a browser. Each check is shown to find what it is for. */
import { beforeAll, describe, expect, test } from "vitest";
import { editions } from "../../scripts/contract/index.ts";
import type { SiteFiles } from "../../scripts/docs/index.ts";
import { htmlComplaints } from "../../scripts/verify/html.ts";
import { htmlOf, longestPages, madeElsewhere, renderedSite } from "./rendered-site.ts";
import {
  type CheckedPage,
  countLinks,
  gzipSize,
  linkComplaints,
  outlineComplaints,
  parseSite,
  policyComplaints,
  sizeComplaints,
  switchComplaints,
} from "./site-checks.ts";

/** Bytes with gzip. */
const budgets = { page: 12 * 1024, assets: 25 * 1024 };

let files: SiteFiles;
let pages: CheckedPage[];

beforeAll(async () => {
  files = await renderedSite();
  pages = parseSite(files);
});

describe("every page of both editions", () => {
  test("is there: as many as the contracts have subjects, and a thousand links each way", () => {
    expect(pages.length).toBeGreaterThan(300);
    expect(countLinks(pages)).toBeGreaterThan(10_000);
  });

  test("leads to files and anchors of the site only, by relative addresses", () => {
    expect(linkComplaints(pages, new Set([...Object.keys(files), ...madeElsewhere]))).toEqual([]);
  });

  test("has a title of its own, a description, a language, and its headings in order", () => {
    expect(outlineComplaints(pages)).toEqual([]);
  });

  test("has the strict policy, and no inline script or style", () => {
    expect(policyComplaints(pages)).toEqual([]);
  });

  test("is small, and so is what all pages share", () => {
    expect(sizeComplaints(pages, budgets.page)).toEqual([]);
    const shared = Object.entries(files).filter(([path]) => path.startsWith("assets/"));
    expect(shared.length).toBeGreaterThanOrEqual(3);
    expect(shared.reduce((sum, [, content]) => sum + gzipSize(content), 0)).toBeLessThanOrEqual(budgets.assets);
  });

  test("leads to the same subject of the other edition", () => {
    expect(switchComplaints(pages)).toEqual([]);
  });
});

// All pages take half a minute: `npm run verify` validates them.
test.each(editions)("the longest page of each kind of the edition %s is valid HTML", async (edition) => {
  const longest = [...longestPages(files, edition).values()];
  expect(longest.length).toBeGreaterThan(15);
  const complaints = await Promise.all(longest.map((path) => htmlComplaints(path, htmlOf(files, path))));
  expect(complaints.flat()).toEqual([]);
});

describe("a defect is found:", () => {
  const path = "latest/errors/P412.html";
  /** What a check has against a page with a defect, and not against the page as it is. */
  const added = (check: (pages: CheckedPage[]) => string[], find: string | RegExp, put: string): string[] => {
    const html = htmlOf(files, path);
    const changed = html.replace(find, put);
    expect(changed).not.toBe(html);
    const others = pages.filter((page) => page.path !== path && /^(latest|test)\/errors\//.test(page.path));
    const before = check([...others, ...parseSite({ [path]: html })]);
    return check([...others, ...parseSite({ [path]: changed })]).filter((complaint) => !before.includes(complaint));
  };

  test.each<[name: string, find: string | RegExp, put: string, complaint: RegExp]>([
    ["a link to no page", "../index.html", "../none.html", /none\.html leads to nothing/],
    ["a link to a folder", "../index.html", "../", /\.\.\/ leads to nothing/],
    ["a link to no anchor", "#content", "#contents", /#contents leads to no anchor/],
    ["a link to another host", "../index.html", "https://host.example/", /leads out of the site/],
    ["a link above the site", "../index.html", "../../../index.html", /leads out of the site/],
    ["a link from the root", "../index.html", "/below/latest/index.html", /root of a host only/],
    ["an absolute address", "../index.html", "/latest/index.html", /leads out of the site/],
    ["a script that is not there", /assets\/site\.\w+\.js/, "assets/site.js", /site\.js leads to nothing/],
  ])("%s", (_, find, put, complaint) => {
    const known = new Set([...Object.keys(files), ...madeElsewhere]);
    expect(added((all) => linkComplaints(all, known), find, put)).toEqual([expect.stringMatching(complaint)]);
  });

  test.each<[name: string, find: string | RegExp, put: string, complaint: RegExp]>([
    ["no language", ' lang="en"', "", /no language/],
    ["no description", /(name="description" content=")[^"]+/, "$1", /no description/],
    ["the title of another page", /<title>.*?<\/title>/, "P403", /has the title of latest\/errors/],
    ["two first headings", "<h2", "<h1></h1><h2", /not one h1/],
    ["a heading without the one above", "</h1>", "</h1><h3></h3>", /from h1 to h3/],
  ])("%s", (_, find, put, complaint) => {
    const title = /<title>.*?<\/title>/.exec(htmlOf(files, "latest/errors/P403.html"))?.[0] ?? "";
    expect(added(outlineComplaints, find, put.replace("P403", title))).toEqual([expect.stringMatching(complaint)]);
  });

  test.each<[name: string, find: string | RegExp, put: string, complaint: RegExp]>([
    ["no policy", "Content-Security-Policy", "Refresh", /no policy/],
    ["a loose policy", "style-src 'self'", "style-src 'self' 'unsafe-inline'", /allows /],
    ["a script within the page", "</main>", "<script>run()</script></main>", /inline script/],
    ["a style", "</main>", "<style>a {}</style></main>", /style element/],
    ["a style attribute", "<main", '<main style="top:0"', /attribute style on main/],
    ["a handler", "<main", '<main onclick="run()"', /attribute onclick on main/],
  ])("%s", (_, find, put, complaint) => {
    expect(added(policyComplaints, find, put)).toEqual([expect.stringMatching(complaint)]);
  });

  test("a page that is too large", () => {
    const noise = Array.from({ length: 3000 }, (_, index) => Math.sin(index)).join();
    const complaints = added((all) => sizeComplaints(all, budgets.page), "</main>", `${noise}</main>`);
    expect(complaints).toHaveLength(1);
  });

  test("a switch that leads elsewhere", () => {
    const complaints = added(switchComplaints, /(\.\.\/\.\.\/test\/errors\/)P412/, "$1P411");
    expect(complaints).toEqual([expect.stringMatching(/test leads to test\/errors\/P411\.html, not to .*P412/)]);
  });

  test("HTML that is not valid", async () => {
    const html = htmlOf(files, path).replace("</main>", "<p><div></div></p><img></main>");
    expect((await htmlComplaints(path, html)).length).toBeGreaterThan(1);
  });
});
