/** The entry points of the package: the one list that `package.json` and `tsconfig.json` repeat. */
import { editions } from "../contract/index.ts";

/** One entry point. */
export interface EntryPoint {
  /** Its key in `exports`: `.` or, for example, `./webhooks`. */
  readonly subpath: string;
  /** Its path below `dist/` and `dist/cjs/`, without the extension. */
  readonly path: string;
  /** Path of its source below the repository, without the extension. */
  readonly source: string;
}

/** Every entry point that is code. The bundles of the contract are exported as they are. */
export const entryPoints: readonly EntryPoint[] = [
  ...["index", "operations", "webhooks", "testing"].map((file) => {
    const path = `generated/client/${file}`;
    return { subpath: file === "index" ? "." : `./${file}`, path, source: path };
  }),
  { subpath: "./mock", path: "mock/index", source: "scripts/mock/index" },
];

/** The bundles that are exported, by their key in `exports`; that of the default edition carries no name. */
const documents: Readonly<Record<string, string>> = Object.fromEntries(
  editions.flatMap((edition) =>
    ["json", "yaml"].map((extension) => {
      const name = edition === editions[0] ? "openapi" : `openapi.${edition}`;
      return [`./${name}.${extension}`, `./generated/${edition}/openapi.${extension}`];
    }),
  ),
);

/** The fields of `package.json` that say where the entry points are. */
export interface EntryFields {
  /** For tools that do not read `exports`. */
  readonly main: string;
  readonly types: string;
  readonly typesVersions: { readonly "*": Readonly<Record<string, readonly string[]>> };
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, Readonly<Record<string, string>>>>>>;
}

/** The fields as they have to be. The order of the conditions counts: the first that applies is taken. */
export function entryFields(): EntryFields {
  const [main] = entryPoints as [EntryPoint];
  const targets = (path: string) => ({ types: `./${path}.d.ts`, default: `./${path}.js` });
  const code = entryPoints.map(({ subpath, path }) => [
    subpath,
    { import: targets(`dist/${path}`), require: targets(`dist/cjs/${path}`) },
  ]);
  const declarations = entryPoints
    .filter(({ path }) => path !== main.path)
    .map(({ subpath, path }) => [subpath.slice(2), [`./dist/cjs/${path}.d.ts`]]);
  const bundles = Object.entries(documents)
    .filter(([, target]) => target.endsWith(".json"))
    .map(([subpath, target]) => [subpath.slice(2), [target]]);
  return {
    main: `./dist/cjs/${main.path}.js`,
    types: `./dist/cjs/${main.path}.d.ts`,
    bin: { "partner-wallet-api": "dist/mock/bin.cjs" },
    typesVersions: { "*": Object.fromEntries([...declarations, ...bundles]) },
    exports: {
      ...Object.fromEntries(code),
      ...documents,
      "./mock-control.yaml": "./openapi/mock-control.yaml",
      "./package.json": "./package.json",
    },
  };
}

/** The `paths` of `tsconfig.json`, with which tests import the sources under the names of the package. */
export function entryPaths(): Record<string, string[]> {
  return Object.fromEntries(
    entryPoints.map(({ subpath, source }) => [`partner-wallet-api${subpath.slice(1)}`, [`./${source}.ts`]]),
  );
}
