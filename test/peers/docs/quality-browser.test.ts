import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { longestPages, renderedSite, type ServedSite, serveFiles } from "../../site/rendered-site.ts";
import { launchChromium, skipsBrowser, startVisit, type Visit } from "./chromium.ts";
import {
  clippedElements,
  countRequests,
  findUnreachableElements,
  firstMissingText,
  overflowProblems,
  printProblems,
  rulesOfAppearance,
  textsIn,
  violations,
} from "./page-checks.ts";

const desktop = { width: 1440, height: 900 };
const phone = { width: 360, height: 740 };

/** The page, its style sheet, its script and its icon. */
const maxRequests = 4;

interface Complaints {
  access: string[];
  width: string[];
  requests: string[];
  print: string[];
  texts: string[];
}

describe.skipIf(skipsBrowser)("in Chromium", () => {
  let browser: Browser;
  let site: ServedSite;
  let visit: Visit;
  let page: Page;
  let addresses: Map<string, string>;

  const open = async (kind: string) => {
    await page.emulateMedia({ colorScheme: "light" });
    await page.setViewportSize(desktop);
    await page.goto(String(addresses.get(kind)));
  };

  beforeAll(async () => {
    const files = await renderedSite();
    [browser, site] = await Promise.all([launchChromium(), serveFiles(files)]);
    addresses = new Map([...longestPages(files)].map(([kind, path]) => [kind, `${site.url}/${path}`]));
    visit = await startVisit(browser, site.url);
    page = visit.page;
  });

  afterAll(async () => {
    await visit?.close();
    await Promise.all([browser?.close(), site?.close()]);
  });

  describe("each kind of page", () => {
    const complaints: Complaints = { access: [], width: [], requests: [], print: [], texts: [] };

    beforeAll(async () => {
      const contextWithoutScripts = await browser.newContext({ javaScriptEnabled: false, viewport: desktop });
      const plainPage = await contextWithoutScripts.newPage();
      for (const [kind, url] of addresses) {
        const add = (check: keyof Complaints, problems: string[]) =>
          complaints[check].push(...problems.map((words) => `${kind} ${words}`));
        await open(kind);
        const requestCount = await countRequests(page);
        if (requestCount > maxRequests) add("requests", [`takes ${requestCount} requests`]);
        add("access", await violations(page));
        add("width", await clippedElements(page));
        add("print", await printProblems(page));
        const scriptedTexts = await textsIn(page);
        await page.emulateMedia({ colorScheme: "dark" });
        await page.setViewportSize(phone);
        add("width", [...(await overflowProblems(page)), ...(await clippedElements(page))]);
        add("access", await violations(page, rulesOfAppearance));
        await plainPage.goto(url);
        add("texts", missingTexts(await textsIn(plainPage), scriptedTexts));
      }
      await contextWithoutScripts.close();
    }, 300_000);

    test("exists", () => expect(addresses.size).toBe(17));
    test("has no accessibility violation", () => expect(complaints.access).toEqual([]));
    test("fits a phone of 360 pixels, and shows that clipped code and tables continue", () =>
      expect(complaints.width).toEqual([]));
    test("needs at most four requests", () => expect(complaints.requests).toEqual([]));
    test("prints its content only", () => expect(complaints.print).toEqual([]));
    test("has the same visible text without JavaScript", () => expect(complaints.texts).toEqual([]));

    test("loads nothing from other hosts, and logs nothing to the console", () => {
      expect(visit.problems).toEqual([]);
    });
  });

  test("can be used with the keyboard, starting with a link to the content", async () => {
    for (const kind of ["home", "operation", "webhook"]) {
      await open(kind);
      await page.keyboard.press("Tab");
      expect(await page.evaluate(() => document.activeElement?.className)).toBe("skip");
      await page.keyboard.press("Enter");
      await page.keyboard.press("Tab");
      expect(await page.evaluate(() => document.activeElement?.closest("main")?.id)).toBe("content");
      await open(kind);
      expect(await findUnreachableElements(page)).toEqual([]);
    }
  });
});

type Texts = Awaited<ReturnType<typeof textsIn>>;

function missingTexts(plainTexts: Texts, scriptedTexts: Texts): string[] {
  const hiddenText = plainTexts.find(({ isShown }) => !isShown);
  const lostText = firstMissingText(
    plainTexts.map(({ text }) => text),
    scriptedTexts.map(({ text }) => text),
  );
  return [
    ...(hiddenText === undefined ? [] : [`hides "${hiddenText.text}" without JavaScript`]),
    ...(lostText === undefined ? [] : [`loses "${lostText}" to the script`]),
  ];
}
