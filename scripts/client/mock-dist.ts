/** Makes what is published of the mock: one program, the same one as CommonJS, its declarations, and the plan. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import { build, type Plugin, transform } from "esbuild";
import { planFile, projectRoot, UsageError } from "../contract/index.ts";
import { rollDeclarations } from "./declarations.ts";

/** Where it stands below `dist/`, and as CommonJS below `dist/cjs/`. */
export const mockFolder = "mock";

/** What the entry point exports at run time. */
const names = ["createMock", "startMock"] as const;

/**
 * Bundles the mock, without maps: it is a tool and no part of a partner's program. There is one module with all of it, in
 * CommonJS, which modules of both kinds load, so that it exists once in a process that uses both.
 *
 * @param planning waited for before the plan is read.
 * @returns the texts by their paths below `dist/`.
 * @throws {UsageError} when its declarations cannot be made, or the plan is missing.
 */
export async function bundleMock(planning: Promise<unknown>): Promise<Map<string, string>> {
  const types = rollDeclarations("scripts/mock/index.ts");
  const [program, plan] = await Promise.all([bundle(), planning.then(convertPlan)]);
  const list = names.join(", ");
  const exported = names.map((name) => `exports.${name} = mock.${name};\n`).join("");
  return new Map([
    [`${mockFolder}/plan.cjs`, plan],
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

/** The entry point and the program of the command line. */
const entry = 'export * from "./index.ts";\nexport { runProgram } from "./command/program.ts";\n';

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: `${projectRoot}/scripts/mock`, loader: "ts" },
    absWorkingDir: projectRoot,
    bundle: true,
    // Names stay, so that an error says its kind, and a stack where it comes from; to restore them at run time takes longer.
    minifySyntax: true,
    minifyWhitespace: true,
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
    plugins: [separatePlan],
  });
  return outputFiles.map(({ text }) => text).join("");
}

/** Leaves the plan outside, in a file of its own. */
const separatePlan: Plugin = {
  name: "separate-plan",
  setup({ onResolve }) {
    onResolve({ filter: /\/generated\/mock\/plan\.js$/ }, () => ({ path: "./plan.cjs", external: true }));
  },
};

/** The plan as a CommonJS module whose export Node finds when an ES module imports it. */
async function convertPlan(): Promise<string> {
  if (!existsSync(planFile)) {
    throw new UsageError(`There is no ${relative(projectRoot, planFile)}. Run "npm run build" first.`);
  }
  const { code } = await transform(await readFile(planFile, "utf8"), {
    format: "cjs",
    platform: "node",
    target: "node20",
    minifyWhitespace: true,
    charset: "utf8",
    logLevel: "silent",
  });
  return code;
}
