/** The site in a real browser. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createPartnerClient } from "partner-wallet-api";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { renderedSite, type ServedSite, serveFiles } from "../../docs/rendered-site.ts";
import { findChromium, launchChromium } from "./chromium.ts";
import { search, startVisit, type Visit } from "./site-visit.ts";

const executablePath = findChromium();
let site: ServedSite;

beforeAll(async () => {
  site = await serveFiles(await renderedSite());
});

afterAll(() => site?.close());

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

  test("an error of the client carries the address of the page of its code", async () => {
    const code = { errorCode: "P501", errorMessage: "busy", timestamp: "2026-03-14T09:26:53.589Z" };
    const client = createPartnerClient({
      baseUrl: "https://api.example",
      depositBaseUrl: "https://deposits.example",
      apiKey: "key-of-the-test",
      retries: 0,
      fetch: async () => Response.json(code, { status: 400 }),
    });
    const result = await client.listUserCards({ path: { externalUserId: "user-1042" } });
    const answer = await page.goto(`${site.url}/${result.error?.docs}`);
    expect(answer?.status()).toBe(200);
    await page.getByRole("heading", { level: 1, name: `${code.errorCode} ${result.error?.meaning}` }).waitFor();
  });

  test.each<[words: string, first: string]>([
    ["createVirtualCard", "operations/createVirtualCard.html"],
    ["P459", "errors/P459.html"],
  ])("the search finds %s, and the hit opens it", async (words, first) => {
    await page.goto(`${site.url}/`);
    const found = await search(page, words);
    expect(found[0]?.replace(/#.*/, "")).toBe(first);
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.pathname === `/${first}`);
  });

  test("an address that does not exist shows a page that leads on", async () => {
    const own = await startVisit(browser, site.url);
    const answer = await own.page.goto(`${site.url}/operations/nothing.html`);
    expect(answer?.status()).toBe(404);
    await own.page.getByRole("main").getByRole("link", { name: "All operations" }).click();
    await own.page.waitForURL(`${site.url}/operations/index.html`);
    await own.close();
  });

  test("the site opens from the disk with the network off, and leads on", async () => {
    const own = await startVisit(browser, site.url, { offline: true });
    await own.page.goto(pathToFileURL(join(site.folder, "index.html")).href);
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
