/** Makes what is published of the mock: one file with all of it, which is a program too, its declarations, and a Dockerfile. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import { build, type Plugin } from "esbuild";
import { planFile, projectRoot, UsageError } from "../../contract/model/index.ts";
import { rollDeclarations } from "./declarations.ts";
import { bundledPackages } from "./layout.ts";

/** Where it stands below `dist/`, and as CommonJS below `dist/cjs/`. */
export const mockFolder = "mock";

/** It runs wherever Node does, without any other file. */
const fileName = "partner-wallet-mock.cjs";

/** The texts of the generated TypeScript, by their paths below the repository: on the disk may be those of an earlier build, or none. */
type Texts = Readonly<Record<string, string>>;

/** What the entry point exports at run time. */
const names = ["createMock", "createMockHandlers", "startMock"] as const;

/**
 * Bundles the mock with its plan, without maps: it is a tool and no part of a partner's program. There is one module with all of it,
 * in CommonJS, which modules of both kinds load, so that it exists once in a process that uses both.
 *
 * @param planning waited for before the plan is read.
 * @param client the texts of the generated TypeScript; those on the disk by default.
 * @returns the texts by their paths below `dist/`.
 * @throws {UsageError} when its declarations cannot be made, or the plan is missing.
 */
export async function bundleMock(planning: Promise<unknown>, client: Texts = {}): Promise<Map<string, string>> {
  const types = rollDeclarations("scripts/mock/index.ts", client);
  await planning;
  if (!existsSync(planFile)) {
    throw new UsageError(`There is no ${relative(projectRoot, planFile)}. Run "npm run build" first.`);
  }
  const list = names.join(", ");
  const exported = names.map((name) => `exports.${name} = mock.${name};\n`).join("");
  return new Map([
    [`${mockFolder}/${fileName}`, await bundle(client)],
    [`${mockFolder}/Dockerfile`, await readFile(`${projectRoot}/scripts/mock/Dockerfile`, "utf8")],
    // By way of a small file: of CommonJS that a module imports, Node reads the whole text for the names of its exports.
    [`${mockFolder}/index.js`, `import mock from "../cjs/${mockFolder}/index.js";\nexport const { ${list} } = mock;\n`],
    [`cjs/${mockFolder}/index.js`, `const mock = require("../../${mockFolder}/${fileName}");\n${exported}`],
    [`cjs/${mockFolder}/index.d.ts`, types],
  ]);
}

async function bundle(client: Texts): Promise<string> {
  const {
    outputFiles,
    metafile: { inputs },
  } = await build({
    entryPoints: ["scripts/cli/package/main.ts"],
    absWorkingDir: projectRoot,
    bundle: true,
    // Names stay, so that an error says its kind, and a stack where it comes from; to restore them at run time takes longer.
    minifySyntax: true,
    minifyWhitespace: true,
    // Node shows the line that an error comes from; shorter ones make the file larger.
    lineLimit: 600,
    write: false,
    format: "cjs",
    platform: "node",
    target: "node20",
    charset: "utf8",
    banner: { js: "#!/usr/bin/env node" },
    // The plan is in the file as well.
    supported: { "dynamic-import": false },
    legalComments: "none",
    logLevel: "silent",
    // The names of modules are in the text: those of packages begin with node_modules wherever these are.
    preserveSymlinks: true,
    metafile: true,
    plugins: [yamlOnly, generatedFrom(client)],
  });
  const packages = Object.keys(inputs).flatMap((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
  const unnamed = packages.find((name) => !bundledPackages.includes(name));
  if (unnamed !== undefined) {
    throw new UsageError(`The package holds code of ${unnamed}. Name it in bundledPackages, with its licence.`);
  }
  return outputFiles.map(({ text }) => text).join("");
}

/** Of the library that reads the contract, the mock needs nothing but what reads YAML. */
const yamlOnly: Plugin = {
  name: "yaml-only",
  setup({ onResolve }) {
    const path = `${projectRoot}/node_modules/@redocly/openapi-core/lib/js-yaml/index.js`;
    onResolve({ filter: /^@redocly\/openapi-core$/ }, () => ({ path }));
  },
};

/** Reads the generated TypeScript from the texts. */
const generatedFrom = (client: Texts): Plugin => ({
  name: "generated",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\.ts$/ }, ({ path, resolveDir }) => {
      const file = relative(projectRoot, resolve(resolveDir, path));
      return file in client ? { path: file, namespace: "generated" } : undefined;
    });
    onLoad({ filter: /./, namespace: "generated" }, ({ path }) => {
      return { contents: client[path] ?? "", loader: "ts", resolveDir: dirname(resolve(projectRoot, path)) };
    });
  },
});
