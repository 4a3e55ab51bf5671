import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { type BuildStep, planFile, stepStateOf } from "../../base/index.ts";
import type { OpenApiDocument } from "../../contract/model/index.ts";
import type { Plan } from "../plan/plan.ts";

export const planStep: BuildStep = {
  name: "mock",
  inputs: [
    ...["openapi", "redocly.yaml", "package-lock.json"],
    ...["tokens.css", "base.css"].map((name) => `scripts/site/assets/${name}`),
    ...["base", "contract", "lint", "client", "mock"].map((folder) => `scripts/${folder}`),
  ],
  outputs: ["generated/mock"],
};

/** Rebuilds an outdated plan first. @throws {UsageError} when an input cannot be read. */
export async function loadPlan(): Promise<Plan> {
  const { isUpToDate, markAsDone } = stepStateOf(planStep);
  if (!isUpToDate) {
    await writePlan();
    markAsDone();
  }
  const { plan } = (await import(pathToFileURL(planFile).href)) as { plan: Plan };
  return plan;
}

/**
 * @param document the annotated document of the edition `test`; bundled from the sources when left out.
 * @param approval awaited before the file is written; if it rejects, nothing is written.
 * @throws {UsageError} when the contract or a register cannot be read.
 */
export async function writePlan(document?: OpenApiDocument, approval?: Promise<unknown>): Promise<void> {
  // Imported lazily, because the modules that make the plan are slow to load, and a plan that is up to date does not need them.
  const { planModule } = await import("./make-plan.ts");
  const { readPlanRegisters } = await import("./registers.ts");
  const { bundleContract } = await import("../../contract/bundle/index.ts");
  const { Sources } = await import("../../contract/sources/index.ts");
  const sources = new Sources();
  const text = await planModule({
    document: document ?? (await bundleContract("test", sources)).document,
    registers: readPlanRegisters(sources),
  });
  await approval;
  mkdirSync(dirname(planFile), { recursive: true });
  // The new file is renamed into place, because another process may be reading the previous one.
  writeFileSync(`${planFile}.${process.pid}.new`, text);
  renameSync(`${planFile}.${process.pid}.new`, planFile);
}
