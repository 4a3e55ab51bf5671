/** The files that every page loads: one style sheet, one script, one icon. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

export interface Assets {
  /** Contents by path below the folder of the site. */
  files: Record<string, string>;
  /** Paths by plain names: `site.css` is `assets/site.1f2e3d4c.css`. */
  paths: Record<string, string>;
}

const folder = import.meta.dirname;

let built: Promise<Assets> | undefined;

/**
 * The style sheet, the script and the icon, bundled once in a process. The names carry a hash of the contents, so that browsers
 * can keep them for ever.
 */
export function buildAssets(): Promise<Assets> {
  built ??= bundleAssets();
  return built;
}

async function bundleAssets(): Promise<Assets> {
  const { outputFiles } = await build({
    entryPoints: { "site.css": join(folder, "site.css"), "site.js": join(folder, "browser/site.ts") },
    outdir: "/",
    entryNames: "[name]",
    bundle: true,
    write: false,
    minify: true,
    format: "iife",
    target: "es2022",
    external: ["*.js"],
    legalComments: "none",
  });
  const named = [
    ...outputFiles.map(({ path, text }) => [path.slice(1).replace(/\.(css|js)\.\1$/, ".$1"), text] as const),
    ["favicon.svg", readFileSync(join(folder, "favicon.svg"), "utf8")] as const,
  ];
  const assets: Assets = { files: {}, paths: {} };
  for (const [name, text] of named) {
    const hash = createHash("sha256").update(text).digest("hex").slice(0, 10);
    const path = `assets/${name.replace(/\.(\w+)$/, `.${hash}.$1`)}`;
    assets.files[path] = text;
    assets.paths[name] = path;
  }
  return assets;
}
