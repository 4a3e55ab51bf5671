import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { projectRoot } from "../../contract/model/index.ts";
import { publishedManifest, readManifest } from "../build/package.ts";

/** Makes the built package and openapi-fetch importable in the folder. */
export function linkPackages(folder: string): void {
  const packages = join(folder, "node_modules");
  const own = join(packages, "partner-wallet-api");
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, "package.json"), JSON.stringify(publishedManifest(readManifest())));
  for (const path of ["dist", "openapi"]) symlinkSync(join(projectRoot, path), join(own, path));
  symlinkSync(join(projectRoot, "node_modules/openapi-fetch"), join(packages, "openapi-fetch"));
}

/** @returns the absolute path of the bundle, and its compressed bytes: loaded statically (`compressed`) and by `import()` (`onDemand`). */
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
  const loaded = staticImportsOf(entry, metafile.outputs);
  const sizeOf = (paths: readonly string[]) =>
    paths.reduce((sum, path) => sum + gzipSync(readFileSync(join(folder, path)), { level: 9 }).length, 0);
  const others = Object.keys(metafile.outputs).filter((path) => !loaded.has(path));
  return { file: join(folder, entry), compressed: sizeOf([...loaded]), onDemand: sizeOf(others) };
}

type Outputs = Record<string, { imports: { path: string; kind: string }[] }>;

export function staticImportsOf(entry: string, outputs: Outputs): Set<string> {
  const loaded = new Set([entry]);
  // The loop also visits paths that are added while it runs.
  for (const path of loaded) {
    for (const { path: imported, kind } of outputs[path]?.imports ?? []) {
      if (kind === "import-statement" && outputs[imported] !== undefined) loaded.add(imported);
    }
  }
  return loaded;
}
