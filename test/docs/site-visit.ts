/** What a reader does on the site, in a real browser. */
import type { Browser, Page } from "playwright-core";
import { expect } from "vitest";
import type { ErrorCode } from "../../scripts/contract/index.ts";

export interface Visit {
  page: Page;
  /** Requests to other hosts. */
  foreignRequests: string[];
  /** Errors and warnings of the console, violations of the Content-Security-Policy included. */
  consoleMessages: string[];
  close(): Promise<void>;
}

/**
 * Opens a browser window.
 *
 * @param siteUrl the only address that requests may go to.
 */
export async function startVisit(
  browser: Browser,
  siteUrl: string,
  options: { offline?: boolean } = {},
): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1400, height: 1000 }, ...options });
  const foreignRequests: string[] = [];
  const consoleMessages: string[] = [];
  context.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${siteUrl}/`) && !/^(?:data|file):/.test(url)) foreignRequests.push(url);
  });
  context.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") consoleMessages.push(message.text());
  });
  context.on("weberror", (error) => consoleMessages.push(error.error().message));
  return { page: await context.newPage(), foreignRequests, consoleMessages, close: () => context.close() };
}

/** The field that opens the search. It is there as soon as the page has started. */
export function searchField(page: Page) {
  return page.getByText("Search").first();
}

/** Every entry of the side bar by its address. Opening a group can close another, so each is read while it is open. */
export async function readSideBar(page: Page): Promise<Map<string, string>> {
  const entries = await page.evaluate(async () => {
    const found: Record<string, string> = {};
    const groups = [...document.querySelectorAll(".menu-content .menu-item-type-group > a")];
    for (const address of groups.map((group) => group.getAttribute("href"))) {
      document.querySelector<HTMLElement>(`.menu-content a[href='${address}'] > *`)?.click();
      const startedAt = performance.now();
      const isOpen = () => document.querySelector(`.menu-content a[href^='${address}/']`) !== null;
      while (!isOpen() && performance.now() - startedAt < 5000) await new Promise(requestAnimationFrame);
      for (const anchor of document.querySelectorAll(".menu-content a[href^='#/']")) {
        found[anchor.getAttribute("href") ?? ""] = anchor.querySelector("[data-text]")?.textContent?.trim() ?? "";
      }
    }
    return found;
  });
  return new Map(Object.entries(entries));
}

/** The tables of P-codes on the page, each as its rows. */
export async function readCodeTables(page: Page) {
  return await page.locator("table", { hasText: "Retry" }).evaluateAll((tables) =>
    tables.map((table) =>
      [...table.querySelectorAll("tbody tr")].map((row) => {
        const cells = [...row.querySelectorAll("td")].map((cell) => (cell.textContent ?? "").trim());
        return {
          code: row.querySelector("a")?.textContent ?? "",
          status: cells[1] ?? "",
          meaning: cells[2] ?? "",
          resolution: cells[4] ?? "",
        };
      }),
    ),
  );
}

/** Looks up a P-code in the search, and opens the hit. */
export async function searchCode(page: Page, { code, meaning, resolution }: ErrorCode): Promise<void> {
  await searchField(page).click();
  const dialog = page.getByTestId("search-dialog");
  const hit = dialog.locator(`a[href="#/errors/${code.toLowerCase()}"]`).first();
  await dialog.getByRole("textbox").fill(code);
  await hit.waitFor();
  expect(await hit.textContent()).toContain(`${code} ${meaning}`);
  await hit.click();
  await page.getByRole("heading", { name: `${code} ${meaning}` }).waitFor();
  expect(page.url()).toMatch(new RegExp(`#/errors/${code}$`, "i"));
  expect(plain(await page.locator("main").textContent())).toContain(plain(resolution));
}

/** A text without the backticks of Markdown. */
export function plain(markdown: string | null): string {
  return (markdown ?? "").replaceAll("`", "").replace(/\s+/g, " ");
}
