import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { projectRoot, readManifest } from "../../base/index.ts";
import { publishedManifest } from "../build/index.ts";

/** Makes the built package and openapi-fetch importable in the folder. */
export function linkPackages(folder: string): void {
  const packagesFolder = join(folder, "node_modules");
  const packageFolder = join(packagesFolder, "partner-wallet-api");
  mkdirSync(packageFolder, { recursive: true });
  writeFileSync(join(packageFolder, "package.json"), JSON.stringify(publishedManifest(readManifest())));
  for (const path of ["dist", "openapi"]) symlinkSync(join(projectRoot, path), join(packageFolder, path));
  symlinkSync(join(projectRoot, "node_modules/openapi-fetch"), join(packagesFolder, "openapi-fetch"));
}

/**
 * @returns the absolute path of the bundle, and the compressed size in bytes of the files that are loaded statically (`compressed`) and by
 * `import()` (`onDemand`).
 */
export async function bundleProgram(folder: string, name: string, program: string, { minify = false } = {}) {
  const { metafile } = await build({
    stdin: { contents: program, resolveDir: folder, loader: "ts" },
    absWorkingDir: folder,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    outdir: join(folder, "bundles", name),
    outExtension: { ".js": ".mjs" },
    metafile: true,
    minify,
    logLevel: "silent",
  });
  const entry = Object.keys(metafile.outputs).find((path) => metafile.outputs[path]?.entryPoint === "<stdin>") ?? "";
  const loadedFiles = staticImportsOf(entry, metafile.outputs);
  const sizeOf = (paths: readonly string[]) =>
    paths.reduce((sum, path) => sum + gzipSync(readFileSync(join(folder, path)), { level: 9 }).length, 0);
  const otherFiles = Object.keys(metafile.outputs).filter((path) => !loadedFiles.has(path));
  return { file: join(folder, entry), compressed: sizeOf([...loadedFiles]), onDemand: sizeOf(otherFiles) };
}

type Outputs = Record<string, { imports: { path: string; kind: string }[] }>;

export function staticImportsOf(entry: string, outputs: Outputs): Set<string> {
  const loadedFiles = new Set([entry]);
  // A loop over a set also visits the paths that are added during the loop.
  for (const path of loadedFiles) {
    for (const { path: importedPath, kind } of outputs[path]?.imports ?? []) {
      if (kind === "import-statement" && outputs[importedPath] !== undefined) loadedFiles.add(importedPath);
    }
  }
  return loadedFiles;
}
