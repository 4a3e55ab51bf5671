import lighthouse from "lighthouse";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { renderedSite, type ServedSite, serveFiles } from "../../site/rendered-site.ts";
import { withTakenPort } from "../../support/ports.ts";
import { findChromium, launchChromium } from "./chromium.ts";

const executablePath = findChromium();
/** Minimum scores from 0 to 1. A busy machine lowers the performance score. */
const least = { performance: 0.8, "best-practices": 1, seo: 1 };

describe.skipIf(executablePath === undefined && !process.env.CI)("Lighthouse", () => {
  let site: ServedSite;
  let browser: Browser;
  let port: number;
  beforeAll(async () => {
    site = await serveFiles(await renderedSite());
    port = await withTakenPort(async (free) => free);
    browser = await launchChromium(executablePath, [`--remote-debugging-port=${port}`]);
  });
  afterAll(() => Promise.all([site?.close(), browser?.close()]));

  test.each(["index.html", "operations/createTransfer.html", "guides/onboarding.html"])(
    "gives %s what it gives a page that is fast and open to everybody",
    async (path) => {
      const onlyCategories = Object.keys(least);
      const settings = { port, onlyCategories, logLevel: "silent", disableFullPageScreenshot: true } as const;
      const result = await lighthouse(`${site.url}/${path}`, settings);
      for (const [category, score] of Object.entries(least)) {
        expect(result?.lhr.categories[category]?.score, category).toBeGreaterThanOrEqual(score);
      }
    },
    120_000,
  );
});
