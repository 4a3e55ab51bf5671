/** What a reader waits for when a page opens, on a processor that is four times slower. */
import type { Browser } from "playwright-core";
import { findChromium, launchChromium } from "../verify/chromium.ts";
import { summarise } from "./figures.ts";

/** As on a phone of the middle class. */
const slowdown = 4;
const runs = 3;

/** How long after the load event long tasks still count, in milliseconds. */
const settleMs = 1500;

/** Medians of the runs. Times are in milliseconds. */
export interface PageFigures {
  name: string;
  requests: number;
  /** Bytes that were transferred, headers included. */
  bytes: number;
  /** First and largest contentful paint. */
  firstPaint: number;
  largestPaint: number;
  /** The longest task over 50 ms, 0 without one; and the sum of all. */
  longestTask: number;
  longTasks: number;
}

/** Opens each page some times, each time with an empty cache. */
export async function measurePages(pages: readonly (readonly [name: string, url: string])[]): Promise<PageFigures[]> {
  const browser = await launchChromium(findChromium());
  try {
    const figures: PageFigures[] = [];
    for (const [name, url] of pages) {
      const measured: Omit<PageFigures, "name">[] = [];
      for (let run = 0; run < runs; run += 1) measured.push(await open(browser, url));
      const median = (key: keyof Omit<PageFigures, "name">) => summarise(measured.map((one) => one[key])).median;
      figures.push({
        name,
        requests: median("requests"),
        bytes: median("bytes"),
        firstPaint: median("firstPaint"),
        largestPaint: median("largestPaint"),
        longestTask: median("longestTask"),
        longTasks: median("longTasks"),
      });
    }
    return figures;
  } finally {
    await browser.close();
  }
}

async function open(browser: Browser, url: string): Promise<Omit<PageFigures, "name">> {
  const context = await browser.newContext({ viewport: { width: 412, height: 823 } });
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
    await devtools.send("Network.enable");
    let bytes = 0;
    devtools.on("Network.loadingFinished", ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    await page.addInitScript(() => {
      const entries: PerformanceEntry[] = [];
      const observer = new PerformanceObserver((list) => entries.push(...list.getEntries()));
      for (const type of ["paint", "largest-contentful-paint", "longtask"]) observer.observe({ type, buffered: true });
      Object.assign(globalThis, { benchEntries: entries });
    });
    await page.goto(url, { waitUntil: "load", timeout: 120_000 });
    await page.waitForTimeout(settleMs);
    const { entries, files } = await page.evaluate(() => {
      const { benchEntries } = globalThis as unknown as { benchEntries: PerformanceEntry[] };
      return {
        entries: benchEntries.map(({ entryType, name, startTime, duration }) => ({
          entryType,
          name,
          startTime,
          duration,
        })),
        // What a page names twice, as its icon, comes once.
        files: new Set(performance.getEntriesByType("resource").map(({ name }) => name)).size,
      };
    });
    const tasks = entries.filter(({ entryType }) => entryType === "longtask").map(({ duration }) => duration);
    const paints = entries.filter(({ entryType }) => entryType === "largest-contentful-paint");
    return {
      requests: 1 + files,
      bytes,
      firstPaint: entries.find(({ name }) => name === "first-contentful-paint")?.startTime ?? Number.NaN,
      largestPaint: paints.at(-1)?.startTime ?? Number.NaN,
      longestTask: Math.max(0, ...tasks),
      longTasks: tasks.reduce((sum, task) => sum + task, 0),
    };
  } finally {
    await context.close();
  }
}
