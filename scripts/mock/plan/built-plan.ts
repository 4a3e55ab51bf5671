import type { Plan } from "./plan.ts";

/** `npm run build` makes this plan. */
export async function loadPlan(): Promise<Plan> {
  return (await import("../../../generated/mock/plan.js")).plan;
}
