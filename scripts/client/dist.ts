/** Makes `dist/`, the JavaScript and the declarations that are published. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { transform } from "esbuild";
import { generatedFolder, planFile, projectRoot, UsageError } from "../contract/index.ts";
import { compile } from "./declarations.ts";
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
 * @returns the texts by their paths below `dist/`.
 * @throws {UsageError} when a source does not say the type of what it exports, or when the plan is missing.
 */
export async function makeDist(): Promise<Record<string, string>> {
  if (!existsSync(planFile)) {
    throw new UsageError(`There is no ${relative(projectRoot, planFile)}. Run "npm run build" first.`);
  }
  const sources = sourceFiles();
  // esbuild works in a process of its own meanwhile.
  const working = Promise.all([bundleMock(), ...sources.map(toModule)]);
  const compiled = compile(sources);
  const declarations = [...compiled].filter(([path]) => path.endsWith(".d.ts"));
  const [mock, ...modules] = await working;
  return Object.fromEntries([
    ...declarations,
    ...modules.flat(),
    ...[...compiled].map(([path, text]) => [join(commonJs, path), text]),
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

/** Paths of the TypeScript files that are published, below the repository. */
function sourceFiles(): string[] {
  return [`${projectRoot}/scripts/client/runtime`, `${generatedFolder}/client`]
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) =>
        relative(projectRoot, join(folder, path)),
      ),
    )
    .filter((path) => path.endsWith(".ts"))
    .sort();
}

/**
 * A source as an ES module, with its map. What is generated holds tables and types: nobody looks for a mistake there, and its map
 * would be as large as itself.
 */
async function toModule(path: string): Promise<[path: string, text: string][]> {
  const isGenerated = path.startsWith("generated/");
  const module = path.replace(/\.ts$/, ".js");
  const { code, map } = await transform(readFileSync(join(projectRoot, path), "utf8"), {
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
