/** The built site, also in a real browser. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type Contract,
  type Edition,
  type ErrorCode,
  editions,
  type Operation,
  readContract,
} from "../../scripts/contract/index.ts";
import { renderSite, type Site, serveSite } from "../../scripts/docs/index.ts";
import { Sources } from "../../scripts/sources/index.ts";
import { findChromium, launchChromium } from "../../scripts/verify/chromium.ts";
import { makeClient } from "../support/clients.ts";
import { bundles } from "./site-bundles.ts";
import { plain, readCodeTables, readSideBar, searchCode, searchField, startVisit, type Visit } from "./site-visit.ts";

const executablePath = findChromium();
if (executablePath === undefined && !process.env.CI) {
  console.warn("The browser test of the site is skipped: there is no Chromium. Name one with CHROMIUM_PATH.");
}

const contracts: Record<Edition, Contract> = {
  latest: readContract(bundles.latest.document),
  test: readContract(bundles.test.document),
};
let files: Record<string, string>;
let folder: string;
let site: Site;

beforeAll(async () => {
  files = await renderSite({ bundles, registers: new Sources().registers() });
  folder = mkdtempSync(join(tmpdir(), "site-test-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  site = await serveSite({ folder, port: 0 });
});

afterAll(async () => {
  await site?.close();
  rmSync(folder, { recursive: true, force: true });
});

test("the site has an index, and a page and two downloads for each edition", () => {
  const ofEditions = editions.flatMap((edition) =>
    ["index.html", "openapi.json", "openapi.yaml"].map((name) => `${edition}/${name}`),
  );
  expect(Object.keys(files).sort()).toEqual(["index.html", ...ofEditions].sort());
});

test("the downloads are the bundles", async () => {
  for (const edition of editions) {
    for (const format of ["json", "yaml"] as const) {
      const download = await fetch(`${site.url}/${edition}/openapi.${format}`);
      expect(await download.text()).toBe(bundles[edition][format]);
    }
  }
});

test("no page names a host to load anything from", () => {
  for (const [path, html] of Object.entries(files)) {
    if (!path.endsWith(".html")) continue;
    expect(html).not.toMatch(/<(?:script|img|link|iframe|source)\b[^>]*\b(?:src|href)="(?!data:)/);
    expect(html).not.toContain("cdn.redoc.ly");
  }
});

describe.skipIf(executablePath === undefined && !process.env.CI)("in Chromium", () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchChromium(executablePath);
  });

  afterAll(async () => {
    await browser?.close();
  });

  describe.each(editions)("the edition %s", (edition) => {
    let visit: Visit;
    let page: Page;

    beforeAll(async () => {
      visit = await startVisit(browser, site.url);
      page = visit.page;
      await page.goto(`${site.url}/`);
    });

    afterAll(async () => {
      await visit?.close();
    });

    test("is on the index with what it contains in numbers, and opens from there", async () => {
      const { operations, webhooks, errorCodes } = contracts[edition];
      const card = page.locator("section", { has: page.getByRole("heading", { name: edition }) });
      const counts = await card.locator("td").allTextContents();
      for (const entries of [operations, webhooks, errorCodes]) expect(counts).toContain(String(entries.length));
      await card.getByRole("link", { name: `Read ${edition}` }).click();
      await page.getByRole("heading", { level: 1, name: bundles[edition].document.info.title }).waitFor();
      await searchField(page).waitFor();
    });

    test("lists every operation, webhook and P-code, and every link has a target", async () => {
      const entries = await readSideBar(page);
      const labels = [...entries.values()];
      const { operations, webhooks, errorCodes } = contracts[edition];
      expect(labels).toEqual(expect.arrayContaining([...operations, ...webhooks].map(({ summary }) => summary)));
      expect(labels).toEqual(expect.arrayContaining(errorCodes.map(({ code, meaning }) => `${code} ${meaning}`)));

      const html = files[`${edition}/index.html`] ?? "";
      const links = new Set([...html.matchAll(/\]\((#\/[^)]+)\)/g)].map(([, address]) => String(address)));
      expect(links.size).toBeGreaterThan(operations.length);
      expect([...links].filter((address) => !entries.has(address))).toEqual([]);
    });

    test("shows the P-codes of an operation and where it comes from", async () => {
      const { operations, errorCodes } = contracts[edition];
      const operation = [...operations].sort((a, b) => codesOf(b).length - codesOf(a).length)[0];
      if (operation === undefined) throw new Error("The contract has no operation.");
      const address = `${slug(operation.tag)}/${operation.operationId.toLowerCase()}`;
      await page.goto(`${site.url}/${edition}/index.html#/${address}`);
      await page.getByRole("heading", { level: 2, name: operation.summary }).waitFor();
      const expected = codesOf(operation).map((code) => {
        const entry = errorCodes.find((candidate) => candidate.code === code) as ErrorCode;
        return { code, status: String(entry.status), meaning: entry.meaning, resolution: plain(entry.resolution) };
      });
      expect(await readCodeTables(page)).toContainEqual(expected);
      expect(await page.locator(`.mark-${operation.provenance}`).first().isVisible()).toBe(true);
    });

    test("finds a P-code by its search, and the hit opens it", async () => {
      // A search takes about a second, so this one stands for all.
      await searchCode(page, contracts[edition].errorCodes.at(-1) as ErrorCode);
    });

    test("describes a P-code at the address that an error of the client carries", async () => {
      const code = { errorCode: "P501", errorMessage: "busy", timestamp: "2026-03-14T09:26:53.589Z" };
      const client = makeClient(edition, {
        baseUrl: "https://api.example",
        depositBaseUrl: "https://deposits.example",
        apiKey: "key-of-the-test",
        retries: 0,
        fetch: async () => Response.json(code, { status: 400 }),
      });
      const result = await client.listUserCards?.({ path: { externalUserId: "user-1042" } });
      await page.goto(`${site.url}/${result?.error?.docs}`);
      await page.getByRole("heading", { name: `${code.errorCode} ${result?.error?.meaning}` }).waitFor();
    });

    test("links its downloads and the index", async () => {
      await page.goto(`${site.url}/${edition}/index.html#/`);
      const download = page.getByRole("link", { name: "openapi.json" }).first();
      expect(await download.evaluate((anchor) => (anchor as HTMLAnchorElement).href)).toBe(
        `${site.url}/${edition}/openapi.json`,
      );
      await page.getByRole("link", { name: "All editions" }).first().click();
      await page.waitForURL(`${site.url}/index.html`);
    });

    test("requests nothing from another host, and reports nothing in the console", () => {
      expect(visit.foreignRequests).toEqual([]);
      expect(visit.consoleMessages).toEqual([]);
    });
  });

  test("an edition opens from the disk with the network off", async () => {
    const visit = await startVisit(browser, site.url, { offline: true });
    await visit.page.goto(pathToFileURL(join(folder, "latest/index.html")).href);
    await searchCode(visit.page, contracts.latest.errorCodes[0] as ErrorCode);
    await visit.close();
    expect(visit.foreignRequests).toEqual([]);
    expect(visit.consoleMessages).toEqual([]);
  });
});

function codesOf({ answers }: Operation): string[] {
  return answers.flatMap(({ codes }) => codes);
}

function slug(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, "-");
}
