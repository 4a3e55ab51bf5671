/** A product is an entry point with code; each product has a folder in `dist/`. The sources of both are named in package.json. */
import { dirname, join, relative } from "node:path";
import { found, type Manifest, present, projectRoot, readManifest, UsageError } from "../../base/index.ts";

export const distFolder: string = `${projectRoot}/dist`;

/** Packages whose licences are published with the mock. Ajv is listed because the mock's plan contains code that Ajv generates. */
export const bundledPackages: readonly string[] = [
  "@redocly/openapi-core",
  "ajv",
  "ajv-formats",
  "js-yaml",
  "openapi-fetch",
];

export const commonJsFolder = "cjs";

/** The path below `dist/` of the program that is the mock and the commands. */
export const programPath = "mock/partner-wallet-mock.cjs";

/** TypeScript texts by path below the repository. */
export type Sources = Readonly<Record<string, string>>;

/** The path below `dist/` of each source, by its path below the repository. */
export type DistPaths = ReadonlyMap<string, string>;

/** The sources of the client, below which each product has its folder. */
export function clientFolder({ exports }: Manifest = readManifest()): string {
  return join(dirname(found(exports["."], "entry point .")), "..");
}

const isCode = (target: string) => target.endsWith(".ts");

const folderOf = (subpath: string) => (subpath === "." ? "client" : subpath.slice(2));

export function productFolders({ exports }: Manifest = readManifest()): string[] {
  return Object.entries(exports).flatMap(([subpath, target]) => (isCode(target) ? [folderOf(subpath)] : []));
}

/**
 * The package.json fields that publish the entry points and the command: `exports` for ES modules and CommonJS, `main` and `types` for tools
 * that ignore `exports`, `typesVersions` for TypeScript's module resolution `node10`.
 */
export function publishedEntryPoints({ exports, bin }: Manifest) {
  const entries = Object.entries(exports);
  const filesOf = (subpath: string, ...folders: string[]) => {
    const path = ["./dist", ...folders, folderOf(subpath), "index"].join("/");
    return { types: `${path}.d.ts`, default: `${path}.js` };
  };
  const targetOf = (subpath: string, source: string) =>
    isCode(source) ? { import: filesOf(subpath), require: filesOf(subpath, commonJsFolder) } : source;
  const subpathEntries = entries.filter(
    ([subpath, source]) => subpath !== "." && (isCode(source) || source.endsWith(".json")),
  );
  const types = subpathEntries
    .filter(([subpath]) => subpath !== "./package.json")
    .map(([subpath, source]) => [subpath.slice(2), [isCode(source) ? filesOf(subpath, commonJsFolder).types : source]]);
  const { default: main, types: mainTypes } = filesOf(".", commonJsFolder);
  return {
    bin: Object.fromEntries(Object.keys(bin).map((command) => [command, `dist/${programPath}`])),
    main,
    types: mainTypes,
    typesVersions: { "*": Object.fromEntries(types) },
    exports: Object.fromEntries(entries.map(([subpath, source]) => [subpath, targetOf(subpath, source)])),
  };
}

export function distPathsOf(sources: readonly string[]): DistPaths {
  const manifest = readManifest();
  const client = clientFolder(manifest);
  const products = productFolders(manifest);
  const indexes = new Map(
    Object.entries(manifest.exports).map(([subpath, source]) => [join(source), `${folderOf(subpath)}/index.ts`]),
  );
  const pathBelowDist = (source: string) => {
    const path = relative(client, source);
    if (path.startsWith("..")) return relative("generated", source);
    return products.some((folder) => path.startsWith(`${folder}/`)) ? path : `client/runtime/${path}`;
  };
  const distPaths = new Map<string, string>();
  const sourcesByDistPath = new Map<string, string>();
  for (const source of sources) {
    const distPath = indexes.get(source) ?? pathBelowDist(source);
    const otherSource = sourcesByDistPath.get(distPath);
    if (otherSource !== undefined)
      throw new UsageError(`${source} and ${otherSource} would both be dist/${distPath}. Rename one.`);
    sourcesByDistPath.set(distPath, source);
    distPaths.set(source, distPath);
  }
  return distPaths;
}

/** The path below `dist/` of what is compiled from a source. */
export function compiledPathOf(source: string, distPaths: DistPaths, extension: ".js" | ".d.ts"): string {
  return present(distPaths.get(source), `path below dist/ for ${source}`).replace(/\.ts$/, extension);
}
