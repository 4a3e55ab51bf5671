/** The scores of Lighthouse for a phone that it simulates, as its own settings have it. Nothing is sent anywhere. */
import lighthouse from "lighthouse";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { renderedSite, type ServedSite, serveFiles } from "../../docs/rendered-site.ts";
import { withTakenPort } from "../../support/ports.ts";
import { findChromium, launchChromium } from "./chromium.ts";

const executablePath = findChromium();
/** From 0 to 1. A busy machine lowers the first one. */
const least = { performance: 0.8, accessibility: 1, "best-practices": 1, seo: 1 };

describe.skipIf(executablePath === undefined && !process.env.CI)("Lighthouse", () => {
  let site: ServedSite;
  beforeAll(async () => {
    site = await serveFiles(await renderedSite());
  });
  afterAll(() => site?.close());

  test.each(["index.html", "operations/createTransfer.html", "guides/onboarding.html"])(
    "gives %s what it gives a page that is fast and open to everybody",
    async (path) => {
      const port = await withTakenPort(async (free) => free);
      const browser = await launchChromium(executablePath, [`--remote-debugging-port=${port}`]);
      try {
        const onlyCategories = Object.keys(least);
        const result = await lighthouse(`${site.url}/${path}`, { port, onlyCategories, logLevel: "silent" });
        for (const [category, score] of Object.entries(least)) {
          expect(result?.lhr.categories[category]?.score, category).toBeGreaterThanOrEqual(score);
        }
      } finally {
        await browser.close();
      }
    },
    120_000,
  );
});
