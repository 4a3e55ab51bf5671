/** How long the search takes from the typing to the results. */
import { findChromium, launchChromium } from "../verify/chromium.ts";

/** What readers look for: operations, fields, codes, webhooks, guides, and words that the pages say otherwise. */
const queries = [
  "createVirtualCard",
  "P459",
  "externalUserId",
  "onboarding",
  "p2pTransfer",
  "idempotency",
  "time zone",
  "2FA",
  "curl",
  "rate lock",
];

export interface SearchTime {
  words: string;
  /** Milliseconds until the results are shown. */
  elapsed: number;
  /** How many results there are, and the title of the first one. */
  count: number;
  first: string;
}

export interface SearchTimes {
  /** Milliseconds from opening the search until the first results, the index being loaded meanwhile. */
  cold: number;
  times: SearchTime[];
}

/** Searches with all queries, one after the other. */
export async function measureSearch(url: string): Promise<SearchTimes> {
  const browser = await launchChromium(findChromium());
  try {
    const page = await browser.newPage();
    await page.goto(url);
    const ask = async (words: string): Promise<SearchTime> =>
      await page.evaluate(async (typed) => {
        const field = document.querySelector<HTMLInputElement>(".search input");
        const status = document.querySelector(".search-status");
        if (field === null || status === null) throw new Error("The page has no search.");
        const startedAt = performance.now();
        status.textContent = "";
        field.value = typed;
        field.dispatchEvent(new Event("input"));
        while (status.textContent === "") await new Promise((resolve) => setTimeout(resolve, 1));
        const elapsed = performance.now() - startedAt;
        const titles = [...document.querySelectorAll(".results .result-title")];
        return { words: typed, elapsed, count: titles.length, first: titles[0]?.textContent ?? "" };
      }, words);
    await page.keyboard.press("/");
    await page.locator(".search input").waitFor();
    const { elapsed: cold } = await ask("transfer");
    const times: SearchTime[] = [];
    for (const words of queries) times.push(await ask(words));
    return { cold, times };
  } finally {
    await browser.close();
  }
}
