import { brotliCompressSync } from "node:zlib";
import { build, type Plugin } from "esbuild";
import { projectRoot } from "../../base/index.ts";
import { attachValidators, type PlanData } from "../plan/attach.ts";
import type { Plan } from "../plan/plan.ts";
import { type PlanSource, planData } from "./plan-data.ts";
import { scenarioState } from "./scenario/play.ts";
import { timelineOf } from "./scenario/steps.ts";
import { Validators } from "./validators.ts";

/** Schemas are compiled and the scenario is run only when they are first used, so that a mock restarts quickly. */
export function planOf(source: PlanSource): Plan {
  const validators = new Validators(source.document);
  const plan = attachValidators(planData(source, validators), (name) => validators.get(name));
  let scenario: { state: Plan["scenario"] } | undefined;
  return {
    ...plan,
    get scenario() {
      scenario ??= { state: scenarioState(plan, timelineOf(source)) };
      return scenario.state;
    },
  };
}

export async function planModule(source: PlanSource): Promise<string> {
  const validators = new Validators(source.document);
  const data = planData(source, validators);
  const plan = attachValidators(data, (name) => validators.get(name));
  const scenario = scenarioState(plan, timelineOf(source));
  return moduleOf({ ...data, scenario }, validators.toModules());
}

async function moduleOf(data: PlanData, validators: string[]): Promise<string> {
  const compressedData = brotliCompressSync(JSON.stringify(data)).toString("base64");
  const entry = [
    'import { brotliDecompressSync } from "node:zlib";',
    `import { attachValidators } from ${JSON.stringify(`${projectRoot}/scripts/mock/plan/attach.ts`)};`,
    ...validators.map((_, index) => `import * as v${index} from "validators:${index}";`),
    `const validators = { ${validators.map((_, index) => `...v${index}`).join(", ")} };`,
    `const data = JSON.parse(brotliDecompressSync(Buffer.from("${compressedData}", "base64")).toString());`,
    "export const plan = attachValidators(data, (name) => validators[name] ?? (() => true));",
  ].join("\n");
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: projectRoot, loader: "js" },
    plugins: [virtualModules(validators)],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "node",
    target: "node20",
    legalComments: "none",
    logLevel: "silent",
  });
  return outputFiles.map(({ text }) => text).join("");
}

function virtualModules(texts: readonly string[]): Plugin {
  return {
    name: "virtual",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^validators:/ }, ({ path }) => ({
        path: path.slice("validators:".length),
        namespace: "virtual",
      }));
      onLoad({ filter: /.*/, namespace: "virtual" }, ({ path }) => ({
        contents: texts[Number(path)] as string,
        loader: "js",
        resolveDir: projectRoot,
      }));
    },
  };
}
