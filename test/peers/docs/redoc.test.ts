import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bundleFile, editions } from "../../../scripts/contract/model/index.ts";
import { redocName } from "../../../scripts/site/index.ts";
import { renderRedoc } from "../../../scripts/tools/build/redoc.ts";
import { serveFiles } from "../../site/rendered-site.ts";
import { launchChromium, skipsBrowser } from "./chromium.ts";

test.skipIf(skipsBrowser)(
  "the files of Redoc show operations without a request to another host",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "redoc-"));
    const files: Record<string, string> = { "index.html": "" };
    for (const edition of editions) {
      const name = redocName(edition);
      await renderRedoc(bundleFile(edition, "json"), join(folder, name));
      files[name] = readFileSync(join(folder, name), "utf8");
    }
    rmSync(folder, { recursive: true, force: true });
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
