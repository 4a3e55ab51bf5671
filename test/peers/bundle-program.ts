import { basename, join } from "node:path";
import { build } from "esbuild";
import { projectRoot } from "../../scripts/base/index.ts";

/** Bundles a program, so that it starts quickly. @returns the path of the bundle, in a folder where it can import libsql. */
export async function bundleProgram(file: string): Promise<string> {
  const outfile = join(projectRoot, "node_modules/.cache", `${basename(file, ".ts")}-${process.pid}.mjs`);
  await build({
    entryPoints: [file],
    outfile,
    tsconfig: `${projectRoot}/tsconfig.json`,
    bundle: true,
    platform: "node",
    format: "esm",
    external: ["pg-native", "libsql"],
    // pg is a CommonJS package, so the bundle needs `require`.
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  });
  return outfile;
}
