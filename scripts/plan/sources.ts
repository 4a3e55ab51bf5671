/** What a mock can answer from: the compiled plan of a bundle, or Prism. */

import { readContract } from "../contract/index.ts";
import type { Source } from "../mock/answer/answer.ts";
import { compiledEngine } from "../mock/answer/engine.ts";
import { attachValidators } from "../mock/plan/attach.ts";
import { loadPlan } from "./load-plan.ts";
import { type PlanSource, planData } from "./plan-data.ts";
import { loadPrism } from "./prism.ts";
import { declaredHeaders, prismEngine } from "./prism-engine.ts";
import { noPlanRegisters } from "./registers.ts";
import { noSchemas } from "./schema-names.ts";

type Options = Pick<PlanSource, "document"> & Partial<PlanSource>;

/**
 * The compiled plan of a bundle, from the cache where it was made before.
 *
 * @throws when the document cannot be loaded.
 */
export async function compiledSource(options: Options): Promise<Source> {
  return { plan: await loadPlan(withDefaults(options)), engine: compiledEngine };
}

/**
 * Prism, asked for every request. Nothing is compiled, so that this suits a document that changes; the plan has no validators.
 *
 * @throws when the document cannot be loaded.
 */
export async function prismSource(options: Options): Promise<Source> {
  const source = withDefaults(options);
  const prism = await loadPrism(source.document);
  const plan = attachValidators(planData(source, noSchemas), () => noValidator);
  return { plan, engine: prismEngine(prism, declaredHeaders(readContract(source.document).operations)) };
}

function noValidator(): never {
  throw new Error("This plan was not compiled: it has no validators.");
}

function withDefaults({ edition = "test", registers = noPlanRegisters, ...source }: Options): PlanSource {
  return { edition, registers, ...source };
}
