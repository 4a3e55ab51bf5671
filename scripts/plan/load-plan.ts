/** The plan of this repository's contract as a module, made of the sources. */
import { pathToFileURL } from "node:url";
import { type OpenApiDocument, planFile } from "../contract/index.ts";
import type { Plan } from "../mock/plan/plan.ts";
import { cached, keyOf } from "./cached.ts";

/** What the plan is made of, and what makes it. */
const inputs = [
  ...["openapi", "redocly.yaml", "package-lock.json"],
  ...["bundle", "contract", "plan", "sources", "mock/plan"].map((folder) => `scripts/${folder}`),
];

/**
 * The plan, which is made first where it is missing or something has changed.
 *
 * @throws {UsageError} when the contract or a register cannot be read.
 */
export async function loadPlan(): Promise<Plan> {
  await buildPlan();
  const { plan } = (await import(pathToFileURL(planFile).href)) as { plan: Plan };
  return plan;
}

/**
 * Writes the module unless it is up to date.
 *
 * @param document the annotated document of the edition `test`, where it is at hand.
 * @returns whether it was written.
 * @throws {UsageError} when the contract or a register cannot be read.
 */
export function buildPlan(document?: OpenApiDocument): Promise<boolean> {
  return cached(planFile, keyOf(inputs), async () => {
    // What compiles takes half a second to load.
    const { planModule } = await import("./make-plan.ts");
    const { readPlanRegisters } = await import("./registers.ts");
    const { bundleContract } = await import("../bundle/index.ts");
    const { Sources } = await import("../sources/index.ts");
    const sources = new Sources();
    return planModule({
      document: document ?? (await bundleContract("test", sources)),
      registers: readPlanRegisters(sources),
    });
  });
}
