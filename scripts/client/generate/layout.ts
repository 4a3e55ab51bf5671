/** The locations of published files in `dist/`: a folder for each product (entry point of the package). */
import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { projectRoot, UsageError } from "../../contract/model/index.ts";

export const distFolder: string = `${projectRoot}/dist`;

/** Packages whose licences are published with the mock. Ajv is listed because the mock's plan contains code that Ajv generates. */
export const bundledPackages: readonly string[] = [
  "@redocly/openapi-core",
  "ajv",
  "ajv-formats",
  "js-yaml",
  "openapi-fetch",
];

export const commonJs = "cjs";

/** TypeScript texts by path below the repository. */
export type Sources = Readonly<Record<string, string>>;

/** The `exports` of package.json. The target of code is the TypeScript source of the entry point; other targets are the published files. */
type EntryPoints = Readonly<Record<string, string>>;

function readEntryPoints(): EntryPoints {
  return JSON.parse(readFileSync(`${projectRoot}/package.json`, "utf8")).exports;
}

const isCode = (target: string) => target.endsWith(".ts");

const folderOf = (subpath: string) => (subpath === "." ? "client" : subpath.slice(2));

export function productFolders(entryPoints: EntryPoints = readEntryPoints()): string[] {
  return Object.entries(entryPoints).flatMap(([subpath, target]) => (isCode(target) ? [folderOf(subpath)] : []));
}

/**
 * The package.json fields that publish the entry points: `exports` for ES modules and CommonJS, `main` and `types` for tools that ignore
 * `exports`, `typesVersions` for TypeScript's module resolution `node10`.
 */
export function publishedEntryPoints(entryPoints: EntryPoints = readEntryPoints()) {
  const all = Object.entries(entryPoints);
  const at = (subpath: string, ...below: string[]) => {
    const path = ["./dist", ...below, folderOf(subpath), "index"].join("/");
    return { types: `${path}.d.ts`, default: `${path}.js` };
  };
  const target = (subpath: string, source: string) =>
    isCode(source) ? { import: at(subpath), require: at(subpath, commonJs) } : source;
  const named = all.filter(([subpath, source]) => subpath !== "." && (isCode(source) || source.endsWith(".json")));
  const types = named
    .filter(([subpath]) => subpath !== "./package.json")
    .map(([subpath, source]) => [subpath.slice(2), [isCode(source) ? at(subpath, commonJs).types : source]]);
  const { default: main, types: mainTypes } = at(".", commonJs);
  return {
    main,
    types: mainTypes,
    typesVersions: { "*": Object.fromEntries(types) },
    exports: Object.fromEntries(all.map(([subpath, source]) => [subpath, target(subpath, source)])),
  };
}

/** Maps sources to their paths below `dist/`. */
export function arrange(sources: readonly string[]): ReadonlyMap<string, string> {
  const entryPoints = readEntryPoints();
  const products = productFolders(entryPoints).join("|");
  const indexes = new Map(
    Object.entries(entryPoints).map(([subpath, path]) => [path, `${folderOf(subpath)}/index.ts`]),
  );
  const arranged = new Map<string, string>();
  const taken = new Map<string, string>();
  for (const path of sources) {
    const place =
      indexes.get(`./${path}`) ??
      path
        .replace(new RegExp(`^scripts/client/src/(?=(?:${products})/)`), "")
        .replace(/^scripts\/client\/src\//, "client/runtime/")
        .replace(/^generated\//, "");
    const other = taken.get(place);
    if (other !== undefined) throw new UsageError(`${path} and ${other} would both be dist/${place}. Rename one.`);
    taken.set(place, path);
    arranged.set(path, place);
  }
  return arranged;
}

/** Replaces the paths of imports in a source with the paths below `dist/`. */
export function relocate(path: string, text: string, places: ReadonlyMap<string, string>): string {
  const folder = dirname(places.get(path) ?? path);
  return text.replace(/\b((?:from|import) ?\(?")(\.[^"\n]+\.ts)"/g, (whole, start: string, target: string) => {
    const place = places.get(join(dirname(path), target));
    if (place === undefined) return whole;
    const found = relative(folder, place);
    return `${start}${found.startsWith(".") ? found : `./${found}`}"`;
  });
}
