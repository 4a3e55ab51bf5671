import type { Browser, Page } from "playwright-core";

export interface Visit {
  page: Page;
  foreignRequests: string[];
  consoleMessages: string[];
  close(): Promise<void>;
}

export async function startVisit(
  browser: Browser,
  siteUrl: string,
  options: { offline?: boolean } = {},
): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1400, height: 1000 }, ...options });
  const foreignRequests: string[] = [];
  const consoleMessages: string[] = [];
  context.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${siteUrl}/`) && !/^(?:data|file|blob):/.test(url)) foreignRequests.push(url);
  });
  context.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") consoleMessages.push(message.text());
  });
  context.on("weberror", (error) => consoleMessages.push(error.error().message));
  return { page: await context.newPage(), foreignRequests, consoleMessages, close: () => context.close() };
}
