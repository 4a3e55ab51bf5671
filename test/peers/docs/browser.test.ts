import { once } from "node:events";
import { createServer, type OutgoingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { pathToFileURL } from "node:url";
import type { Browser, CDPSession, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startMock } from "../../../scripts/mock/host/mock.ts";
import { loadPlan } from "../../../scripts/mock/make-plan/index.ts";
import { htmlOf, renderedSite, type ServedSite, serveFiles } from "../../site/rendered-site.ts";
import { contractOf } from "../../support/contract.ts";
import { launchChromium, skipsBrowser, startVisit } from "./chromium.ts";
import { overflowProblems } from "./page-checks.ts";

const transfer = "operations/createTransfer.html";

describe.skipIf(skipsBrowser)("the script of the pages", () => {
  let files: Awaited<ReturnType<typeof renderedSite>>;
  let browser: Browser;
  let site: ServedSite;
  let page: Page;
  let session: CDPSession;

  const open = (path: string) => page.goto(`${site.url}/${path}`);
  const search = async (words: string) => {
    await page.keyboard.press("Control+k");
    await page.getByRole("searchbox", { name: "Search" }).fill(words);
  };
  const searchResults = () => page.locator(".results a");
  const language = () => page.getByRole("combobox", { name: "Language" });
  const readShownCode = () => page.locator(".snippet:visible code").first().textContent();
  const readClipboard = () => page.evaluate(() => navigator.clipboard.readText());

  beforeAll(async () => {
    files = await renderedSite();
    [browser, site] = await Promise.all([launchChromium(), serveFiles(files)]);
    const permissions = ["clipboard-read", "clipboard-write"];
    const context = await browser.newContext({ permissions, reducedMotion: "reduce" });
    page = await context.newPage();
    session = await context.newCDPSession(page);
  });

  afterAll(async () => {
    await Promise.all([browser?.close(), site?.close()]);
  });

  // The tests use one window, because a new one takes more processor time than most of the tests.
  beforeEach(async () => {
    page.removeAllListeners("dialog");
    await page.unrouteAll();
    await page.goto("about:blank");
    await page.setViewportSize({ width: 1280, height: 720 });
    await session.send("Storage.clearDataForOrigin", { origin: site.url, storageTypes: "all" });
  });

  test("the language of the header is that of samples and quick starts, kept on other pages, in the address or stored", async () => {
    await open(transfer);
    expect(await readShownCode()).toMatch(/^curl -i/);
    await language().selectOption("typescript");
    expect(await readShownCode()).toContain("createPartnerClient");
    for (const [name, words] of Object.entries({
      php: "curl_init",
      go: "package main",
      powershell: "Invoke-WebRequest",
    })) {
      await language().selectOption(name);
      expect(new URL(page.url()).searchParams.get("lang")).toBe(name);
      await page.locator(".made:visible code", { hasText: words }).waitFor();
    }
    await language().selectOption("python");
    await open("operations/getUserBalances.html");
    await page.locator(".made:visible code", { hasText: "requests.get(" }).waitFor();
    expect(await page.locator(".snippet:visible").count()).toBe(1);
    await open("index.html");
    const quickStart = page.locator(".quick-starts [aria-current]");
    expect(await quickStart.textContent()).toBe("Python");
    await open("index.html?lang=ruby");
    expect([await quickStart.textContent(), await language().inputValue()]).toEqual(["Ruby", "ruby"]);
    await quickStart.click();
    await page.waitForURL("**/guides/ruby.html");
    expect(await language().inputValue()).toBe("ruby");
    await open("index.html?lang=cobol");
    expect(await language().inputValue()).toBe("ruby");
  });

  test("a guide shows passages in the chosen language, and all of them on demand", async () => {
    const passages = page.locator(".by-language > [data-language]:visible");
    const shownLanguages = () =>
      passages.evaluateAll((elements) => elements.map((passage) => (passage as HTMLElement).dataset.language));
    await open("guides/proving.html");
    expect(await shownLanguages()).toEqual(["python", "php", "ruby", "go", "java", "csharp"]);
    await language().selectOption("go");
    expect(await shownLanguages()).toEqual(["go"]);
    await page.getByRole("button", { name: "Show all languages" }).click();
    expect(await passages.count()).toBe(6);
    await language().selectOption("java");
    expect(await shownLanguages()).toEqual(["java"]);
    await open("guides/without-node.html?lang=php");
    expect([await shownLanguages(), await page.getByRole("heading", { name: "Python" }).isVisible()]).toEqual([
      ["php"],
      false,
    ]);
    await page.locator(".contents a[href='#python']").click();
    expect([await shownLanguages(), await page.getByRole("heading", { name: "Python" }).isVisible()]).toEqual([
      ["python", "php"],
      true,
    ]);
  });

  test("the reader's address and key are inserted in every sample and command on every page, until removed", async () => {
    await open(transfer);
    await page.getByText("Address and key").click();
    await page.getByLabel("Address", { exact: true }).fill("https://test.partner.example/api/");
    await page.getByLabel("API key").fill("my-own-key");
    expect(await readShownCode()).toContain("curl -i https://test.partner.example/api/v1/transfer");
    expect(await readShownCode()).toContain("x-api-key: my-own-key");
    await page.getByLabel("API key").fill("a'; rm -rf");
    expect(await readShownCode()).toContain("x-api-key: my-own-key");
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

  /** Sends the first sample of the transfer to an address. Returns the line for screen readers, and the visible text of the response. */
  async function sendTo(address: string, targetPage = page): Promise<{ line: string; responseText: string }> {
    await targetPage.goto(`${site.url}/${transfer}`);
    await targetPage.evaluate((value) => localStorage.setItem("reference-base_url", value), address);
    await targetPage.reload();
    const sample = targetPage.locator(".sample:visible");
    await sample.getByRole("button", { name: "Send it" }).click();
    await sample.locator(".sent > *").first().waitFor({ timeout: 40_000 });
    expect(await targetPage.evaluate(() => document.activeElement?.textContent)).toBe("Send it");
    return {
      line: await sample.locator("[role=status]").innerText(),
      responseText: await sample.locator(".sent").innerText(),
    };
  }

  describe("a sample that is sent", () => {
    const cors = { "access-control-allow-origin": "*", "access-control-allow-headers": "*" };
    const jsonHeaders = { ...cors, "content-type": "application/json" };
    const numbers = '{"amount":125.50,"sats":0.00000001,"id":12345678901234567890,"rate":1.0}';
    const responses: Record<string, [status: number, headers: object, body: string]> = {
      numbers: [200, jsonHeaders, numbers],
      broken: [502, jsonHeaders, '{"errorCode": "P501", '],
      page: [503, { ...cors, "content-type": "text/html" }, "<h1>maintenance</h1><script>alert(1)</script>"],
      empty: [200, jsonHeaders, ""],
      redirect: [302, { ...cors, location: "http://127.0.0.1:9/" }, ""],
      large: [200, jsonHeaders, JSON.stringify("x".repeat(300_000))],
      huge: [200, jsonHeaders, JSON.stringify("x".repeat(6_000_000))],
      foreign: [200, { "content-type": "application/json" }, "{}"],
    };
    let server: ReturnType<typeof createServer>;
    let address: string;
    const receivedKeys: (string | undefined)[] = [];

    beforeAll(async () => {
      server = createServer((request, response) => {
        const [, name = ""] = (request.url ?? "").split("/");
        if (request.headers["x-api-key"] !== undefined) receivedKeys.push(request.url);
        const [status, headers, body] = responses[name] ?? [404, jsonHeaders, '{"errorCode":"P999"}'];
        if (request.method === "OPTIONS") return void response.writeHead(204, headers as OutgoingHttpHeaders).end();
        response.writeHead(status, headers as OutgoingHttpHeaders);
        if (name === "cut") return void response.write("{", () => response.destroy());
        response.end(body);
      });
      await once(server.listen(0, "127.0.0.1"), "listening");
      address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    afterAll(() => new Promise((resolve) => server.close(resolve)));

    test.each<[name: string, line: RegExp, expectedText: string | RegExp]>([
      [
        "numbers",
        /^Response from 127.0.0.1:\d+: 200 OK in \d+ ms$/,
        '"amount": 125.50,\n  "sats": 0.00000001,\n  "id": 12345678901234567890,',
      ],
      ["broken", /^Response from [\d.:]+ 502 Bad Gateway/, /not valid JSON.*\{"errorCode": "P501", /s],
      ["page", /^Response from [\d.:]+ 503/, "<h1>maintenance</h1><script>alert(1)</script>"],
      ["empty", /^Response from [\d.:]+ 200/, "The response has no body."],
      ["redirect", /^A redirect/, "Send the sample from a terminal instead."],
      ["large", /^Response from [\d.:]+ 200/, "Shown: the first 200,000 of 300,002 characters."],
      ["huge", /^Response from [\d.:]+ 200/, "The body has more than 5 MB; the rest was not read."],
      ["foreign", /is there, but the call failed/, "(CORS). The call may have been carried out."],
    ])("shows what came back as it came: %s", async (name, line, expectedText) => {
      const sendResult = await sendTo(`${address}/${name}`);
      expect(sendResult.line).toMatch(line);
      if (typeof expectedText === "string") expect(sendResult.responseText).toContain(expectedText);
      else expect(sendResult.responseText).toMatch(expectedText);
    });

    test.each([
      ["http://wallet.example", "The Content-Security-Policy of this site forbids calls to http://wallet.example"],
      ["http://127.0.0.1:9", "No response from http://127.0.0.1:9"],
    ])("names the reason when nothing came back from %s", async (origin, reason) => {
      page.on("dialog", (dialog) => void dialog.accept());
      expect((await sendTo(origin)).line).toContain(reason);
    });

    test("may have been carried out when the connection was closed", async () => {
      const closingServer = createServer(({ socket }) => void socket.destroy()).listen(0, "127.0.0.1");
      await once(closingServer, "listening");
      const { line } = await sendTo(`http://127.0.0.1:${(closingServer.address() as AddressInfo).port}`);
      closingServer.close();
      expect(line).toContain("nothing listens there, or it closed the connection. The call may have been carried out.");
    });

    test("names the P-code of a refusal, with its page", async () => {
      expect((await sendTo(`${address}/unknown`)).responseText).toContain("The contract does not list P999.");
      const mock = await startMock(await loadPlan(), { edition: "test", allowOrigin: [site.url] });
      try {
        await sendTo(mock.url);
        await page.locator(".sent a", { hasText: /^P\d{3}/ }).click();
        await page.waitForURL(/\/errors\/P\d{3}\.html/);
      } finally {
        await mock.close();
      }
    });

    test("is not sent to another address than the one typed, nor without a part of its path", async () => {
      await sendTo(`${address}/numbers`);
      await page.getByText("Address and key").click();
      await page.getByLabel("Address", { exact: true }).fill("127.0.0.1:4010");
      await page.getByText("Not used: the address must begin with").waitFor();
      const sample = page.locator(".sample:visible");
      await sample.getByRole("button", { name: "Send it" }).click();
      await sample.getByRole("status").filter({ hasText: "Not sent: the address must begin with" }).waitFor();
      expect(await sample.locator(".sent").innerText()).toBe("");
      await open("operations/getUserBalances.html");
      await sample.getByText("Edit the request").click();
      await sample.getByLabel(/^externalUserId /).fill("");
      await sample.getByRole("button", { name: "Send it" }).click();
      await sample.getByRole("status").filter({ hasText: "Not sent: externalUserId is empty" }).waitFor();
    });

    test("is the only request with the key, where the address is no mock", async () => {
      receivedKeys.length = 0;
      await sendTo(`${address}/numbers`);
      expect(receivedKeys).toEqual(["/numbers/v1/transfer"]);
      await page.getByText("Address and key").click();
      await page.getByText("If the address is on this computer and says that it is a mock").waitFor();
    });

    test.each([
      ["users", "the balances of the users before the call", "p2pTransfer"],
      ["partner", "the balances of the partner before the call", "p2pTransfer"],
      ["deliveries", "the events before the call", "user-1042:"],
      ["settle", "whether something is due", "p2pTransfer"],
      ["health", "", "p2pTransfer"],
    ])(
      "shows what else it led to when the first request for %s fails",
      async (path, missingStatement, expectedText) => {
        const mock = await startMock(await loadPlan(), { edition: "test", scenario: true, allowOrigin: [site.url] });
        try {
          await page.route(`${mock.url}/__mock/${path}`, (route) => route.abort(), { times: 1 });
          await sendTo(mock.url);
          const items = page.locator(".sample:visible .sent-effects li");
          await items.filter({ hasText: expectedText }).waitFor({ timeout: 20_000 });
          if (missingStatement !== "" && path !== "settle")
            await items.filter({ hasText: `The mock did not say ${missingStatement}` }).waitFor();
        } finally {
          await mock.close();
        }
      },
    );

    test("shows what it led to in the mock, which can start over", async () => {
      const mock = await startMock(await loadPlan(), { edition: "test", scenario: true, allowOrigin: [site.url] });
      const phone = await browser.newContext({ viewport: { width: 390, height: 844 }, colorScheme: "dark" });
      try {
        for (const testedPage of [page, await phone.newPage()]) {
          expect((await sendTo(mock.url, testedPage)).responseText).toContain('"transferId": "');
          const sample = testedPage.locator(".sample:visible");
          const items = sample.locator(".sent-effects li");
          await items.filter({ hasText: "p2pTransfer" }).waitFor({ timeout: 20_000 });
          const words = (await items.allInnerTexts()).join("\n");
          expect(words).toMatch(/user-1042: [\d.]+ → [\d.]+ EUR/);
          expect(words).toMatch(/status: SUCCESSFUL in its lifecycle/);
          expect(await sample.locator(".sent-effects summary").last().innerText()).toMatch(
            /^The response rests on \d+ open/,
          );
          expect(await overflowProblems(testedPage)).toEqual([]);
          await sample.getByRole("button", { name: "Start over" }).click();
          await sample.getByRole("status").filter({ hasText: "as at the start" }).waitFor();
        }
      } finally {
        await Promise.all([mock.close(), phone.close()]);
      }
    });
  });

  test("a request can be edited as fields and as text, and every language of the sample follows", async () => {
    await open(transfer);
    const sample = page.locator(".sample:visible");
    await sample.getByText("Edit the request").click();
    const field = (name: string) => sample.getByLabel(new RegExp(`^${name} `));
    const text = sample.getByLabel("Body as text");
    await field("amount").fill("12,5");
    await sample.getByText(/The contract expects the form .*, such as \d/).waitFor();
    const descriptionId = await field("amount").getAttribute("aria-describedby");
    expect(await page.locator(`[id="${descriptionId}"]`).innerText()).toContain("The contract expects the form");
    await field("amount").fill("0.10");
    await field("sourceExternalUserId").fill("");
    await field("currency").fill("");
    await sample.getByText("Required: the contract expects a value.").waitFor();
    expect(JSON.parse(await text.inputValue())).toEqual({ destinationExternalUserId: "user-2077", amount: "0.10" });
    await text.fill('{ "amount": 1.50, "currency": "it\'s $HOME" }');
    expect(await field("amount").inputValue()).toBe("1.50");
    for (const [name, words] of Object.entries({
      curl: `'{ "amount": 1.50, "currency": "it'\\''s $HOME" }'`,
      powershell: `Body = @'\n{ "amount": 1.50, "currency": "it's $HOME" }\n'@`,
      typescript: `body: { amount: 1.5, currency: "it's $HOME" },`,
      python: `data="{ \\"amount\\": 1.50, \\"currency\\": \\"it's $HOME\\" }".encode(),`,
    })) {
      await language().selectOption(name);
      await expect.poll(readShownCode).toContain(words);
    }
    await sample.getByRole("button", { name: "Copy as curl" }).click();
    await expect.poll(readClipboard).toContain("it'\\''s $HOME");
    await text.fill("{");
    await sample.getByText("This is not JSON, so it cannot be sent").waitFor();
    await sample.getByRole("button", { name: "Send it" }).click();
    expect(await sample.getByRole("status").innerText()).toBe("Not sent: the body is not JSON.");
    await open("operations/getUserBalances.html");
    await page.locator(".sample:visible").getByText("Edit the request").click();
    await page.getByLabel(/^externalUserId /).fill("a/b");
    await expect.poll(readShownCode).toContain("a%2Fb");
  });

  test("a field changes its own member of the text only, and text that is not JSON yet is kept", async () => {
    await open(transfer);
    const sample = page.locator(".sample:visible");
    await sample.getByText("Edit the request").click();
    const field = (name: string) => sample.getByLabel(new RegExp(`^${name} `));
    const text = sample.getByLabel("Body as text");
    const bodyWith = (amount: string, insertedText: string) =>
      `{"id" : 12345678901234567890,\n\t"amount": ${amount}, "rate":1.0${insertedText}"note": "two\\nlines" }`;
    await text.fill(bodyWith("1.50", ' ,"currency":"eur", '));
    await field("currency").fill("usd");
    await field("amount").fill("20.10");
    expect(await text.inputValue()).toBe(bodyWith("20.10", ' ,"currency":"usd", '));
    await field("currency").fill("");
    expect(await text.inputValue()).toBe(bodyWith("20.10", ", "));
    await expect.poll(readShownCode).toContain(`-d '${bodyWith("20.10", ", ")}'`);
    await text.fill('{"amount": 1.50, "currency": "e');
    await sample.getByText("This is not JSON, so it cannot be sent").waitFor();
    expect([await field("amount").isEditable(), await field("amount").inputValue()]).toEqual([false, "20.10"]);
    await field("amount").press("5");
    expect(await text.inputValue()).toBe('{"amount": 1.50, "currency": "e');
    await text.press("Control+End");
    await text.pressSequentially('ur"}');
    expect([await field("amount").isEditable(), await field("amount").inputValue()]).toEqual([true, "1.50"]);
    await text.fill('"amount"');
    await field("amount").fill("3");
    await sample.getByText("The text has another value in the place of the object").waitFor();
    expect(await text.inputValue()).toBe('"amount"');
    await text.fill('{"amount": "1\\n2"}');
    expect(await field("amount").isEditable()).toBe(false);
  });

  test("a body that is not JSON is not sent after a change of a parameter either", async () => {
    await open("operations/updateUser.html");
    const sample = page.locator(".sample:visible");
    await sample.getByText("Edit the request").click();
    await sample.getByLabel("Body as text").fill("{");
    await sample.getByLabel(/^externalUserId /).fill("user-7");
    await sample.getByRole("button", { name: "Send it" }).click();
    await sample.getByRole("status").filter({ hasText: "Not sent: the body is not JSON." }).waitFor();
    await sample.getByLabel("Body as text").fill("{}");
    await expect.poll(readShownCode).toContain("/v1/user/user-7");
  });

  test("shows one example: the first, the chosen one, or the one in the address", async () => {
    await open(transfer);
    const shownSample = page.locator(".sample:visible");
    const names = await page.locator(".sample").evaluateAll((samples) => samples.map(({ id }) => id));
    expect(await shownSample.evaluateAll((samples) => samples.map(({ id }) => id))).toEqual(names.slice(0, 1));
    await page.getByRole("combobox", { name: "Example" }).selectOption({ index: 1 });
    expect(await shownSample.getAttribute("id")).toBe(names[1]);
    await open(`${transfer}#${names[2]}`);
    expect(await shownSample.getAttribute("id")).toBe(names[2]);
    expect(await page.locator(".samples > select option:checked").textContent()).toBe(
      await shownSample.locator("h3").textContent(),
    );
  });

  test("each quick start, and each guide of a task, has its first call in the first screen", async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    for (const name of ["python", "php", "java", "go", "csharp", "ruby", "sepa", "onboarding", "cards", "webhooks"]) {
      await open(`guides/${name}.html`);
      const line = page
        .locator("main pre code", { hasText: /balances\/user-1042|curl -i|createWebhookHandler/ })
        .first();
      expect([name, ((await line.boundingBox())?.y ?? 900) < 800]).toEqual([name, true]);
    }
  });

  test("copies code and path to the clipboard", async () => {
    await open(transfer);
    const snippet = page.locator(".snippet:visible").first();
    const example = await page.locator(".sample:visible h3").textContent();
    await snippet.getByRole("button", { name: `Copy: curl, ${example}`, exact: true }).click();
    await snippet.getByText("Copied", { exact: true }).waitFor();
    expect(await readClipboard()).toBe(await readShownCode());
    await page.getByRole("button", { name: "Copy /v1/transfer" }).click();
    await page.waitForFunction(async () => (await navigator.clipboard.readText()) === "/v1/transfer");
  });

  test("the search can be opened, used and closed with the keyboard", async () => {
    await open("index.html");
    await page.keyboard.press("/");
    await page.keyboard.type("P459");
    await searchResults().first().waitFor();
    expect(await page.locator(".search [role=status]").textContent()).toBe("The first 20 pages.");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    expect(
      await searchResults()
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
    await searchResults().first().waitFor();
    expect(await searchResults().first().getAttribute("href")).toBe(`${site.url}/operations/createVirtualCard.html`);
    await page.getByRole("main").getByRole("link", { name: "All operations" }).click();
    await page.waitForURL(`${site.url}/operations/index.html`);
    for (const malformedAddress of ["cards/%zz/createVirtualCard", "cards/createVirtualCard#%zz"]) {
      await open(malformedAddress);
      expect(await searchResults().first().getAttribute("href")).toBe(`${site.url}/operations/createVirtualCard.html`);
    }
  });

  test("the site works from disk without a network", async () => {
    const offlineVisit = await startVisit(browser, site.url, { offline: true });
    await offlineVisit.page.goto(pathToFileURL(`${site.folder}/index.html`).href);
    await offlineVisit.page.getByRole("link", { name: "All operations" }).first().click();
    await offlineVisit.page.getByRole("main").getByRole("link", { name: "Get All User Cards" }).first().click();
    await offlineVisit.page.getByRole("heading", { level: 1, name: "Get All User Cards" }).waitFor();
    expect(await offlineVisit.page.evaluate(() => getComputedStyle(document.body).margin)).toBe("0px");
    await offlineVisit.close();
    expect(offlineVisit.problems).toEqual([]);
  });

  test("the chosen edition dims menu and list entries, is remembered, and has no effect without the script", async () => {
    const row = page.locator("main tr").filter({ has: page.locator("th a", { hasText: /^Suspend User$/ }) });
    const markOf = (entry: Locator) => entry.evaluate((link) => getComputedStyle(link, "::after").content);
    const note = page.locator("main [data-edition=latest]").first();
    const choose = (edition: string) => page.getByRole("button", { name: edition, exact: true }).click();
    await open("operations/index.html");
    expect([await row.isVisible(), await note.isVisible()]).toEqual([true, true]);
    const colour = await row
      .locator("td")
      .last()
      .evaluate((cell) => getComputedStyle(cell).color);
    expect(await markOf(row.locator("th a"))).toContain("only in the edition test");
    await choose("test");
    expect([await row.isVisible(), await note.isVisible()]).toEqual([true, false]);
    expect(
      await row
        .locator("td")
        .last()
        .evaluate((cell) => getComputedStyle(cell).color),
    ).not.toBe(colour);
    expect(await markOf(row.locator("th a"))).toBe("none");
    await open("operations/createPaymentLink.html");
    const menu = page.locator(".side details[open] [data-edition=test] > a").first();
    expect(await markOf(menu)).toBe("none");
    await choose("latest");
    expect([await menu.isVisible(), await markOf(menu)]).toEqual([
      true,
      expect.stringContaining("only in the edition test"),
    ]);
    expect(await page.locator(".side [aria-current]").textContent()).toContain("Generate Payment Link");
    expect(await page.getByText("Its path is proposed").isVisible()).toBe(true);

    const contextWithoutScripts = await browser.newContext({ javaScriptEnabled: false });
    const plainPage = await contextWithoutScripts.newPage();
    await plainPage.goto(`${site.url}/operations/index.html`);
    const { operations } = await contractOf("test");
    const proposedOperations = operations.filter(({ provenance }) => provenance === "proposed");
    expect(await plainPage.locator("main tr[data-edition=test]:visible").count()).toBe(proposedOperations.length);
    expect(await plainPage.locator("[data-edition=latest]:visible").count()).toBe(0);
    await contextWithoutScripts.close();
  });

  test("the search marks results that only the other edition has", async () => {
    await open("index.html");
    await search("createPaymentLink");
    const editionMarks = page.locator(".result-edition");
    await editionMarks.first().waitFor();
    expect(await searchResults().first().getAttribute("href")).toBe(`${site.url}/operations/createPaymentLink.html`);
  });

  test("the theme is remembered", async () => {
    await open("index.html");
    const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const lightBackground = await background();
    for (const theme of ["light", "dark"]) {
      await page.locator(".theme").click();
      expect(await page.locator(".theme").getAttribute("aria-label")).toBe(`Theme: ${theme}`);
    }
    const darkBackground = await background();
    expect(darkBackground).not.toBe(lightBackground);
    await open(transfer);
    expect(await background()).toBe(darkBackground);
    await page.locator(".theme").click();
    expect(await background()).toBe(lightBackground);
  });

  test("the address of a folded field unfolds it, and printing unfolds everything", async () => {
    const [path, id] = foldedField();
    await open(`${path}#${id}`);
    expect(await page.locator(`[id="${id}"]`).isVisible()).toBe(true);
    await open(path);
    const isVisible = () => page.locator(`[id="${id}"]`).evaluate((field) => field.checkVisibility());
    expect(await isVisible()).toBe(false);
    await page.emulateMedia({ media: "print" });
    expect(await isVisible()).toBe(true);
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

    const contextWithoutScripts = await browser.newContext({
      javaScriptEnabled: false,
      viewport: { width: 360, height: 740 },
    });
    const plainPage = await contextWithoutScripts.newPage();
    await plainPage.goto(`${site.url}/${transfer}`);
    await plainPage.getByRole("button", { name: "Pages", exact: true }).click();
    expect((await plainPage.locator(".side").boundingBox())?.y).toBeLessThan(100);
    await plainPage.getByRole("button", { name: "Pages", exact: true }).click();
    expect((await plainPage.locator(".side").boundingBox())?.y).toBeGreaterThan(100);
    const snippets = plainPage.locator(".snippet");
    expect(await plainPage.locator(".snippet:visible").count()).toBe(await snippets.count());
    expect(await plainPage.locator(".scripted:visible, .copy, .sample-tools, .settings").count()).toBe(0);
    await contextWithoutScripts.close();
  });
});
