/** Makes the plan of a bundle, as the text of a module that needs nothing when it is loaded. */
import { build, type Plugin } from "esbuild";
import { projectRoot, readContract } from "../contract/index.ts";
import type { PlanData } from "../mock/plan/attach.ts";
import { formatsModule, formatsText } from "./formats.ts";
import { type PlanSource, planData } from "./plan-data.ts";
import { loadPrism } from "./prism.ts";
import { declaredHeaders, produceAnswer } from "./prism-engine.ts";
import { Validators } from "./validators.ts";

/**
 * Compiles the schemas of a bundle, and has Prism produce every documented answer once.
 *
 * @returns the plan as data, and the text of an ES module that exports it as `plan`, with its validators.
 * @throws when the document cannot be loaded.
 */
export async function makePlan(source: PlanSource): Promise<{ data: PlanData; code: string }> {
  const prism = await loadPrism(source.document);
  const validators = new Validators(source.document, prism);
  const headersOf = declaredHeaders(readContract(source.document).operations);
  const plain = planData(source, validators);
  const operations = [];
  for (const operation of plain.operations) {
    const answers = [];
    for (const answer of operation.answers) answers.push(await produceAnswer(prism, operation, answer, headersOf));
    operations.push({ ...operation, answers });
  }
  const data = { ...plain, operations };
  return { data, code: await moduleOf(data, validators.code()) };
}

/** One self-contained module. */
async function moduleOf(data: PlanData, validators: string[]): Promise<string> {
  const modules = new Map(validators.map((text, index) => [`validators:${index}`, text]));
  const entry = [
    `import { attachValidators } from ${JSON.stringify(`${projectRoot}/scripts/mock/plan/attach.ts`)};`,
    ...[...modules.keys()].map((name, index) => `import * as v${index} from "${name}";`),
    `const validators = { none: () => true, ${validators.map((_, index) => `...v${index}`).join(", ")} };`,
    // Read from a text, which is faster than an object literal of this size.
    `const data = JSON.parse(${JSON.stringify(JSON.stringify(data))});`,
    "export const plan = attachValidators(data, (name) => validators[name]);",
  ].join("\n");
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: projectRoot, loader: "js" },
    plugins: [virtual(modules)],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "neutral",
    mainFields: ["main"],
    target: "node20",
    legalComments: "none",
    logLevel: "silent",
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error("esbuild wrote nothing.");
  return file.text;
}

/** Lets the bundler find modules that are no files. */
function virtual(modules: Map<string, string>): Plugin {
  return {
    name: "virtual",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^validators:/ }, ({ path }) => ({ path, namespace: "virtual" }));
      onResolve({ filter: /^\.\/formats$/, namespace: "virtual" }, () => ({
        path: formatsModule,
        namespace: "virtual",
      }));
      onLoad({ filter: /.*/, namespace: "virtual" }, ({ path }) => ({
        contents: modules.get(path) ?? formatsText,
        loader: "js",
        resolveDir: projectRoot,
      }));
    },
  };
}
