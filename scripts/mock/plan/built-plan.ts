import type { Plan } from "./plan.ts";

/** Loads the plan that `npm run build` makes. */
export async function loadPlan(): Promise<Plan> {
  return (await import("../../../generated/mock/plan.js")).plan;
}
