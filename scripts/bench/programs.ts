/** Programs that use this package or another client, bundled as a partner would bundle them. */
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { bundleFile, projectRoot } from "../contract/index.ts";
import { installPeers } from "../verify/peers.ts";
import { run } from "../verify/processes.ts";

/** Modules that {@link generatePeers} writes below its folder. */
export const generated = {
  heyApi: "hey-api/index.ts",
  heyApiClient: "hey-api/client/index.ts",
  kubb: "kubb/index.ts",
  kubbFetch: "kubb/.kubb/fetch.ts",
} as const;

/**
 * Has other generators make their clients from the bundle of `latest`.
 *
 * @param folder absolute path of the folder that receives them.
 * @throws {UsageError} when they cannot be installed or fail.
 */
export async function generatePeers(folder: string): Promise<void> {
  await installPeers();
  const generator = join(projectRoot, "test/peers/generate.ts");
  const args = ["--import", import.meta.resolve("tsx"), generator, bundleFile("latest", "json"), folder];
  // kubb writes nothing outside of its working directory.
  await run(process.execPath, args, { cwd: folder, env: { DO_NOT_TRACK: "1", KUBB_DISABLE_TELEMETRY: "1" } });
}

/** A part of a bundle: a file as esbuild wrote it. */
export interface BundledFile {
  /** The module that it begins with. */
  readonly name: string;
  /** Bytes as a server would send them. */
  readonly compressed: number;
}

export interface BundledProgram {
  /** Absolute path of the module to import. */
  readonly file: string;
  /** What is loaded with it: compressed, each file by itself. */
  readonly compressed: number;
  /** What it loads on demand. */
  readonly onDemand: readonly BundledFile[];
}

/**
 * Bundles a program. `partner-wallet-api` is what `npm run build` has compiled to `dist/`.
 *
 * @param folder as of {@link generatePeers}; `./` in an import of the program is this folder.
 * @param name names its files.
 */
export async function bundleProgram(
  folder: string,
  name: string,
  program: string,
  { minify = false }: { minify?: boolean } = {},
): Promise<BundledProgram> {
  const outdir = join(folder, "bundles", name);
  const { metafile } = await build({
    // In this package, which finds itself by its name.
    stdin: { contents: program.replaceAll('"./', `"${folder}/`), resolveDir: projectRoot, loader: "ts" },
    absWorkingDir: folder,
    // Without the `paths` of tsconfig.json, which lead to the sources.
    tsconfigRaw: {},
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    outdir,
    outExtension: { ".js": ".mjs" },
    metafile: true,
    minify,
    logLevel: "silent",
  });
  const entry = Object.keys(metafile.outputs).find((path) => metafile.outputs[path]?.entryPoint === "<stdin>") ?? "";
  const atOnce = loadedWith(entry, metafile.outputs);
  const sizeOf = (path: string) => gzipSync(readFileSync(join(folder, path)), { level: 9 }).length;
  return {
    file: join(folder, entry),
    compressed: [...atOnce].reduce((sum, path) => sum + sizeOf(path), 0),
    onDemand: Object.keys(metafile.outputs)
      .filter((path) => !atOnce.has(path))
      .map((path) => ({ name: basename(path).replace(/-\w+\.mjs$/, ""), compressed: sizeOf(path) })),
  };
}

type Outputs = Record<string, { imports: { path: string; kind: string }[] }>;

/** A file, and what it imports statically, through other files too. */
export function loadedWith(entry: string, outputs: Outputs): Set<string> {
  const loaded = new Set([entry]);
  // What is added meanwhile is visited as well.
  for (const path of loaded) {
    for (const { path: imported, kind } of outputs[path]?.imports ?? []) {
      if (kind === "import-statement" && outputs[imported] !== undefined) loaded.add(imported);
    }
  }
  return loaded;
}
