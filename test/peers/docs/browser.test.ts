import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { pathToFileURL } from "node:url";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startMock } from "../../../scripts/mock/host/mock.ts";
import { loadPlan } from "../../../scripts/mock/make-plan/index.ts";
import { htmlOf, renderedSite, type ServedSite, serveFiles } from "../../site/rendered-site.ts";
import { contractOf } from "../../support/contract.ts";
import { launchChromium, skipsBrowser, startVisit } from "./chromium.ts";

const transfer = "operations/createTransfer.html";

describe.skipIf(skipsBrowser)("the script of the pages", () => {
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
  const language = () => page.getByRole("combobox", { name: "Language" }).first();
  const shownCode = () => page.locator(".snippet:visible code").first().textContent();
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());

  beforeAll(async () => {
    files = await renderedSite();
    [browser, site] = await Promise.all([launchChromium(), serveFiles(files)]);
  });

  afterAll(async () => {
    await Promise.all([browser?.close(), site?.close()]);
  });

  beforeEach(async () => {
    context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"], reducedMotion: "reduce" });
    page = await context.newPage();
  });

  afterEach(() => context.close());

  test("the chosen sample language is kept on other pages, and missing samples are generated", async () => {
    await open(transfer);
    expect(await shownCode()).toMatch(/^curl -i/);
    await language().selectOption("typescript");
    expect(await shownCode()).toContain("createPartnerClient");
    for (const [name, words] of Object.entries({ php: "curl_init", go: "package main", javascript: "await fetch(" })) {
      await language().selectOption(name);
      await page.locator(".made:visible code", { hasText: words }).waitFor();
    }
    await language().selectOption("python");
    await open("operations/getUserBalances.html");
    await page.locator(".made:visible code", { hasText: "requests.get(" }).waitFor();
    expect(await page.locator(".snippet:visible").count()).toBe(1);
  });

  test("the reader's address and key are inserted in every sample and command on every page, until removed", async () => {
    await open(transfer);
    await page.getByText("Address and key").click();
    await page.getByLabel("Address", { exact: true }).fill("https://test.partner.example/api/");
    await page.getByLabel("API key").fill("my-own-key");
    expect(await shownCode()).toContain("curl -i https://test.partner.example/api/v1/transfer");
    expect(await shownCode()).toContain("x-api-key: my-own-key");
    await page.getByLabel("API key").fill("a'; rm -rf");
    expect(await shownCode()).toContain("x-api-key: my-own-key");
    await language().selectOption("python");
    await open("operations/getUserBalances.html");
    await page.locator(".made:visible code", { hasText: "https://test.partner.example/api/v1/" }).waitFor();
    await page.getByText("Address and key").click();
    await page.getByLabel("API key").fill("");
    await page.locator(".made:visible code", { hasText: "any-key-will-do-for-the-mock" }).waitFor();
    await open("guides/unknown-outcomes.html"); // A program for the control interface keeps the mock's address.
    expect(await page.locator("main").textContent()).not.toContain("test.partner.example");
    await open("index.html");
    expect(await page.locator("main").textContent()).toContain("https://test.partner.example/api/v1/");
    expect(await page.locator("main").textContent()).toContain(`npm install ${site.url}/partner-wallet-api-`);
  });

  test("a sample can be sent, and shows status, headers and body, or why there are none", async () => {
    const mock = await startMock(await loadPlan(), { edition: "test", scenario: true });
    const silent = createServer((_, response) => void response.end("no CORS here"));
    await once(silent.listen(0, "127.0.0.1"), "listening");
    const messages: string[] = [];
    page.on("dialog", (dialog) => void dialog.accept());
    page.on("console", (message) => void (message.type() === "error" && messages.push(message.text())));
    try {
      await open(transfer);
      await page.getByText("Address and key").click();
      const sendTo = async (address: string) => {
        await page.getByLabel("Address", { exact: true }).fill(address);
        await page.getByRole("button", { name: "Send it" }).first().click();
      };
      const sent = (text: string) => page.locator(".sent", { hasText: text }).first().waitFor({ timeout: 5_000 });
      await sendTo(mock.url);
      await sent("Sent: 201 Created in ");
      await sent("content-type: application/json");
      await sent('"transferId": "');
      expect(messages).toEqual([]);
      const isInView = () =>
        page.evaluate("document.querySelector('.sent figure').getBoundingClientRect().bottom <= innerHeight + 1");
      await expect.poll(isInView).toBe(true);
      await sendTo(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`);
      await sent("is there, but does not let pages of");
      await sendTo("http://192.0.2.1");
      await sent("The Content-Security-Policy of this site forbids calls to http://192.0.2.1");
      await sendTo("http://127.0.0.1:9");
      await sent("Nothing answers at http://127.0.0.1:9");
    } finally {
      await Promise.all([mock.close(), new Promise((resolve) => silent.close(resolve))]);
    }
  });

  test("shows one example: the first, the chosen one, or the one in the address", async () => {
    await open(transfer);
    const shown = page.locator(".sample:visible");
    const names = await page.locator(".sample").evaluateAll((samples) => samples.map(({ id }) => id));
    expect(await shown.evaluateAll((samples) => samples.map(({ id }) => id))).toEqual(names.slice(0, 1));
    await page.getByRole("combobox", { name: "Example" }).selectOption({ index: 1 });
    expect(await shown.getAttribute("id")).toBe(names[1]);
    await open(`${transfer}#${names[2]}`);
    expect(await shown.getAttribute("id")).toBe(names[2]);
    expect(await page.locator(".samples > select option:checked").textContent()).toBe(
      await shown.locator("h3").textContent(),
    );
  });

  test("copies code and path to the clipboard", async () => {
    await open(transfer);
    const snippet = page.locator(".snippet:visible").first();
    const example = await page.locator(".sample:visible h3").textContent();
    await snippet.getByRole("button", { name: `Copy: curl, ${example}`, exact: true }).click();
    await snippet.getByText("Copied", { exact: true }).waitFor();
    expect(await clipboard()).toBe(await shownCode());
    await page.getByRole("button", { name: "Copy /v1/transfer" }).click();
    await page.waitForFunction(async () => (await navigator.clipboard.readText()) === "/v1/transfer");
  });

  test("the search can be opened, used and closed with the keyboard", async () => {
    await open("index.html");
    await page.keyboard.press("/");
    await page.keyboard.type("P459");
    await hits().first().waitFor();
    expect(await page.locator(".search [role=status]").textContent()).toBe("The first 20 pages.");
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

  test("the search explains where it cannot work", async () => {
    await page.route("**/search.json", (route) => route.abort());
    await open("index.html");
    await search("P459");
    await page.getByText("The index of the search cannot be loaded").waitFor();
    await page.goto(pathToFileURL(`${site.folder}/${transfer}`).href);
    await search("P459");
    await page.getByText("The search needs a web server").waitFor();
  });

  test("an unknown address lists pages about its last word", async () => {
    expect((await open("cards/createVirtualCard"))?.status()).toBe(404);
    await hits().first().waitFor();
    expect(await hits().first().getAttribute("href")).toBe(`${site.url}/operations/createVirtualCard.html`);
    await page.getByRole("main").getByRole("link", { name: "All operations" }).click();
    await page.waitForURL(`${site.url}/operations/index.html`);
  });

  test("the site works from disk without a network", async () => {
    const own = await startVisit(browser, site.url, { offline: true });
    await own.page.goto(pathToFileURL(`${site.folder}/index.html`).href);
    await own.page.getByRole("link", { name: "All operations" }).first().click();
    await own.page.getByRole("main").getByRole("link", { name: "Get All User Cards" }).first().click();
    await own.page.getByRole("heading", { level: 1, name: "Get All User Cards" }).waitFor();
    expect(await own.page.evaluate(() => getComputedStyle(document.body).margin)).toBe("0px");
    await own.close();
    expect(own.problems).toEqual([]);
  });

  test("the chosen edition dims menu and list entries, is remembered, and has no effect without the script", async () => {
    const row = page.locator("main tr").filter({ has: page.locator("th a", { hasText: /^Suspend User$/ }) });
    const mark = (within: Locator) => within.evaluate((link) => getComputedStyle(link, "::after").content);
    const note = page.locator("main [data-edition=latest]").first();
    const choose = (edition: string) => page.getByRole("button", { name: edition, exact: true }).click();
    await open("operations/index.html");
    expect([await row.isVisible(), await note.isVisible()]).toEqual([true, true]);
    const colour = await row
      .locator("td")
      .last()
      .evaluate((cell) => getComputedStyle(cell).color);
    expect(await mark(row.locator("th a"))).toContain("test only");
    await choose("test");
    expect([await row.isVisible(), await note.isVisible()]).toEqual([true, false]);
    expect(
      await row
        .locator("td")
        .last()
        .evaluate((cell) => getComputedStyle(cell).color),
    ).not.toBe(colour);
    expect(await mark(row.locator("th a"))).toBe("none");
    await open("operations/createPaymentLink.html");
    const menu = page.locator(".side details[open] [data-edition=test] > a").first();
    expect(await mark(menu)).toBe("none");
    await choose("latest");
    expect([await menu.isVisible(), await mark(menu)]).toEqual([true, expect.stringContaining("test only")]);
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

  test("the search marks results that only the other edition has", async () => {
    await open("index.html");
    await search("createPaymentLink");
    const marked = page.locator(".result-edition");
    await marked.first().waitFor();
    expect(await hits().first().getAttribute("href")).toBe(`${site.url}/operations/createPaymentLink.html`);
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

  test("the address of a folded field unfolds it, and printing unfolds everything", async () => {
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

  function foldedField(): [path: string, id: string] {
    for (const path of Object.keys(files).filter((name) => name.startsWith("operations/"))) {
      if (!path.endsWith(".html")) continue;
      const [, id] = /<details class="deeper">.*?<li class="field" id="([^"]+)"/s.exec(htmlOf(files, path)) ?? [];
      if (id !== undefined) return [path, id];
    }
    throw new Error("No operation has a field that is folded away.");
  }

  test("marks the heading that is being read", async () => {
    await open(`${transfer}#errors`);
    await page.locator(".contents [aria-current]", { hasText: "Errors" }).waitFor();
  });

  test("the page list on a phone opens and closes, with and without the script", async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await open(transfer);
    const entry = page.locator(".side [aria-current=page]");
    const button = page.getByRole("button", { name: "Pages" });
    await button.click();
    expect(await page.locator(".side:popover-open").count()).toBe(1);
    expect(await entry.evaluate((link) => link === document.activeElement)).toBe(true);
    await page.keyboard.press("Escape");
    expect(await page.locator(".side:popover-open").count()).toBe(0);

    const plain = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } });
    const plainPage = await plain.newPage();
    await plainPage.goto(`${site.url}/${transfer}`);
    await plainPage.getByRole("button", { name: "Pages", exact: true }).click();
    expect((await plainPage.locator(".side").boundingBox())?.y).toBeLessThan(100);
    await plainPage.getByRole("button", { name: "Pages", exact: true }).click();
    expect((await plainPage.locator(".side").boundingBox())?.y).toBeGreaterThan(100);
    const snippets = plainPage.locator(".snippet");
    expect(await plainPage.locator(".snippet:visible").count()).toBe(await snippets.count());
    expect(await plainPage.locator(".scripted:visible, .copy, .sample-tools, .settings").count()).toBe(0);
    await plain.close();
  });
});
