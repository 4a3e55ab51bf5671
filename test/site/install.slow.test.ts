import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readPublishing } from "../../scripts/contract/sources/index.ts";
import { packIntoSite } from "../../scripts/tools/build/package.ts";
import { run } from "../../scripts/tools/processes/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { htmlOf, renderedSite, serveFiles } from "./rendered-site.ts";

const cwd = temporaryFolder();

// If a registry is set, the site does not serve the package.
test.runIf(readPublishing().registry === null)(
  "the site has the package that its first page installs",
  async () => {
    const files = await renderedSite();
    const site = await serveFiles(files);
    try {
      await packIntoSite({ folder: site.folder });
      const [, address = ""] = /npm install (http:[^\s<]+)/.exec(htmlOf(files, "index.html")) ?? [];
      writeFileSync(join(cwd, "package.json"), '{ "private": true }');
      const servedAddress = address.replace("http://127.0.0.1:4000", site.url);
      await run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", servedAddress], {
        cwd,
      });
      expect(await run("npx", ["partner-wallet-api", "mock", "--help"], { cwd })).toContain("--empty");
      const program =
        'import { createPartnerClient } from "partner-wallet-api"; console.log(typeof createPartnerClient);';
      expect(await run("node", ["--input-type=module", "--eval", program], { cwd })).toBe("function\n");
    } finally {
      await site.close();
    }
  },
  120_000,
);
