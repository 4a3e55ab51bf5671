/**
 * Makes what the mock runs on, the plan of the contract. What compiles one (`make-plan.ts`) is imported by its own name, so that a
 * mock whose plan is up to date starts at once.
 */
export { loadPlan, planStep, writePlan } from "./load-plan.ts";
export { readBundle } from "./read-bundle.ts";
export { noPlanRegisters, type PlanRegisters, readPlanRegisters } from "./registers.ts";
