/** The site, rendered once for all tests of a process. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { renderSite, type SiteFiles, serveSite } from "../../scripts/site/index.ts";
import { bundles, sources } from "../support/contract.ts";

let rendered: Promise<SiteFiles> | undefined;

export function renderedSite(): Promise<SiteFiles> {
  rendered ??= bundles().then((made) => renderSite({ bundles: made, registers: sources.registers() }));
  return rendered;
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
  const longest = new Map<string, string>();
  for (const [path, html] of Object.entries(files)) {
    if (typeof html !== "string" || !path.endsWith(".html")) continue;
    const kind = /<main [^>]*class="page page-([\w-]+)"/.exec(html)?.[1];
    if (kind !== undefined && html.length > (files[longest.get(kind) ?? ""]?.length ?? 0)) longest.set(kind, path);
  }
  return longest;
}

export function textsOf(files: SiteFiles, ending: string): Map<string, string> {
  const found = Object.entries(files).filter(([path, text]) => path.endsWith(ending) && typeof text === "string");
  return new Map(found as [string, string][]);
}
