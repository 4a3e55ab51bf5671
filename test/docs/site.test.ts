/** The built site in a real browser. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { bundleContract } from "../../scripts/build/bundle.ts";
import { type Contract, type ErrorCode, readContract } from "../../scripts/contract/contract.ts";
import type { OpenApiDocument } from "../../scripts/contract/document.ts";
import { type Edition, editions } from "../../scripts/contract/project.ts";
import { buildDocs } from "../../scripts/docs/build.ts";
import { type Site, serveSite } from "../../scripts/docs/site-server.ts";
import { makeClient } from "../support/clients.ts";
import { findChromium, launchChromium } from "./chromium.ts";

const executablePath = findChromium();
if (executablePath === undefined && !process.env.CI) {
  console.warn("The browser test of the site is skipped: there is no Chromium. Name one with CHROMIUM_PATH.");
}

let folder: string;
let documents: Record<Edition, OpenApiDocument>;
let contracts: Record<Edition, Contract>;
let site: Site;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "site-test-"));
  documents = { latest: await bundleContract("latest"), test: await bundleContract("test") };
  contracts = { latest: readContract(documents.latest), test: readContract(documents.test) };
  await buildDocs({ outputFolder: join(folder, "docs"), documents });
  site = await serveSite({ folder: join(folder, "docs"), port: 0 });
});

afterAll(async () => {
  await site?.close();
  rmSync(folder, { recursive: true, force: true });
});

test("the build leaves nothing beside the site", () => {
  expect(readdirSync(folder)).toEqual(["docs"]);
  expect(readdirSync(join(folder, "docs")).sort()).toEqual(["index.html", ...editions].sort());
});

test("the downloads are the bundles", async () => {
  for (const edition of editions) {
    const json = await fetch(`${site.url}/${edition}/openapi.json`);
    expect(await json.json()).toEqual(documents[edition]);
    const yaml = await fetch(`${site.url}/${edition}/openapi.yaml`);
    expect(parse(await yaml.text())).toEqual(documents[edition]);
  }
});

test("no page names a host to load anything from", () => {
  for (const path of ["index.html", ...editions.map((edition) => `${edition}/index.html`)]) {
    const html = readFileSync(join(folder, "docs", path), "utf8");
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
      visit = await startVisit(browser);
      page = visit.page;
      await page.goto(`${site.url}/`);
    });

    afterAll(async () => {
      await visit?.close();
    });

    test("is on the index with the number of what it holds, and opens from there", async () => {
      const { operations, webhooks, errorCodes } = contracts[edition];
      const card = page.locator("section", { has: page.getByRole("heading", { name: edition }) });
      const counts = await card.locator("td").allTextContents();
      for (const entries of [operations, webhooks, errorCodes]) expect(counts).toContain(String(entries.length));
      await card.getByRole("link", { name: `Read ${edition}` }).click();
      await page.getByRole("heading", { level: 1, name: documents[edition].info.title }).waitFor();
      await searchField(page).waitFor();
    });

    test("lists every operation, webhook and P-code, and no link leads nowhere", async () => {
      const entries = await readSideBar(page);
      const labels = [...entries.values()];
      const { operations, webhooks, errorCodes } = contracts[edition];
      expect(labels).toEqual(expect.arrayContaining([...operations, ...webhooks].map(({ summary }) => summary)));
      expect(labels).toEqual(expect.arrayContaining(errorCodes.map(({ code, meaning }) => `${code} ${meaning}`)));

      const html = readFileSync(join(folder, "docs", edition, "index.html"), "utf8");
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

    test("finds P-codes by its search, and a hit opens one", async () => {
      const { errorCodes } = contracts[edition];
      // A search takes half a second, so the first and the last stand for all.
      await searchCodes(page, [...errorCodes.slice(0, 1), ...errorCodes.slice(-1)]);
    });

    test("tells of a code where the errors of the client say", async () => {
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

    test("leads to its downloads and back to the index", async () => {
      await page.goto(`${site.url}/${edition}/index.html#/`);
      const download = page.getByRole("link", { name: "openapi.json" }).first();
      expect(await download.evaluate((anchor) => (anchor as HTMLAnchorElement).href)).toBe(
        `${site.url}/${edition}/openapi.json`,
      );
      await page.getByRole("link", { name: "All editions" }).first().click();
      await page.waitForURL(`${site.url}/index.html`);
    });

    test("asked no other host for anything, and left no fault in the console", () => {
      expect(visit.strangers).toEqual([]);
      expect(visit.faults).toEqual([]);
    });
  });

  test("an edition opens from the disk with the network off", async () => {
    const visit = await startVisit(browser, { offline: true });
    await visit.page.goto(pathToFileURL(join(folder, "docs", "latest", "index.html")).href);
    await searchCodes(visit.page, contracts.latest.errorCodes.slice(0, 1));
    await visit.close();
    expect(visit.strangers).toEqual([]);
    expect(visit.faults).toEqual([]);
  });
});

interface Visit {
  page: Page;
  /** Addresses of other hosts that the page asked for something. */
  strangers: string[];
  /** What the console reported; a violation of the Content-Security-Policy is among it. */
  faults: string[];
  close(): Promise<void>;
}

async function startVisit(browser: Browser, options: { offline?: boolean } = {}): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1400, height: 1000 }, ...options });
  const strangers: string[] = [];
  const faults: string[] = [];
  context.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${site.url}/`) && !/^(?:data|file):/.test(url)) strangers.push(url);
  });
  context.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") faults.push(message.text());
  });
  context.on("weberror", (error) => faults.push(error.error().message));
  return { page: await context.newPage(), strangers, faults, close: () => context.close() };
}

/** The field that opens the search. It says so as soon as the page has started. */
function searchField(page: Page) {
  return page.getByText("Search").first();
}

/** Every entry of the side bar by its address. Opening a group can close another one, so each is read while it is open. */
async function readSideBar(page: Page): Promise<Map<string, string>> {
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
async function readCodeTables(page: Page) {
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

/** Looks up P-codes in the search, and opens the hit for the last one. */
async function searchCodes(page: Page, codes: ErrorCode[]): Promise<void> {
  await searchField(page).click();
  const dialog = page.getByTestId("search-dialog");
  const hitFor = ({ code }: ErrorCode) => dialog.locator(`a[href="#/errors/${code.toLowerCase()}"]`).first();
  for (const entry of codes) {
    await dialog.getByRole("textbox").fill(entry.code);
    await hitFor(entry).waitFor();
    expect(await hitFor(entry).textContent()).toContain(`${entry.code} ${entry.meaning}`);
  }
  const last = codes.at(-1) as ErrorCode;
  await hitFor(last).click();
  await page.getByRole("heading", { name: `${last.code} ${last.meaning}` }).waitFor();
  expect(page.url()).toMatch(new RegExp(`#/errors/${last.code}$`, "i"));
  expect(plain(await page.locator("main").textContent())).toContain(plain(last.resolution));
}

function codesOf({ answers }: Contract["operations"][number]): string[] {
  return answers.flatMap(({ codes }) => codes);
}

function slug(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, "-");
}

/** A text without the marks of Markdown code. */
function plain(markdown: string | null): string {
  return (markdown ?? "").replaceAll("`", "").replace(/\s+/g, " ");
}
