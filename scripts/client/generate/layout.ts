/** Where published files are located in `dist/`: one folder for each product, which is an entry point of the package. */
import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { projectRoot, UsageError } from "../../contract/model/index.ts";

/** Absolute path of the folder that is published. */
export const distFolder: string = `${projectRoot}/dist`;

/** The packages bundled into the mock, whose licences are published with it. Ajv is among them because it compiles the plan. */
export const bundledPackages: readonly string[] = [
  "@redocly/openapi-core",
  "ajv",
  "ajv-formats",
  "js-yaml",
  "openapi-fetch",
];

/** The folder of the CommonJS modules, below `dist/`. */
export const commonJs = "cjs";

/** The texts of TypeScript files, by their paths below the repository. */
export type Sources = Readonly<Record<string, string>>;

/** `exports` of package.json: for code the TypeScript source of the entry point, for documents the file itself. */
type EntryPoints = Readonly<Record<string, string>>;

/** The `exports` of package.json. */
export function readEntryPoints(): EntryPoints {
  return JSON.parse(readFileSync(`${projectRoot}/package.json`, "utf8")).exports;
}

const isCode = (target: string) => target.endsWith(".ts");

/** The folder of an entry point: `webhooks` for `./webhooks`, `client` for the package itself. */
const folderOf = (subpath: string) => (subpath === "." ? "client" : subpath.slice(2));

/** The product folders that contain code. */
export function productFolders(entryPoints: EntryPoints = readEntryPoints()): string[] {
  return Object.entries(entryPoints).flatMap(([subpath, target]) => (isCode(target) ? [folderOf(subpath)] : []));
}

/**
 * The package.json fields that publish the entry points.
 *
 * @param entryPoints the `exports` of package.json.
 * @returns the fields of the published package.json: `exports` for ES modules and CommonJS, `main` and `types` for tools that do not read
 * `exports`, `typesVersions` for the module resolution `node10` of TypeScript.
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

/**
 * Maps sources to their published paths: an entry point becomes the `index.ts` of its product, a runtime folder with the name of a product
 * goes to that product, the rest of the runtime to `client/runtime/`, and generated files to `client/`.
 *
 * @param sources by their paths below the repository.
 * @returns the path below `dist/` of each source.
 * @throws {UsageError} when two would have the same path.
 */
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

/**
 * Rewrites the relative imports of a module, or of its declarations, for its published location.
 *
 * @param path path of the source, relative to the repository.
 * @param places published paths from {@link arrange}. Other imports are not changed.
 */
export function relocate(path: string, text: string, places: ReadonlyMap<string, string>): string {
  const folder = dirname(places.get(path) ?? path);
  return text.replace(/\b((?:from|import) ?\(?")(\.[^"\n]+\.ts)"/g, (whole, start: string, target: string) => {
    const place = places.get(join(dirname(path), target));
    if (place === undefined) return whole;
    const found = relative(folder, place);
    return `${start}${found.startsWith(".") ? found : `./${found}`}"`;
  });
}
