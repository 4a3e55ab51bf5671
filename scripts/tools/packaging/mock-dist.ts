import { existsSync, realpathSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { build, type Plugin } from "esbuild";
import { found, planFile, present, projectRoot, readManifest, UsageError, usesPnpm } from "../../base/index.ts";
import { readNames } from "../../base/modules/index.ts";
import { bundledPackages, commonJsFolder, programPath, type Sources } from "./layout.ts";
import { rollDeclarations } from "./roll-declarations.ts";

const mockFolder = dirname(programPath);

/**
 * ES and CommonJS programs load the same module, so that a process has one copy of the mock.
 *
 * @param planning a promise that settles when the plan of the mock is written.
 * @param sources the texts of source files, used in place of files on the disk, which may be outdated or missing.
 */
export async function bundleMock(planning: Promise<unknown>, sources: Sources = {}): Promise<Map<string, string>> {
  await planning;
  if (!existsSync(planFile)) {
    throw new UsageError(`There is no ${relative(projectRoot, planFile)}. Run "npm run build" first.`);
  }
  const { exports, bin } = readManifest();
  const entry = join(found(exports["./mock"], "entry point ./mock"));
  const { exports: exportedNames } = readNames(entry, await readFile(join(projectRoot, entry), "utf8"));
  const names = exportedNames.flatMap(({ name, isType }) => (isType ? [] : [name]));
  const list = names.join(", ");
  const reexports = names.map((name) => `exports.${name} = mock.${name};\n`).join("");
  return new Map([
    [programPath, await bundle(Object.values(bin), sources)],
    [`${mockFolder}/Dockerfile`, await readFile(join(projectRoot, dirname(entry), "Dockerfile"), "utf8")],
    // A small wrapper around the large module, because Node scans the whole text of an imported CommonJS module for export names.
    [
      `${mockFolder}/index.js`,
      `import mock from "../${commonJsFolder}/${mockFolder}/index.js";\nexport const { ${list} } = mock;\n`,
    ],
    [`${commonJsFolder}/${mockFolder}/index.js`, `const mock = require("../../${programPath}");\n${reexports}`],
    [`${commonJsFolder}/${mockFolder}/index.d.ts`, rollDeclarations(entry, sources)],
  ]);
}

async function bundle(programs: string[], sources: Sources): Promise<string> {
  const {
    outputFiles,
    metafile: { inputs },
  } = await build({
    entryPoints: programs,
    absWorkingDir: projectRoot,
    bundle: true,
    // Identifiers are not minified: error classes and stack traces need their names, and esbuild's `keepNames` costs run time.
    minifySyntax: true,
    minifyWhitespace: true,
    // Node prints the whole source line of an uncaught error, so lines are short. A lower limit would make the file larger.
    lineLimit: 600,
    write: false,
    format: "cjs",
    platform: "node",
    target: "node20",
    charset: "utf8",
    banner: { js: "#!/usr/bin/env node" },
    // Turns dynamic imports of what is not bundled into `require`.
    supported: { "dynamic-import": false },
    legalComments: "none",
    logLevel: "silent",
    // esbuild writes the paths of packages into the bundle. With this option they begin with node_modules, wherever packages are installed.
    // With pnpm the option cannot be used, because packages find their dependencies only from their real paths.
    preserveSymlinks: !usesPnpm(),
    metafile: true,
    plugins: [yamlParserPlugin, generatedFilesPlugin(sources)],
  });
  const packages = Object.keys(inputs).flatMap((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
  const unlistedPackage = packages.find((name) => !bundledPackages.includes(name));
  if (unlistedPackage !== undefined) {
    throw new UsageError(
      `The package contains code of ${unlistedPackage}. Name it in bundledPackages, with its licence.`,
    );
  }
  return outputFiles.map(({ text }) => text).join("");
}

/** The mock uses only the YAML parser of `@redocly/openapi-core`. */
const yamlParserPlugin: Plugin = {
  name: "yaml-only",
  setup({ onResolve }) {
    const path = `${projectRoot}/node_modules/@redocly/openapi-core/lib/js-yaml/index.js`;
    onResolve({ filter: /^@redocly\/openapi-core$/ }, () => ({ path: usesPnpm() ? realpathSync(path) : path }));
  },
};

const generatedFilesPlugin = (sources: Sources): Plugin => ({
  name: "generated",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\.ts$/ }, ({ path, resolveDir }) => {
      const file = relative(projectRoot, resolve(resolveDir, path));
      return file in sources ? { path: file, namespace: "generated" } : undefined;
    });
    onLoad({ filter: /./, namespace: "generated" }, ({ path }) => {
      return {
        contents: present(sources[path], `source ${path}`),
        loader: "ts",
        resolveDir: dirname(resolve(projectRoot, path)),
      };
    });
  },
});
