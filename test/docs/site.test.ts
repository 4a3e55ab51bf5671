/** The built site, also in a real browser. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Contract, type Edition, editions, readContract } from "../../scripts/contract/index.ts";
import type { SiteFiles } from "../../scripts/docs/index.ts";
import { findChromium, launchChromium } from "../../scripts/verify/chromium.ts";
import { makeClient } from "../support/clients.ts";
import { renderedSite, type ServedSite, serveFiles } from "./rendered-site.ts";
import { bundles } from "./site-bundles.ts";
import { search, startVisit, type Visit } from "./site-visit.ts";

const executablePath = findChromium();
if (executablePath === undefined && !process.env.CI) {
  console.warn("The browser tests of the site are skipped: there is no Chromium. Name one with CHROMIUM_PATH.");
}

const contracts: Record<Edition, Contract> = {
  latest: readContract(bundles.latest.document),
  test: readContract(bundles.test.document),
};
let files: SiteFiles;
let site: ServedSite;

beforeAll(async () => {
  files = await renderedSite();
  site = await serveFiles(files);
});

afterAll(() => site?.close());

test.each(editions)("the edition %s has a page for each operation, webhook and P-code", (edition) => {
  const { operations, webhooks, errorCodes } = contracts[edition];
  const expected = [
    ...operations.map(({ operationId }) => `operations/${operationId}`),
    ...webhooks.map(({ name }) => `webhooks/${name}`),
    ...errorCodes.map(({ code }) => `errors/${code}`),
  ].map((path) => `${edition}/${path}.html`);
  const made = Object.keys(files).filter((path) =>
    new RegExp(`^${edition}/(operations|webhooks|errors)/(?!index)\\w+\\.html$`).test(path),
  );
  expect(made.sort()).toEqual(expected.sort());
});

test("the downloads are the bundles", async () => {
  for (const edition of editions) {
    for (const format of ["json", "yaml"] as const) {
      const download = await fetch(`${site.url}/${edition}/openapi.${format}`);
      expect(await download.text()).toBe(bundles[edition][format]);
    }
  }
});

describe.skipIf(executablePath === undefined && !process.env.CI)("in Chromium", () => {
  let browser: Browser;
  let visit: Visit;
  let page: Page;

  beforeAll(async () => {
    browser = await launchChromium(executablePath);
    visit = await startVisit(browser, site.url);
    page = visit.page;
  });

  afterAll(async () => {
    await visit?.close();
    await browser?.close();
  });

  test("the address of the site leads to the edition latest", async () => {
    await page.goto(`${site.url}/`);
    await page.waitForURL(`${site.url}/latest/index.html`);
    await page.getByRole("heading", { level: 1 }).waitFor();
  });

  test("the switch leads to the same subject of the other edition, and back", async () => {
    await page.goto(`${site.url}/latest/errors/P459.html`);
    for (const edition of ["test", "latest"]) {
      await page.getByRole("navigation", { name: "Edition" }).getByRole("link", { name: edition, exact: true }).click();
      await page.waitForURL(`${site.url}/${edition}/errors/P459.html`);
    }
  });

  test.each(editions)("an error of the client of %s carries the address of the page of its code", async (edition) => {
    const code = { errorCode: "P501", errorMessage: "busy", timestamp: "2026-03-14T09:26:53.589Z" };
    const client = makeClient(edition, {
      baseUrl: "https://api.example",
      depositBaseUrl: "https://deposits.example",
      apiKey: "key-of-the-test",
      retries: 0,
      fetch: async () => Response.json(code, { status: 400 }),
    });
    const result = await client.listUserCards?.({ path: { externalUserId: "user-1042" } });
    const answer = await page.goto(`${site.url}/${result?.error?.docs}`);
    expect(answer?.status()).toBe(200);
    await page.getByRole("heading", { level: 1, name: `${code.errorCode} ${result?.error?.meaning}` }).waitFor();
  });

  test.each<[words: string, first: string]>([
    ["createVirtualCard", "operations/createVirtualCard.html"],
    ["P459", "errors/P459.html"],
  ])("the search finds %s, and the hit opens it", async (words, first) => {
    if (!page.url().includes("/test/")) await page.goto(`${site.url}/test/index.html`);
    const found = await search(page, words);
    expect(found[0]?.replace(/#.*/, "")).toBe(first);
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.pathname === `/test/${first}`);
  });

  test("an address that does not exist shows a page that leads on", async () => {
    const own = await startVisit(browser, site.url);
    const answer = await own.page.goto(`${site.url}/latest/operations/nothing.html`);
    expect(answer?.status()).toBe(404);
    await own.page.getByRole("main").getByRole("link", { name: "All operations" }).click();
    await own.page.waitForURL(`${site.url}/latest/operations/index.html`);
    await own.close();
  });

  test("an edition opens from the disk with the network off, and leads on", async () => {
    const own = await startVisit(browser, site.url, { offline: true });
    await own.page.goto(pathToFileURL(join(site.folder, "latest/index.html")).href);
    await own.page.getByRole("link", { name: "All operations" }).first().click();
    await own.page.getByRole("main").getByRole("link", { name: "Get All User Cards" }).first().click();
    await own.page.getByRole("heading", { level: 1, name: "Get All User Cards" }).waitFor();
    const background = await own.page.evaluate(() => getComputedStyle(document.body).margin);
    expect(background).toBe("0px");
    await own.close();
    expect([...own.foreignRequests, ...own.consoleMessages]).toEqual([]);
  });

  test("requests nothing from another host, and reports nothing in the console", () => {
    expect([...visit.foreignRequests, ...visit.consoleMessages]).toEqual([]);
  });
});
