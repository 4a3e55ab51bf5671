/** What the script of the pages does, and what a reader has without it. */
import { pathToFileURL } from "node:url";
import { createPartnerClient } from "partner-wallet-api";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { htmlOf, renderedSite, type ServedSite, serveFiles } from "../../docs/rendered-site.ts";
import { contractOf } from "../../support/contract.ts";
import { findChromium, launchChromium } from "./chromium.ts";
import { startVisit } from "./site-visit.ts";

const executablePath = findChromium();
const transfer = "operations/createTransfer.html";

describe.skipIf(executablePath === undefined && !process.env.CI)("the script of the pages", () => {
  let files: Awaited<ReturnType<typeof renderedSite>>;
  let browser: Browser;
  let site: ServedSite;
  let context: BrowserContext;
  let page: Page;

  const open = (path: string) => page.goto(`${site.url}/${path}`);
  const search = async (words: string) => {
    await page.keyboard.press("Control+k");
    await page.getByRole("searchbox", { name: "Search" }).fill(words);
  };
  const hits = () => page.locator(".results a");
  const tab = (name: string) => page.getByRole("tab", { name }).first();
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());

  beforeAll(async () => {
    files = await renderedSite();
    [browser, site] = await Promise.all([launchChromium(executablePath), serveFiles(files)]);
  });

  afterAll(async () => {
    await Promise.all([browser?.close(), site?.close()]);
  });

  beforeEach(async () => {
    context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"], reducedMotion: "reduce" });
    page = await context.newPage();
  });

  afterEach(() => context.close());

  test("the languages of samples are tabs for the keyboard, and the choice holds on other pages", async () => {
    await open(transfer);
    await tab("curl").focus();
    await page.keyboard.press("ArrowRight");
    expect(await tab("TypeScript client").getAttribute("aria-selected")).toBe("true");
    expect(await page.getByRole("tabpanel").count()).toBe(1);
    expect(await page.getByRole("tabpanel").textContent()).toContain("createPartnerClient");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("fetch");
    await page.keyboard.press("Home");
    await page.keyboard.press("End");

    await open("operations/getUserBalances.html");
    expect(await page.getByRole("tabpanel").textContent()).toContain("await fetch(");
    await page.keyboard.press("Tab");
    expect(await tab("curl").getAttribute("tabindex")).toBe("-1");
  });

  test("one example is shown: the first, the one that is chosen, or the one in the address", async () => {
    await open(transfer);
    const shown = page.locator(".sample:visible");
    const names = await page.locator(".sample").evaluateAll((samples) => samples.map(({ id }) => id));
    expect(await shown.evaluateAll((samples) => samples.map(({ id }) => id))).toEqual(names.slice(0, 1));
    await page.getByRole("combobox", { name: "Example" }).selectOption({ index: 1 });
    expect(await shown.getAttribute("id")).toBe(names[1]);
    await open(`${transfer}#${names[2]}`);
    expect(await shown.getAttribute("id")).toBe(names[2]);
    expect(await page.locator("option:checked").textContent()).toBe(await shown.locator("h3").textContent());
  });

  test("the code and the path get on the clipboard", async () => {
    await open(transfer);
    const panel = page.getByRole("tabpanel");
    await panel.getByRole("button", { name: "Copy" }).click();
    await panel.getByRole("button", { name: "Copied" }).waitFor();
    expect(await clipboard()).toBe(await panel.locator("code").textContent());
    await page.getByRole("button", { name: "Copy /v1/transfer" }).click();
    await page.waitForFunction(async () => (await navigator.clipboard.readText()) === "/v1/transfer");
  });

  test("the search has the right page among the first three", async () => {
    const wanted: Record<string, string> = {
      createVirtualCard: "operations/createVirtualCard.html",
      Cards: "areas/cards.html",
      P459: "errors/P459.html",
      poaRequiredForExtended: "operations/createUserAccount.html#response-201-poaRequiredForExtended",
      idempotency: "guides/unknown-outcomes.html",
      "time zone": "guides/times-and-time-zones.html",
      "2FA": "guides/cards.html",
      onboarding: "guides/onboarding.html",
      curl: "guides/getting-started.html",
    };
    await open("index.html");
    for (const [words, path] of Object.entries(wanted)) {
      await search("");
      await hits().first().waitFor({ state: "detached" });
      await search(words);
      await hits().first().waitFor();
      const found = await hits().evaluateAll((links) => links.map((link) => link.getAttribute("href")));
      expect(found.slice(0, 3), words).toContain(`/${path}`);
    }
  });

  test("the search is used by the keyboard: it opens, goes through what it found, and closes", async () => {
    await open("index.html");
    await page.keyboard.press("/");
    await page.keyboard.type("P459");
    await hits().first().waitFor();
    expect(await page.locator(".search [role=status]").textContent()).toMatch(/^\d+ pages found\.$/);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    expect(
      await hits()
        .nth(1)
        .evaluate((link) => link === document.activeElement),
    ).toBe(true);
    await page.keyboard.press("Escape");
    expect(await page.locator("dialog").isVisible()).toBe(false);
    await search("P459");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/errors/P459.html");
  });

  test("the search says what is missing where it cannot work", async () => {
    await page.route("**/pagefind/**", (route) => route.abort());
    await open("index.html");
    await search("P459");
    await page.getByText("The index of the search cannot be loaded").waitFor();
    await page.goto(pathToFileURL(`${site.folder}/${transfer}`).href);
    await search("P459");
    await page.getByText("The search needs a web server").waitFor();
  });

  test("an unknown address lists pages about its last word, and leads on", async () => {
    expect((await open("cards/createVirtualCard"))?.status()).toBe(404);
    await hits().first().waitFor();
    expect(await hits().first().getAttribute("href")).toBe("/operations/createVirtualCard.html");
    await page.getByRole("main").getByRole("link", { name: "All operations" }).click();
    await page.waitForURL(`${site.url}/operations/index.html`);
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
    expect((await open(String(result.error?.docs)))?.status()).toBe(200);
    await page.getByRole("heading", { level: 1, name: `${code.errorCode} ${result.error?.meaning}` }).waitFor();
  });

  test("the site opens from the disk with the network off, and leads on", async () => {
    const own = await startVisit(browser, site.url, { offline: true });
    await own.page.goto(pathToFileURL(`${site.folder}/index.html`).href);
    await own.page.getByRole("link", { name: "All operations" }).first().click();
    await own.page.getByRole("main").getByRole("link", { name: "Get All User Cards" }).first().click();
    await own.page.getByRole("heading", { level: 1, name: "Get All User Cards" }).waitFor();
    expect(await own.page.evaluate(() => getComputedStyle(document.body).margin)).toBe("0px");
    await own.close();
    expect([...own.foreignRequests, ...own.consoleMessages]).toEqual([]);
  });

  test("the edition selects what menus and lists show, is remembered, and hides nothing without the script", async () => {
    const row = page.locator("main tr th a").getByText("Suspend User", { exact: true });
    const note = page.locator("main [data-edition=latest]").first();
    const choose = (edition: string) => page.getByRole("button", { name: edition, exact: true }).click();
    await open("operations/index.html");
    expect([await row.isVisible(), await note.isVisible()]).toEqual([false, true]);
    await choose("test");
    expect([await row.isVisible(), await note.isVisible()]).toEqual([true, false]);
    await open("operations/createPaymentLink.html");
    const menu = page.locator(".side [data-edition=test]").first();
    expect(await menu.isVisible()).toBe(true);
    await choose("latest");
    expect(await menu.isVisible()).toBe(false);
    expect(await page.locator(".side [aria-current]").textContent()).toContain("Generate Payment Link");
    expect(await page.getByText("Its path is proposed").isVisible()).toBe(true);

    const plain = await browser.newContext({ javaScriptEnabled: false });
    const plainPage = await plain.newPage();
    await plainPage.goto(`${site.url}/operations/index.html`);
    const { operations } = await contractOf("test");
    const proposed = operations.filter(({ provenance }) => provenance === "proposed");
    expect(await plainPage.locator("main tr[data-edition=test]:visible").count()).toBe(proposed.length);
    expect(await plainPage.locator("[data-edition=latest]:visible").count()).toBe(0);
    await plain.close();
  });

  test("the search marks what only the other edition has", async () => {
    await open("index.html");
    await search("createPaymentLink");
    const marked = page.locator(".result-edition");
    await marked.first().waitFor();
    expect(await hits().first().getAttribute("href")).toBe("/operations/createPaymentLink.html");
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "test", exact: true }).click();
    await search("createPaymentLink ");
    // The results of the first search stay in sight until those of the second one are there.
    await marked.first().waitFor({ state: "detached" });
    expect(await hits().first().getAttribute("href")).toBe("/operations/createPaymentLink.html");
  });

  test("the theme is remembered", async () => {
    await open("index.html");
    const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const light = await background();
    for (const theme of ["light", "dark"]) {
      await page.locator(".theme").click();
      expect(await page.locator(".theme").getAttribute("aria-label")).toBe(`Theme: ${theme}`);
    }
    const dark = await background();
    expect(dark).not.toBe(light);
    await open(transfer);
    expect(await background()).toBe(dark);
    await page.locator(".theme").click();
    expect(await background()).toBe(light);
  });

  test("the address of a field that is folded away opens it, and printing opens everything", async () => {
    const [path, id] = foldedField();
    await open(`${path}#${id}`);
    expect(await page.locator(`[id="${id}"]`).isVisible()).toBe(true);
    await open(path);
    const isThere = () => page.locator(`[id="${id}"]`).evaluate((field) => field.checkVisibility());
    expect(await isThere()).toBe(false);
    await page.emulateMedia({ media: "print" });
    expect(await isThere()).toBe(true);
    await page.emulateMedia({ media: null });
  });

  /** A page with a field inside of something that is closed, and the anchor of the field. */
  function foldedField(): [path: string, id: string] {
    for (const path of Object.keys(files).filter((name) => name.startsWith("operations/"))) {
      if (!path.endsWith(".html")) continue;
      const [, id] = /<details class="deeper">.*?<li class="field" id="([^"]+)"/s.exec(htmlOf(files, path)) ?? [];
      if (id !== undefined) return [path, id];
    }
    throw new Error("No operation has a field that is folded away.");
  }

  test("the heading that is being read is marked", async () => {
    await open(`${transfer}#errors`);
    await page.locator(".contents [aria-current]", { hasText: "Errors" }).waitFor();
  });

  test("the list of pages on a phone opens and closes, with and without the script", async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await open(transfer);
    const entry = page.locator(".side [aria-current=page]");
    const button = page.getByRole("button", { name: "Pages" });
    await button.click();
    expect(await button.getAttribute("aria-expanded")).toBe("true");
    expect(await entry.evaluate((link) => link === document.activeElement)).toBe(true);
    await page.keyboard.press("Escape");
    expect(await button.getAttribute("aria-expanded")).toBe("false");

    const plain = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } });
    const plainPage = await plain.newPage();
    await plainPage.goto(`${site.url}/${transfer}`);
    await plainPage.getByRole("link", { name: "Pages", exact: true }).click();
    expect((await plainPage.locator(".side").boundingBox())?.y).toBeLessThan(100);
    await plainPage.getByRole("link", { name: "Close" }).click();
    const snippets = plainPage.locator(".snippet");
    expect(await plainPage.locator(".snippet:visible").count()).toBe(await snippets.count());
    expect(await plainPage.locator(".scripted:visible, .copy, [role=tab]").count()).toBe(0);
    await plain.close();
  });
});
