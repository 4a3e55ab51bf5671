/** Vite: a built page, opened in Chromium, that calls the service from another origin. */

import { findChromium, launchChromium } from "../../../test/docs/chromium.ts";
import { UsageError } from "../../contract/usage-error.ts";
import { checkClosingLine, run } from "../run.ts";
import { withServer } from "../serve.ts";
import type { Environment } from "./environment.ts";

const version = "8.3.8";

export const vite: Environment = {
  name: "vite",
  packages: [`vite@${version}`],
  check: async ({ project, env }) => {
    const command = "node_modules/vite/bin/vite.js";
    await run(process.execPath, [command, "build", "vite"], { cwd: project, env });
    const chromium = findChromium();
    if (chromium === undefined) {
      if (env.CI) throw new UsageError("There is no Chromium to open the page in. Install it, or set CHROMIUM_PATH.");
      return `built by Vite ${version}; NOT OPENED: there is no Chromium here`;
    }
    const args = [command, "preview", "vite", "--host", "127.0.0.1", "--port", "0"];
    const options = { cwd: project, env, port: /127\.0\.0\.1:(\d+)/ };
    const browserVersion = await withServer(process.execPath, args, options, (origin) =>
      openPage(chromium, `${origin}/#${encodeURIComponent(`${env.MAIN_URL} ${env.DEPOSIT_URL}`)}`),
    );
    return `a page built by Vite ${version} calls from Chromium ${browserVersion}`;
  },
};

/** Opens the page and waits for what it says in the end. */
async function openPage(chromium: string, url: string): Promise<string> {
  const browser = await launchChromium(chromium);
  try {
    const page = await browser.newPage();
    await page.goto(url);
    const output = page.locator("output:not(:empty)");
    checkClosingLine((await output.textContent({ timeout: 20_000 })) ?? "", "The page");
    return browser.version();
  } finally {
    await browser.close();
  }
}
