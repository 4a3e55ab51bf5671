/** The mock's plan, loaded at most once per worker process. Tests must not modify it. */
import { loadPlan } from "../../scripts/mock/make-plan/index.ts";

export const plan = await loadPlan();
