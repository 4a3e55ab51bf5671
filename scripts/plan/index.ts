/**
 * Makes what the mock runs on, the plan of a bundle. What compiles one (`make-plan.ts`) is imported by its own name, so that
 * a mock whose plan is in the cache starts at once.
 */
export { buildPlan, builtSource, planFile } from "./built.ts";
export { loadPlan } from "./load-plan.ts";
export { type PlanSource, planData } from "./plan-data.ts";
export { readBundle } from "./read-bundle.ts";
export { noPlanRegisters, type PlanRegisters, readPlanRegisters } from "./registers.ts";
export { compiledSource, prismSource } from "./sources.ts";
