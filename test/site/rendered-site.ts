/** The site for the tests of a process: the output of the last build or, if it is missing, outdated or for another address, a new rendering. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { docsFolder, editions, stepStateOf } from "../../scripts/base/index.ts";
import { redocName, renderSite, type SiteFiles, serveSite } from "../../scripts/site/index.ts";
import { siteInput, steps } from "../../scripts/tools/build/index.ts";
import { bundles, sources } from "../support/contract.ts";

let renderedFiles: Promise<SiteFiles> | undefined;

export function renderedSite(): Promise<SiteFiles> {
  renderedFiles ??= process.env.DOCS_URL === undefined && stepStateOf(steps.docs).isUpToDate ? builtSite() : render();
  return renderedFiles;
}

async function render(): Promise<SiteFiles> {
  return renderSite(await siteInput(await bundles(), sources.registers()));
}

/** The site of the last build, without the files that other build steps add to the folder: the pages of Redoc, and the package. */
async function builtSite(): Promise<SiteFiles> {
  const isAddedByOtherStep = (path: string) => path.endsWith(".tgz") || editions.map(redocName).includes(path);
  const files = readdirSync(docsFolder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(docsFolder.length + 1))
    .filter((path) => !isAddedByOtherStep(path));
  return Object.fromEntries(
    files.map((path) => {
      const file = join(docsFolder, path);
      return [path, path.endsWith(".png") ? readFileSync(file) : readFileSync(file, "utf8")];
    }),
  );
}

export interface ServedSite {
  url: string;
  folder: string;
  close(): Promise<void>;
}

export async function serveFiles(files: SiteFiles): Promise<ServedSite> {
  const folder = mkdtempSync(join(tmpdir(), "site-test-"));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  const site = await serveSite({ folder, port: 0 });
  const close = async () => {
    await site.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { url: site.url, folder, close };
}

export function htmlOf(files: SiteFiles, path: string): string {
  const html = files[path];
  if (typeof html !== "string") throw new Error(`The site has no page ${path}.`);
  return html;
}

export function longestPages(files: SiteFiles): Map<string, string> {
  const longestByKind = new Map<string, string>();
  for (const [path, html] of Object.entries(files)) {
    if (typeof html !== "string" || !path.endsWith(".html")) continue;
    const kind = /<main [^>]*class="page page-([\w-]+)"/.exec(html)?.[1];
    if (kind !== undefined && html.length > (files[longestByKind.get(kind) ?? ""]?.length ?? 0))
      longestByKind.set(kind, path);
  }
  return longestByKind;
}

export function textsOf(files: SiteFiles, extension: string): Map<string, string> {
  const textFiles = Object.entries(files).filter(
    ([path, text]) => path.endsWith(extension) && typeof text === "string",
  );
  return new Map(textFiles as [string, string][]);
}
