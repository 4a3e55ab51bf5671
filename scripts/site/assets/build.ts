import { build } from "esbuild";
import { usesPnpm } from "../../base/index.ts";

let builtAssets: ReturnType<typeof bundleAssets> | undefined;

/** Runs once per process. File names contain a content hash, so that browsers can cache the files forever. */
export function buildAssets(): ReturnType<typeof bundleAssets> {
  builtAssets ??= bundleAssets();
  return builtAssets;
}

async function bundleAssets() {
  const { outputFiles } = await build({
    absWorkingDir: import.meta.dirname,
    entryPoints: [
      { in: "site.css", out: "site" },
      { in: "browser/site.ts", out: "site" },
      { in: "browser/snippets.ts", out: "snippets" },
      { in: "browser/sending.ts", out: "sending" },
      { in: "favicon.svg", out: "favicon" },
      { in: "preview.png", out: "preview" },
    ],
    loader: { ".svg": "copy", ".png": "copy" },
    outdir: "/",
    entryNames: "assets/[name].[hash]",
    // The content hash includes module paths; this option makes them independent of where packages are installed.
    preserveSymlinks: !usesPnpm(),
    bundle: true,
    write: false,
    minify: true,
    // Browsers load no modules in a page that was opened as a file, so the scripts share values on `globalThis`.
    format: "iife",
    target: "es2022",
    legalComments: "none",
  });
  const files: Record<string, string | Uint8Array> = Object.fromEntries(
    outputFiles.map(({ path, text, contents }) => [path.slice(1), path.endsWith(".png") ? contents : text]),
  );
  const nameOf = (path: string) => path.replace(/^assets\/(\w+)\.\w+/, "$1");
  /** The path of each file, by its name without the hash: `site.css` is `assets/site.MZXW6YTB.css`. */
  const paths: Record<string, string> = Object.fromEntries(Object.keys(files).map((path) => [nameOf(path), path]));
  return { files, paths };
}
