import { mkdirSync } from "node:fs";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type RunningMock, startMock } from "../../../scripts/mock/host/mock.ts";
import { plan } from "../../support/plan.ts";
import { launchChromium, skipsBrowser } from "../docs/chromium.ts";
import { overflowProblems, violations } from "../docs/page-checks.ts";

const key = "any-key-will-do-for-the-mock";

describe.skipIf(skipsBrowser)("the page of the mock", () => {
  let browser: Browser;
  let mock: RunningMock;
  let context: BrowserContext;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    [browser, mock] = await Promise.all([launchChromium(), startMock(plan, { key })]);
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
    await page.getByText("Live", { exact: true }).waitFor();
    await page.getByText("Trigger an external event").waitFor();
  });
  afterEach(async () => {
    await context.close();
    expect(complaints).toEqual([]);
  });

  const rowsOf = (id: string) => page.locator(`#${id} > li`);
  const call = (path: string, init: RequestInit = {}) =>
    fetch(`${mock.url}${path}`, { ...init, headers: { "x-api-key": key, "content-type": "application/json" } });

  test("lists requests as they come, without sensitive values", async () => {
    mock.users.create("user-7", { verified: true, funds: { eur: "12.50" } });
    const body = JSON.stringify({ externalUserId: "user-8", firstName: "Canary", country: "DE" });
    await call("/v1/user", { method: "POST", body });
    await rowsOf("users").filter({ hasText: "user-7" }).getByText("12.50 eur").waitFor();
    const request = rowsOf("requests").filter({ hasText: "POST /v1/user" });
    await request.locator("summary").click();
    await request.locator("pre").first().getByText("user-8").waitFor();
    expect(await page.locator("main").textContent()).not.toContain("Canary");
    await rowsOf("events").filter({ hasText: "undelivered" }).first().waitFor();
    // Open rows stay open when new rows arrive.
    await call("/v1/partner/balances");
    await rowsOf("requests").filter({ hasText: "/v1/partner/balances" }).waitFor();
    expect(await request.locator("pre").first().isVisible()).toBe(true);
  });

  const openForm = async (summary: string) => {
    await page.locator("summary", { hasText: summary }).click();
    const form = page.getByRole("form", { name: summary });
    const field = (name: string) => form.locator(`[name="${name}"]`);
    const send = () => form.getByRole("button", { name: "Send" }).click();
    return { form, field, send, result: form.locator("~ output") };
  };

  test("sets and removes faults, and explains an invalid one", async () => {
    const { form, field, send, result } = await openForm("Make calls fail");
    await field("code").fill("P999");
    await send();
    await result.getByText('No operation can have the code "P999"').waitFor();
    complaints = complaints.filter((text) => !text.includes("400 (Bad Request)"));
    await field("code").fill("");
    await form.getByRole("button", { name: "The next transfer takes effect, although" }).click();
    await send();
    await rowsOf("faults").filter({ hasText: "code P501, carriedOut true" }).waitFor();
    await page.getByRole("button", { name: "Remove fault 0" }).click();
    for (const name of ["operation", "code"]) await field(name).fill("");
    await field("carriedOut").selectOption("");
    expect(await field("lose").locator("option").allTextContents()).toEqual(["", "request", "response"]);
    await field("status").fill("503");
    await field("times").fill("always");
    await send();
    await rowsOf("faults").filter({ hasText: "status 503, times always" }).waitFor();
    expect((await call("/v1/partner/balances")).status).toBe(503);
    await page.getByRole("button", { name: "Remove fault 1" }).click();
    await page.getByText("Every call is answered as it should be.").waitFor();
    expect((await call("/v1/partner/balances")).status).toBe(200);
  });

  test("moves the clock, resets the world, and can show the world of another key", async () => {
    const { field, send } = await openForm("Change the time of the world");
    await field("advance").fill("2 days");
    await send();
    await page.getByText("2026-04-03 09:00:00").waitFor();
    await page.getByRole("button", { name: "+ 1 hour" }).click();
    await page.getByText("2026-04-03 10:00:00").waitFor();
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByText("runs", { exact: true }).waitFor();
    expect(mock.clock.now.toISOString()).toMatch(/^2026-04-03T10:00/);
    mock.users.create("user-7");
    await page.getByText("user-7", { exact: true }).waitFor();
    await page.getByLabel("API key").fill("another-key");
    await page.getByLabel("API key").press("Enter");
    await page.getByText("user-7", { exact: true }).waitFor({ state: "detached" });
    await page.getByLabel("API key").fill(key);
    await page.getByLabel("API key").press("Enter");
    await page.getByText("user-7", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Start over" }).click();
    await page.getByText("user-7", { exact: true }).waitFor({ state: "detached" });
    await page.getByRole("status").getByText("are as at the start").waitFor();
  });

  test("creates users, triggers events with their fields, and saves and loads a world", async () => {
    const userForm = await openForm("Create or change a user for a test");
    await userForm.field("externalUserId").fill("user-7");
    await userForm.field("verified").selectOption("true");
    await userForm.field("funds.<name>").fill("eur=12.50 btc=1");
    await userForm.send();
    await rowsOf("users").filter({ hasText: "user-7" }).getByText("12.50 eur, 1.00000000 btc").waitFor();
    const triggerForm = await openForm("Trigger an external event");
    await triggerForm.field("event").selectOption("sepaDeposit.depositArrives");
    await triggerForm.field("externalUserId").fill("user-7");
    await triggerForm.field("amount").fill("40.00");
    await triggerForm.send();
    await triggerForm.result.getByText("IN_PROGRESS").waitFor();
    await triggerForm.field("event").selectOption("sepaDeposit.depositIsDecided");
    await triggerForm.field("status").selectOption("SUCCESSFUL");
    await triggerForm.send();
    await rowsOf("users").filter({ hasText: "user-7" }).getByText("52.50 eur").waitFor();
    await page.locator("section", { hasText: "Each API key has its own world." }).getByText("Read as JSON").click();
    const readForm = await openForm("Read all data of the world");
    await readForm.send();
    const state = await readForm.result.locator("pre").textContent();
    await page.getByRole("button", { name: "Start over" }).click();
    await page.getByText("user-7", { exact: true }).first().waitFor({ state: "detached" });
    const loadForm = await openForm("Replace all data of the world");
    await loadForm.form.getByRole("textbox", { name: "Body as JSON" }).fill(state ?? "");
    await loadForm.send();
    await rowsOf("users").filter({ hasText: "user-7" }).getByText("52.50 eur").waitFor();
  });

  test("runs other answers to open questions, refuses two that contradict each other, and shows what a program then gets", async () => {
    const { form, field, send, result } = await openForm("Run other answers to open questions");
    await page.getByText("Each open question has the answer that the mock assumes.").waitFor();
    expect(
      await field("question")
        .locator("optgroup")
        .evaluateAll((elements) => elements.map((element) => element.getAttribute("label"))),
    ).toEqual(["money", "safety", "data", "convenience"]);
    await field("question").selectOption("Q-history-window");
    await form.getByText("Q-history-window. Assumed: The present month").waitFor();
    await field("answer").selectOption("Another time zone");
    await send();
    await rowsOf("answers").filter({ hasText: "Q-history-windowAnother time zone" }).waitFor();
    // At this time it is April in Berlin and still March in UTC. A program that takes the month from UTC asks for March.
    const timeForm = await openForm("Change the time of the world");
    await timeForm.field("set").fill("2026-03-31T22:30:00Z");
    await timeForm.send();
    await page.getByText("2026-03-31 22:30:00").waitFor();
    mock.users.create("user-7", { verified: true, funds: { eur: "12.50" } });
    for (const month of ["03", "04"]) await call(`/v1/user/transaction-history/user-7/${month}/2026`);
    const request = rowsOf("requests").filter({ hasText: "/v1/user/transaction-history/user-7/03/2026" });
    await request.locator("summary").click();
    expect(await request.locator("pre").last().textContent()).toBe("[]");
    for (const [question, answer] of [
      ["Q-webhook-payloads", "Other fields"],
      ["Q-timestamps", "Another form"],
    ] as const) {
      await field("question").selectOption(question);
      await field("answer").selectOption(answer);
      await send();
    }
    await result.getByText("contradict each other: shapes.bodies.").waitFor();
    complaints = complaints.filter((text) => !text.includes("400 (Bad Request)"));
    await page.getByRole("button", { name: "Remove the answer to Q-history-window" }).click();
    await rowsOf("answers").filter({ hasText: "Q-history-window" }).waitFor({ state: "detached" });
    expect(await rowsOf("answers").allTextContents()).toEqual(["Q-webhook-payloadsOther fieldsRemove"]);
  });

  test("has a form for every operation of the document that has no button", async () => {
    const document = await (await fetch(`${mock.url}/__mock/openapi.yaml`)).text();
    const summaries = [...document.matchAll(/^ {6}summary: (.+)$/gm)].map(([, text]) => text);
    const forms = await page
      .locator("section form")
      .evaluateAll((elements) => elements.map(({ ariaLabel }) => ariaLabel));
    const buttonSummaries = [
      "Start over with the world in its initial state",
      "Remove a fault",
      "Deliver an event once more",
    ];
    expect([...forms, ...buttonSummaries].sort()).toEqual(summaries.sort());
  });

  test("reports when the mock has stopped", async () => {
    await page.route("**/__mock/**", (route) => route.abort());
    await page.getByText("The mock does not answer.").waitFor();
    complaints = [];
  });

  test("has the style of the site in both themes at every width", async () => {
    mock.users.create("user-with-a-long-identifier-that-must-not-widen-the-page", {
      verified: true,
      funds: { eur: "5", btc: "0.00000001" },
    });
    mock.faults.add({ operation: "createTransfer", user: "user-7", body: { amount: "13.00" }, code: "P501", times: 3 });
    await call("/v1/user", { method: "POST", body: "{}" });
    await rowsOf("requests").first().locator("summary").click();
    for (const summary of await page.locator("section > div summary").all()) await summary.click();
    const folder = process.env.SCREENSHOTS;
    if (folder !== undefined) mkdirSync(folder, { recursive: true });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of [360, 768, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        expect([...(await overflowProblems(page)), ...(await violations(page))], `${colorScheme} ${width}`).toEqual([]);
        if (folder !== undefined)
          await page.screenshot({ path: `${folder}/mock-${colorScheme}-${width}.png`, fullPage: true });
      }
    }
  }, 120_000);
});
