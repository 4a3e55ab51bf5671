/** The scores of Lighthouse for a phone. */

import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import lighthouse from "lighthouse";
import { findChromium, launchChromium } from "../verify/chromium.ts";

export const categories = ["performance", "accessibility", "best-practices", "seo"] as const;

/** From 0 to 1, by category; `NaN` where Lighthouse cannot tell. */
export type Scores = { name: string } & Record<(typeof categories)[number], number>;

/** Runs Lighthouse, once for each page, as it simulates a phone by default. Nothing is sent anywhere. */
export async function measureLighthouse(pages: readonly (readonly [name: string, url: string])[]): Promise<Scores[]> {
  const port = await freePort();
  const browser = await launchChromium(findChromium(), [`--remote-debugging-port=${port}`]);
  try {
    const scores: Scores[] = [];
    for (const [name, url] of pages) {
      const result = await lighthouse(url, {
        port,
        onlyCategories: [...categories],
        logLevel: "silent",
        output: "json",
        maxWaitForLoad: 120_000,
      });
      const score = (category: string) => result?.lhr.categories[category]?.score ?? Number.NaN;
      const entries = categories.map((category) => [category, score(category)]);
      scores.push({ name, ...Object.fromEntries(entries) } as Scores);
    }
    return scores;
  } finally {
    await browser.close();
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
