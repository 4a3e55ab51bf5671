import { beforeAll, describe, expect, test } from "vitest";
import { editions } from "../../scripts/contract/model/index.ts";
import type { SiteFiles } from "../../scripts/site/index.ts";
import { bundleName, slugOf } from "../../scripts/site/site/pages.ts";
import { bundles } from "../support/contract.ts";
import { type ParsedPage, textOf } from "./parsed-page.ts";
import { renderedSite } from "./rendered-site.ts";
import {
  addressesIn,
  gzipSize,
  linkComplaints,
  outlineComplaints,
  parseSite,
  policyComplaints,
  questionComplaints,
} from "./site-checks.ts";
import { site } from "./whole-site.ts";

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
    const sizes = pages.map(({ path, html }) => [path, gzipSize(html)] as const);
    expect(sizes.filter(([, size]) => size > budgets.page)).toEqual([]);
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
    const notStated = pages.flatMap(({ main }) => textOf(main).match(/not stated/gi) ?? []);
    expect(notStated.length).toBeLessThanOrEqual(40);
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
