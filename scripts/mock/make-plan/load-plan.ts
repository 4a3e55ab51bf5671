/** The plan of this repository's contract as a module, made of the sources. */
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { type OpenApiDocument, planFile } from "../../contract/model/index.ts";
import { type Step, stateOf } from "../../contract/steps/index.ts";
import type { Plan } from "../plan/plan.ts";

/** What the plan is made of, and what makes it. */
export const planStep: Step = {
  name: "mock",
  inputs: [
    ...["openapi", "redocly.yaml", "package-lock.json"],
    ...["tokens.css", "base.css"].map((name) => `scripts/site/assets/${name}`),
    ...["contract", "client", "mock"].map((folder) => `scripts/${folder}`),
  ],
  outputs: ["generated/mock"],
};

/**
 * The plan, which is made first where it is missing or something has changed.
 *
 * @throws {UsageError} when the contract or a register cannot be read.
 */
export async function loadPlan(): Promise<Plan> {
  const { isMade, remember } = stateOf(planStep);
  if (!isMade) {
    await writePlan();
    remember();
  }
  const { plan } = (await import(pathToFileURL(planFile).href)) as { plan: Plan };
  return plan;
}

/**
 * Makes the module.
 *
 * @param document the annotated document of the edition `test`, where it is at hand.
 * @param approval waited for before it is written.
 * @throws {UsageError} when the contract or a register cannot be read.
 */
export async function writePlan(document?: OpenApiDocument, approval?: Promise<unknown>): Promise<void> {
  // What compiles takes half a second to load.
  const { planModule } = await import("./make-plan.ts");
  const { readPlanRegisters } = await import("./registers.ts");
  const { bundleContract } = await import("../../contract/bundle/index.ts");
  const { Sources } = await import("../../contract/sources/index.ts");
  const sources = new Sources();
  const text = await planModule({
    document: document ?? (await bundleContract("test", sources)),
    registers: readPlanRegisters(sources),
  });
  await approval;
  mkdirSync(dirname(planFile), { recursive: true });
  // Renamed into place, since another process may read it at this moment.
  writeFileSync(`${planFile}.${process.pid}.new`, text);
  renameSync(`${planFile}.${process.pid}.new`, planFile);
}
