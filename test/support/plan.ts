/** The mock's plan, loaded at most once per worker. Must not be modified. */
import { loadPlan } from "../../scripts/mock/make-plan/index.ts";

export const plan = await loadPlan();
