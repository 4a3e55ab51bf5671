/** All test files of a worker process use this plan. Tests must not modify it. */
import { loadPlan } from "../../scripts/mock/make-plan/index.ts";

export const plan = await loadPlan();
