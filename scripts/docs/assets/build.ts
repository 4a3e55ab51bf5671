/** The files that every page loads: one style sheet, one script, one icon. */
import { build } from "esbuild";

export interface Assets {
  /** Contents by path below the folder of the site. */
  files: Record<string, string>;
  /** Paths by plain names: `site.css` is `assets/site.MZXW6YTB.css`. */
  paths: Record<string, string>;
}

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
    absWorkingDir: import.meta.dirname,
    entryPoints: [
      { in: "site.css", out: "site" },
      { in: "browser/site.ts", out: "site" },
      { in: "favicon.svg", out: "favicon" },
    ],
    loader: { ".svg": "copy" },
    outdir: "/",
    entryNames: "assets/[name].[hash]",
    bundle: true,
    write: false,
    minify: true,
    format: "iife",
    target: "es2022",
    external: ["*.js"],
    legalComments: "none",
  });
  const files = Object.fromEntries(outputFiles.map(({ path, text }) => [path.slice(1), text]));
  const nameOf = (path: string) => path.replace(/^assets\/(\w+)\.\w+/, "$1");
  return { files, paths: Object.fromEntries(Object.keys(files).map((path) => [nameOf(path), path])) };
}
