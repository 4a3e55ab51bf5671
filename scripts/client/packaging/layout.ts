/** A product is an entry point with code; each product has a folder in `dist/`. */
import { found, projectRoot, UsageError } from "../../contract/base/index.ts";
import { type Manifest, readManifest } from "../../contract/sources/index.ts";

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

/** TypeScript texts by path below the repository. */
export type Sources = Readonly<Record<string, string>>;

/** The path below `dist/` of each source, by its path below the repository. */
export type DistPaths = ReadonlyMap<string, string>;

type EntryPoints = Manifest["exports"];

const isCode = (target: string) => target.endsWith(".ts");

const folderOf = (subpath: string) => (subpath === "." ? "client" : subpath.slice(2));

export function productFolders(entryPoints: EntryPoints = readManifest().exports): string[] {
  return Object.entries(entryPoints).flatMap(([subpath, target]) => (isCode(target) ? [folderOf(subpath)] : []));
}

/**
 * The package.json fields that publish the entry points: `exports` for ES modules and CommonJS, `main` and `types` for tools that ignore
 * `exports`, `typesVersions` for TypeScript's module resolution `node10`.
 */
export function publishedEntryPoints(entryPoints: EntryPoints = readManifest().exports) {
  const entries = Object.entries(entryPoints);
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
    main,
    types: mainTypes,
    typesVersions: { "*": Object.fromEntries(types) },
    exports: Object.fromEntries(entries.map(([subpath, source]) => [subpath, targetOf(subpath, source)])),
  };
}

export function distPathsOf(sources: readonly string[]): DistPaths {
  const entryPoints = readManifest().exports;
  const products = productFolders(entryPoints).join("|");
  const indexes = new Map(
    Object.entries(entryPoints).map(([subpath, path]) => [path, `${folderOf(subpath)}/index.ts`]),
  );
  const distPaths = new Map<string, string>();
  const sourcesByDistPath = new Map<string, string>();
  for (const path of sources) {
    const distPath =
      indexes.get(`./${path}`) ??
      path
        .replace(new RegExp(`^scripts/client/src/(?=(?:${products})/)`), "")
        .replace(/^scripts\/client\/src\//, "client/runtime/")
        .replace(/^generated\//, "");
    const otherSource = sourcesByDistPath.get(distPath);
    if (otherSource !== undefined)
      throw new UsageError(`${path} and ${otherSource} would both be dist/${distPath}. Rename one.`);
    sourcesByDistPath.set(distPath, path);
    distPaths.set(path, distPath);
  }
  return distPaths;
}

/** The path below `dist/` of what is compiled from a source. */
export function compiledPathOf(source: string, distPaths: DistPaths, extension: ".js" | ".d.ts"): string {
  return found(distPaths.get(source), `path below dist/ for ${source}`).replace(/\.ts$/, extension);
}
