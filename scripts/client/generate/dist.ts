import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { transform } from "esbuild";
import { rolldown } from "rolldown";
import { editions, generatedFolder, projectRoot } from "../../contract/model/index.ts";
import { emitDeclarations } from "./declarations.ts";
import { commonJsFolder, distPathsOf, productFolders, rewriteImports, type Sources } from "./layout.ts";
import { bundleMock } from "./mock-dist.ts";

/** The example responses are published once: the ES module re-exports the CommonJS file. */
const examplesModule = "client/response-examples.js";

/** The package.json of `dist/cjs/`: it marks the `.js` files there as CommonJS, and permits bundlers to drop unused modules. */
const commonJsPackage = `${JSON.stringify({ type: "commonjs", sideEffects: false }, null, 2)}\n`;

/**
 * Compiles the runtime and the generated TypeScript to ES modules in `dist/` and CommonJS modules in `dist/cjs/`, bundles the mock, and
 * adds the OpenAPI documents of all editions.
 *
 * @param options.generated the texts of generated files, by path below `generated/`. Default: the files on the disk.
 * @param options.planning settles when the plan of the mock is written.
 * @returns the text of each published file, by path below `dist/`.
 * @throws {UsageError} when an export has no explicit type, two sources have one published path, the plan is missing, or the mock contains
 * a package that is not listed.
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
  const distPathOf = (path: string) => distPaths.get(path) as string;
  const declareAll = async () =>
    Object.entries(sources).map(([path, text]): [string, string] => {
      const declarations = rewriteImports(path, emitDeclarations(path, text), distPaths).replace(
        /(from "\.[^"]+)\.ts"/g,
        '$1.js"',
      );
      return [join(commonJsFolder, distPathOf(path).replace(/\.ts$/, ".d.ts")), declarations];
    });
  const distSources = Object.fromEntries(
    Object.entries(sources).map(([path, text]) => [distPathOf(path), rewriteImports(path, text, distPaths)]),
  );
  const [mockFiles, commonJsModules, declarations, ...modules] = await Promise.all([
    bundleMock(planning, { ...sources, "generated/control/types.ts": generated["control/types.ts"] ?? "" }),
    toCommonJs(distSources),
    declareAll(),
    ...Object.entries(distSources).map(toModule),
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

async function toModule([path, source]: readonly [path: string, text: string]): Promise<[path: string, text: string]> {
  const { code } = await transform(source, {
    loader: "ts",
    format: "esm",
    target: "es2022",
    charset: "utf8",
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  });
  const text = code.replace(/\b((?:from|import) ?\(?")(\.[^"\n]+)\.ts"/g, '$1$2.js"');
  return [path.replace(/\.ts$/, ".js"), text];
}

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
    // With `__toESM(module, 1)`, `default` would be the whole CommonJS module. With `__toESM(module)`, it is the module's export `default`.
    file.type === "chunk" ? [[file.fileName, file.code.replace(/(__toESM\(\w+), 1\)/g, "$1)")]] : [],
  );
}
