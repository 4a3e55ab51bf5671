/** Makes `dist/`, the JavaScript and the declarations that are published. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { transform } from "esbuild";
import { rolldown } from "rolldown";
import { generatedFolder, projectRoot } from "../contract/index.ts";
import { declare } from "./declarations.ts";
import { bundleMock } from "./mock-dist.ts";

/** Absolute path of the folder that is published. */
export const distFolder: string = `${projectRoot}/dist`;

/** The CommonJS modules, below the folder that is published. */
const commonJs = "cjs";

/** The nearest `package.json` decides what a `.js` file is, and whether bundlers may leave it out. */
const commonJsPackage = `${JSON.stringify({ type: "commonjs", sideEffects: false }, null, 2)}\n`;

/**
 * Compiles the runtime and the generated TypeScript, each file by itself, so that `dist/` has the same folders as the
 * repository: ES modules in `dist/`, and the same tree as CommonJS modules in `dist/cjs/`. The mock is one program in `dist/mock/`,
 * with the plan that the build has made.
 *
 * @param options `client`: the generated TypeScript by its paths below the repository, as on the disk by default; `planning`: ends
 * when the plan is there.
 * @returns the texts by their paths below `dist/`.
 * @throws {UsageError} when a source does not say the type of what it exports, or when the plan is missing.
 */
export async function makeDist({
  client = read(`${generatedFolder}/client`),
  planning = Promise.resolve(),
}: {
  client?: Sources;
  planning?: Promise<unknown>;
} = {}): Promise<Record<string, string>> {
  const sources = { ...read(`${projectRoot}/scripts/client/runtime`), ...client };
  const declareAll = async () =>
    Object.entries(sources).map(([path, text]) => [path.replace(/\.ts$/, ".d.ts"), declare(path, text)] as const);
  const [mock, commonJsModules, declarations, ...modules] = await Promise.all([
    bundleMock(planning),
    toCommonJs(sources),
    declareAll(),
    ...Object.entries(sources).map(toModule),
  ]);
  return Object.fromEntries([
    ...declarations,
    ...modules.flat(),
    ...[...declarations, ...commonJsModules].map(([path, text]) => [join(commonJs, path), text]),
    [
      typeFile,
      `export * from "${relative(dirname(typeFile), join(commonJs, typeFile)).replace(/\.d\.ts$/, ".ts")}";\n`,
    ],
    [join(commonJs, "package.json"), commonJsPackage],
    ...mock,
  ]);
}

/**
 * The declarations of the contract's types. They are as large as all others together, hold no code, and stand among the CommonJS
 * modules only, from where modules of both kinds may import them.
 */
const typeFile = "generated/client/types.d.ts";

/** The texts of TypeScript files, by their paths below the repository. */
type Sources = Readonly<Record<string, string>>;

function read(folder: string): Sources {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));
  return Object.fromEntries(
    paths.sort().map((path) => [relative(projectRoot, join(folder, path)), readFileSync(join(folder, path), "utf8")]),
  );
}

/**
 * A source as an ES module, with its map. What is generated holds tables and types: nobody looks for a mistake there, and its map
 * would be as large as itself.
 */
async function toModule([path, source]: readonly [path: string, text: string]): Promise<
  [path: string, text: string][]
> {
  const isGenerated = path.startsWith("generated/");
  const module = path.replace(/\.ts$/, ".js");
  const { code, map } = await transform(source, {
    loader: "ts",
    format: "esm",
    target: "es2022",
    charset: "utf8",
    sourcemap: isGenerated ? false : "external",
    sourcefile: relative(join("dist", dirname(path)), path),
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  });
  // As long as it was, so that the map stays right.
  const text = code.replace(/\b((?:from|import) ?\(?")(\.[^"\n]+)\.ts"/g, '$1$2.js"');
  // A source of types only has no code.
  if (isGenerated || code === "") return [[module, text]];
  return [
    [module, `${text}//# sourceMappingURL=${module.replace(/^.*\//, "")}.map\n`],
    [`${module}.map`, map],
  ];
}

/**
 * The sources as CommonJS modules, without maps. `import()` becomes a `require` in a promise, and an export is a property that
 * tests can replace.
 */
async function toCommonJs(sources: Sources): Promise<[path: string, text: string][]> {
  const texts = new Map(Object.entries(sources).map(([path, text]) => [join(projectRoot, path), text]));
  const bundle = await rolldown({
    cwd: projectRoot,
    input: Object.fromEntries(Object.keys(sources).map((path) => [path.replace(/\.ts$/, ""), join(projectRoot, path)])),
    plugins: [
      {
        name: "sources",
        resolveId: (id, importer) => {
          const path = importer === undefined ? id : join(dirname(importer), id);
          return texts.has(path) ? path : { id, external: true };
        },
        load: (id) => texts.get(id),
      },
    ],
    platform: "neutral",
    treeshake: false,
    tsconfig: false,
    transform: { target: "es2022" },
  });
  const { output } = await bundle.generate({
    format: "cjs",
    exports: "named",
    preserveModules: true,
    preserveModulesRoot: projectRoot,
    entryFileNames: "[name].js",
    dynamicImportInCjs: false,
    comments: false,
  });
  await bundle.close();
  return output.flatMap((file): [string, string][] =>
    // Rolldown expects an importing ES module of Node, for which `default` would be all of a CommonJS module.
    file.type === "chunk" ? [[file.fileName, file.code.replace(/(__toESM\(\w+), 1\)/g, "$1)")]] : [],
  );
}
