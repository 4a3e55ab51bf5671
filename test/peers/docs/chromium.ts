import { type Browser, chromium, type Page } from "playwright-core";
import { chromiumArguments, findChromium } from "../../../scripts/tools/verify/chromium.ts";

const executablePath = findChromium();

export const skipsBrowser = executablePath === undefined && !process.env.CI;

/** Starts a browser that reaches only 127.0.0.1, and sends only the requests of pages. */
export function launchChromium(): Promise<Browser> {
  if (executablePath === undefined) throw new Error("There is no Chromium. Install it, or set CHROMIUM_PATH.");
  return chromium.launch({ executablePath, args: [...chromiumArguments] });
}

export interface Visit {
  page: Page;
  /** Requests to other hosts, errors and warnings of the console, and uncaught errors. */
  problems: string[];
  close(): Promise<void>;
}

export async function startVisit(browser: Browser, siteUrl: string, options = {}): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1400, height: 1000 }, ...options });
  const problems: string[] = [];
  context.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${siteUrl}/`) && !/^(?:data|file|blob):/.test(url)) problems.push(url);
  });
  context.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") problems.push(message.text());
  });
  context.on("weberror", (error) => problems.push(error.error().message));
  return { page: await context.newPage(), problems, close: () => context.close() };
}
