import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bundleFile, type Edition, editions, projectRoot, stepStateOf } from "../../../scripts/base/index.ts";
import { redocName } from "../../../scripts/site/index.ts";
import { redocStep, renderRedoc } from "../../../scripts/tools/build/redoc.ts";
import { serveFiles } from "../../site/rendered-site.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { launchChromium, skipsBrowser } from "./chromium.ts";

const folder = temporaryFolder();

/** The page of the last build or, if it is missing or outdated, a new rendering. */
async function redocPage(edition: Edition): Promise<string> {
  if (stepStateOf(redocStep).isUpToDate)
    return readFileSync(join(projectRoot, ...redocStep.outputs, redocName(edition)), "utf8");
  const file = join(folder, redocName(edition));
  await renderRedoc(bundleFile(edition, "json"), file);
  return readFileSync(file, "utf8");
}

test.skipIf(skipsBrowser)(
  "the files of Redoc show operations without a request to another host",
  async () => {
    const files: Record<string, string> = { "index.html": "" };
    for (const edition of editions) files[redocName(edition)] = await redocPage(edition);
    const [browser, site] = await Promise.all([launchChromium(), serveFiles(files)]);
    try {
      const page = await browser.newPage();
      const problems: string[] = [];
      page.on("pageerror", ({ message }) => problems.push(message));
      page.on("requestfinished", (request) => {
        if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(site.url)) problems.push(request.url());
      });
      page.on("requestfailed", (request) => {
        if (request.failure()?.errorText !== "csp") problems.push(request.url());
      });
      for (const edition of editions) {
        await page.goto(`${site.url}/${redocName(edition)}`);
        await page.getByText("Transfers", { exact: true }).first().click();
        await page.getByText("Create a Transfer", { exact: true }).first().click();
        await page.getByText("/v1/transfer", { exact: true }).first().waitFor();
      }
      expect(problems).toEqual([]);
    } finally {
      await Promise.all([browser.close(), site.close()]);
    }
  },
  180_000,
);
