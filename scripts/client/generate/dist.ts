import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { transform } from "esbuild";
import { rolldown } from "rolldown";
import { editions, generatedFolder, projectRoot } from "../../contract/model/index.ts";
import { emitDeclarations } from "./declarations.ts";
import { commonJsFolder, type DistPaths, distPathsOf, productFolders, type Sources } from "./layout.ts";
import { bundleMock } from "./mock-dist.ts";
import { publishImports } from "./publish-imports.ts";

/** The example responses are published once: the ES module re-exports the CommonJS file. */
const examplesModule = "client/response-examples.js";

type PublishedFile = readonly [path: string, text: string];

/** Marks the `.js` files in `dist/cjs/` as CommonJS, and permits bundlers to drop unused modules. */
const commonJsPackage = `${JSON.stringify({ type: "commonjs", sideEffects: false }, null, 2)}\n`;

/**
 * Compiles the runtime and the generated TypeScript to ES modules in `dist/` and CommonJS modules in `dist/cjs/`, bundles the mock, and
 * adds the OpenAPI documents of all editions.
 *
 * @param options.generated the texts of generated files, by path below `generated/`. Default: the files on the disk.
 * @param options.planning a promise that settles when the plan of the mock is written.
 * @returns the text of each published file, by path below `dist/`.
 * @throws {UsageError} when an export has no explicit type, the declarations of the mock cannot be combined, two sources have one published
 * path, a module imports a file that is not published, the plan is missing, or the mock contains a package that `bundledPackages` lacks.
 */
export async function makeDist({
  generated = readSources(generatedFolder, /^((client|control)\/.*\.ts|\w+\/openapi(-3\.0)?\.json)$/),
  planning = Promise.resolve(),
}: {
  generated?: Sources;
  planning?: Promise<unknown>;
} = {}): Promise<Record<string, string>> {
  const clientFiles = Object.entries(generated).filter(([path]) => path.startsWith("client/"));
  const sources: Sources = {
    ...Object.fromEntries(clientFiles.map(([path, text]) => [`generated/${path}`, text])),
    ...readSources(projectRoot, /^scripts\/client\/src\/(?!entries\/internal\/).*\.ts$/, "scripts/client/src"),
  };
  const distPaths = distPathsOf(Object.keys(sources));
  const [mockFiles, commonJsModules, declarations, ...modules] = await Promise.all([
    bundleMock(planning, { ...sources, "generated/control/types.ts": generated["control/types.ts"] ?? "" }),
    toCommonJs(sources, distPaths),
    toDeclarations(sources, distPaths),
    ...Object.entries(sources).map(([path, text]) => toModule(path, text, distPaths)),
  ]);
  return Object.fromEntries([
    ...declarations,
    // ES modules re-export the declarations of CommonJS modules, so that both formats have the same types.
    ...productFolders().map((folder) => [
      `${folder}/index.d.ts`,
      `export * from "../${commonJsFolder}/${folder}/index.js";\n`,
    ]),
    ...modules,
    ...commonJsModules.map(([path, text]) => [join(commonJsFolder, path), text]),
    [
      examplesModule,
      `export { responseExamples } from ${JSON.stringify(join("..", commonJsFolder, examplesModule))};\n`,
    ],
    [join(commonJsFolder, "package.json"), commonJsPackage],
    ...mockFiles,
    ...editions.flatMap((edition) =>
      ["openapi", "openapi-3.0"].map((name) => {
        const text = generated[`${edition}/${name}.json`] as string;
        return [`${name}.${edition}.json`, JSON.stringify(JSON.parse(text))];
      }),
    ),
  ]);
}

function readSources(root: string, pattern: RegExp, folder = "."): Sources {
  const paths = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) =>
    join(folder, path),
  );
  const matchingPaths = paths.filter((path) => pattern.test(path)).sort();
  return Object.fromEntries(matchingPaths.map((path) => [path, readFileSync(join(root, path), "utf8")]));
}

/** For ES modules and CommonJS. */
async function toDeclarations(sources: Sources, distPaths: DistPaths): Promise<PublishedFile[]> {
  return Object.entries(sources).map(([path, text]) => [
    join(commonJsFolder, distPaths.get(path)?.replace(/\.ts$/, ".d.ts") ?? ""),
    publishImports(path, emitDeclarations(path, text), distPaths),
  ]);
}

async function toModule(path: string, text: string, distPaths: DistPaths): Promise<PublishedFile> {
  const { code } = await transform(text, {
    loader: "ts",
    format: "esm",
    target: "es2022",
    charset: "utf8",
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  });
  return [distPaths.get(path)?.replace(/\.ts$/, ".js") ?? "", publishImports(path, code, distPaths)];
}

async function toCommonJs(sources: Sources, distPaths: DistPaths): Promise<PublishedFile[]> {
  // Each module has its path below `dist/` as its id, because the imports that rolldown writes follow from the ids.
  const idOf = (path: string) => join(projectRoot, distPaths.get(path) ?? "");
  const sourcesById = new Map(Object.keys(sources).map((path) => [idOf(path), path]));
  const bundle = await rolldown({
    cwd: projectRoot,
    input: Object.fromEntries(
      [...distPaths.values()].map((path) => [path.replace(/\.ts$/, ""), join(projectRoot, path)]),
    ),
    plugins: [
      {
        name: "sources",
        resolveId: (id, importer) => {
          if (importer === undefined) return id;
          const path = join(dirname(sourcesById.get(importer) ?? ""), id);
          return path in sources ? idOf(path) : { id, external: true };
        },
        load: (id) => sources[sourcesById.get(id) ?? ""],
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
  return output.flatMap((file): PublishedFile[] => (file.type === "chunk" ? [[file.fileName, file.code]] : []));
}
