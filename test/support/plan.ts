/** The plan that the mock runs on, read at most once in each worker. Nobody may change what it holds. */
import { loadPlan } from "../../scripts/mock/make-plan/index.ts";

export const plan = await loadPlan();
