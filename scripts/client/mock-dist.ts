/** Makes what is published of the mock: one program, the same one as CommonJS, its declarations, and the plans. */
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { build, type Plugin, transform } from "esbuild";
import { projectRoot } from "../contract/index.ts";
import { planFiles } from "./plan-files.ts";
import { rollTypes } from "./rolled-types.ts";

/** Where it stands below `dist/`, and as CommonJS below `dist/cjs/`. */
export const mockFolder = "mock";

/** What the entry point exports at run time. */
const names = ["createMock", "startMock"] as const;

/**
 * Bundles the mock, without maps: it is a tool and no part of a partner's program. There is one module with all of it, in
 * CommonJS, which modules of both kinds load, so that it exists once in a process that uses both.
 *
 * @returns the texts by their paths below `dist/`.
 * @throws {UsageError} when its declarations cannot be made.
 */
export async function bundleMock(): Promise<Map<string, string>> {
  const types = rollTypes("scripts/mock/entry.ts");
  const [program, ...plans] = await Promise.all([bundle("scripts/mock/published.ts"), ...planFiles.map(convertPlan)]);
  const list = names.join(", ");
  const exported = names.map((name) => `exports.${name} = mock.${name};\n`).join("");
  return new Map([
    ...plans,
    [`${mockFolder}/mock.cjs`, program],
    [`${mockFolder}/index.js`, `import mock from "./mock.cjs";\nexport const { ${list} } = mock;\n`],
    [`${mockFolder}/bin.cjs`, `#!/usr/bin/env node\n${binText}`],
    [`${mockFolder}/index.d.ts`, types],
    [`cjs/${mockFolder}/index.js`, `const mock = require("../../${mockFolder}/mock.cjs");\n${exported}`],
    [`cjs/${mockFolder}/index.d.ts`, types],
  ]);
}

/** CommonJS, which starts faster. */
const binText = `const { pathToFileURL } = require("node:url");
const { runProgram } = require("./mock.cjs");
void runProgram(process.argv.slice(2), pathToFileURL(require.resolve("../../package.json")));
`;

async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    absWorkingDir: projectRoot,
    bundle: true,
    minify: true,
    // So that an error says its kind, and a stack where it comes from.
    keepNames: true,
    write: false,
    format: "cjs",
    platform: "node",
    target: "node20",
    charset: "utf8",
    // A plan is loaded with `require`: for `import()` Node would read its text for the names of its exports, which takes as long
    // as everything else at the start.
    supported: { "dynamic-import": false },
    legalComments: "none",
    logLevel: "silent",
    plugins: [separatePlans],
  });
  return outputFiles.map(({ text }) => text).join("");
}

/** Leaves the plans outside, each in a file of its own that is loaded when it is needed. */
const separatePlans: Plugin = {
  name: "separate-plans",
  setup({ onResolve }) {
    onResolve({ filter: /\/generated\/mock\/\w+\.js$/ }, ({ path }) => ({
      path: `./plans/${basename(path, ".js")}.cjs`,
      external: true,
    }));
  },
};

/** A plan as a CommonJS module whose export Node finds when an ES module imports it. */
async function convertPlan(path: string): Promise<[path: string, text: string]> {
  const { code } = await transform(await readFile(join(projectRoot, path), "utf8"), {
    format: "cjs",
    platform: "node",
    target: "node20",
    minifyWhitespace: true,
    charset: "utf8",
    logLevel: "silent",
  });
  return [join(mockFolder, "plans", `${basename(path, ".js")}.cjs`), code];
}
