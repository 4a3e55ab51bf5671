/** The page of the mock at `/__mock/`, in Chromium. */
import { mkdirSync } from "node:fs";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type RunningMock, startMock } from "../../../scripts/mock/host/mock.ts";
import { loadPlan } from "../../../scripts/mock/make-plan/index.ts";
import { findChromium, launchChromium } from "../docs/chromium.ts";
import { overflow, violations } from "../docs/page-checks.ts";

const executablePath = findChromium();
const key = "any-key-will-do-for-the-mock";

describe.skipIf(executablePath === undefined && !process.env.CI)("the page of the mock", () => {
  let browser: Browser;
  let mock: RunningMock;
  let context: BrowserContext;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    const plan = await loadPlan();
    [browser, mock] = await Promise.all([launchChromium(executablePath), startMock(plan, { key })]);
  });
  afterAll(async () => {
    await Promise.all([browser?.close(), mock?.close()]);
  });

  beforeEach(async () => {
    mock.reset();
    await mock.clock.freeze("2026-04-01T09:00:00Z");
    context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    page = await context.newPage();
    complaints = [];
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("request", (request) => {
      if (!request.url().startsWith(mock.url)) complaints.push(request.url());
    });
    await page.goto(`${mock.url}/__mock/`);
    await page.getByText("Live").waitFor();
  });
  afterEach(async () => {
    await context.close();
    expect(complaints).toEqual([]);
  });

  const rowsOf = (id: string) => page.locator(`#${id} > li`);
  const call = (path: string, init: RequestInit = {}) =>
    fetch(`${mock.url}${path}`, { ...init, headers: { "x-api-key": key, "content-type": "application/json" } });

  test("shows what happens while it happens, and nothing sensitive", async () => {
    mock.users.create("user-7", { verified: true, funds: { eur: "12.50" } });
    const body = JSON.stringify({ externalUserId: "user-8", firstName: "Canary", country: "DE" });
    await call("/v1/user", { method: "POST", body });
    await rowsOf("users").filter({ hasText: "user-7" }).getByText("12.50 eur").waitFor();
    const request = rowsOf("requests").filter({ hasText: "POST /v1/user" });
    await request.locator("summary").click();
    await request.locator("pre").first().getByText("user-8").waitFor();
    expect(await page.locator("main").textContent()).not.toContain("Canary");
    await rowsOf("events").filter({ hasText: "undelivered" }).first().waitFor();
    // What is open stays open while other rows come.
    await call("/v1/partner/balances");
    await rowsOf("requests").filter({ hasText: "/v1/partner/balances" }).waitFor();
    expect(await request.locator("pre").first().isVisible()).toBe(true);
  });

  test("sets and removes faults, and says what is wrong with one", async () => {
    await page.getByLabel("code").fill("P999");
    await page.getByRole("button", { name: "Add" }).click();
    await page.getByRole("status").getByText('No operation can have the code "P999"').waitFor();
    complaints = complaints.filter((text) => !text.includes("400 (Bad Request)"));
    await page.getByLabel("code").fill("");
    await page.getByLabel("status").fill("503");
    await page.getByLabel("times").fill("always");
    await page.getByRole("button", { name: "Add" }).click();
    await rowsOf("faults").filter({ hasText: "status 503, times always" }).waitFor();
    expect((await call("/v1/partner/balances")).status).toBe(503);
    await page.getByRole("button", { name: "Remove fault 0" }).click();
    await page.getByText("Every call is answered as it should be.").waitFor();
    expect((await call("/v1/partner/balances")).status).toBe(200);
  });

  test("moves the clock, resets the world, and shows that of another key", async () => {
    await page.getByLabel("Advance by").fill("2 days");
    await page.getByRole("button", { name: "Advance" }).click();
    await page.getByText("2026-04-03 09:00:00").waitFor();
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByText("runs", { exact: true }).waitFor();
    expect(mock.clock.now.toISOString()).toMatch(/^2026-04-03T09:00/);
    mock.users.create("user-7");
    await page.getByText("user-7").waitFor();
    await page.getByLabel("API key").fill("another-key");
    await page.getByLabel("API key").press("Enter");
    await page.getByText("user-7").waitFor({ state: "detached" });
    await page.getByLabel("API key").fill(key);
    await page.getByLabel("API key").press("Enter");
    await page.getByText("user-7").waitFor();
    await page.getByRole("button", { name: "Reset this world" }).click();
    await page.getByText("user-7").waitFor({ state: "detached" });
  });

  test("says when the mock is gone", async () => {
    await page.route("**/__mock/**", (route) => route.abort());
    await page.getByText("The mock does not answer.").waitFor();
    complaints = [];
  });

  test("has a policy that lets nothing in, and the style of the site in both themes at every width", async () => {
    const { headers } = await fetch(`${mock.url}/__mock/`);
    expect(headers.get("content-security-policy")).toContain("default-src 'none'; script-src 'self'");
    mock.users.create("user-with-a-long-identifier-that-must-not-widen-the-page", {
      verified: true,
      funds: { eur: "5", btc: "0.00000001" },
    });
    mock.faults.add({ operation: "createTransfer", user: "user-7", body: { amount: "13.00" }, code: "P501", times: 3 });
    await call("/v1/user", { method: "POST", body: "{}" });
    await rowsOf("requests").first().locator("summary").click();
    const folder = process.env.SCREENSHOTS;
    if (folder !== undefined) mkdirSync(folder, { recursive: true });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of [360, 768, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        expect([...(await overflow(page)), ...(await violations(page))], `${colorScheme} ${width}`).toEqual([]);
        if (folder !== undefined)
          await page.screenshot({ path: `${folder}/mock-${colorScheme}-${width}.png`, fullPage: true });
      }
    }
  });
});
