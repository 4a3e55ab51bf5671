import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { transform } from "esbuild";
import { rolldown } from "rolldown";
import { editions, found, generatedFolder, present, projectRoot } from "../../base/index.ts";
import { emitDeclarations } from "./emit-declarations.ts";
import {
  clientFolder,
  commonJsFolder,
  compiledPathOf,
  type DistPaths,
  distPathsOf,
  productFolders,
  type Sources,
} from "./layout.ts";
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
  const generatedIn = (folder: string): Sources => {
    const files = Object.entries(generated).filter(([path]) => path.startsWith(`${folder}/`));
    return Object.fromEntries(files.map(([path, text]) => [`generated/${path}`, text]));
  };
  const sources: Sources = {
    ...generatedIn("client"),
    ...readSources(projectRoot, /^(?!.*\/entries\/internal\/).*\.ts$/, clientFolder()),
  };
  const distPaths = distPathsOf(Object.keys(sources));
  const [mockFiles, commonJsModules, declarations, ...modules] = await Promise.all([
    bundleMock(planning, { ...sources, ...generatedIn("control") }),
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
        const text = found(generated[`${edition}/${name}.json`], `file generated/${edition}/${name}.json`);
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
    join(commonJsFolder, compiledPathOf(path, distPaths, ".d.ts")),
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
  return [compiledPathOf(path, distPaths, ".js"), publishImports(path, code, distPaths)];
}

async function toCommonJs(sources: Sources, distPaths: DistPaths): Promise<PublishedFile[]> {
  // Each module has its path below `dist/` as its id, because the imports that rolldown writes follow from the ids.
  const idsBySource = new Map([...distPaths].map(([source, distPath]) => [source, join(projectRoot, distPath)]));
  const sourcesById = new Map([...idsBySource].map(([source, id]) => [id, { source, text: sources[source] }]));
  const bundle = await rolldown({
    cwd: projectRoot,
    input: Object.fromEntries(
      [...sourcesById.keys()].map((id) => [relative(projectRoot, id).replace(/\.ts$/, ""), id]),
    ),
    plugins: [
      {
        name: "sources",
        resolveId: (specifier, importerId) => {
          if (importerId === undefined) return specifier;
          const { source } = present(sourcesById.get(importerId), `source of the module ${importerId}`);
          return idsBySource.get(join(dirname(source), specifier)) ?? { id: specifier, external: true };
        },
        load: (id) => sourcesById.get(id)?.text,
      },
    ],
    platform: "neutral",
    treeshake: false,
    tsconfig: false,
    transform: { target: "es2022" },
  });
  try {
    const { output } = await bundle.generate({
      format: "cjs",
      exports: "named",
      preserveModules: true,
      preserveModulesRoot: projectRoot,
      entryFileNames: "[name].js",
      dynamicImportInCjs: false,
      comments: false,
    });
    return output.flatMap((file): PublishedFile[] => (file.type === "chunk" ? [[file.fileName, file.code]] : []));
  } finally {
    await bundle.close();
  }
}
