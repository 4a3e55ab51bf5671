/** Bundles programs as a partner's build would. */
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { run } from "../verify/run.ts";

/** Bytes of a bundle. */
export interface Size {
  minified: number;
  gzip: number;
}

interface BundleOptions {
  minify?: boolean;
  /** What the bundle is for. References that need modules of Node are made for it. */
  platform?: "neutral" | "node";
}

/**
 * Bundles a program.
 *
 * @param folder the workshop, where what the program imports is found.
 * @param name file name of the program, without its ending.
 * @returns the path of the bundle.
 */
export async function bundle(folder: string, name: string, program: string, options: BundleOptions): Promise<string> {
  const entry = join(folder, `${name}.entry.ts`);
  const output = join(folder, `${name}.bundle.mjs`);
  writeFileSync(entry, program);
  const platform =
    options.platform === "node" ? ["--platform=node"] : ["--platform=neutral", "--main-fields=module,main"];
  await run(
    join(folder, "node_modules/.bin/esbuild"),
    [entry, "--bundle", "--format=esm", `--outfile=${output}`, ...platform, ...(options.minify ? ["--minify"] : [])],
    { cwd: folder },
  );
  return output;
}

/** The size of a program: bundled with all that it needs, minified, and compressed as a server would send it. */
export async function sizeOf(folder: string, name: string, program: string, platform?: "node"): Promise<Size> {
  const file = await bundle(folder, name, program, { minify: true, ...(platform === undefined ? {} : { platform }) });
  return { minified: statSync(file).size, gzip: gzipSync(readFileSync(file), { level: 9 }).length };
}
