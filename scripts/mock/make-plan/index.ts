import type * as controlTypesModule from "./control-types.ts";
import type * as makePlan from "./make-plan.ts";

export { loadPlan, planStep, writePlan } from "./load-plan.ts";
export { type PlanRegisters, readPlanRegisters } from "./registers.ts";

// These modules are imported lazily, because loading their compilers is slow, and a mock with an up-to-date plan does not need them.
export const planOf = async (
  ...options: Parameters<typeof makePlan.planOf>
): Promise<ReturnType<typeof makePlan.planOf>> => (await import("./make-plan.ts")).planOf(...options);
export const controlTypes: typeof controlTypesModule.controlTypes = async (...options) =>
  (await import("./control-types.ts")).controlTypes(...options);
