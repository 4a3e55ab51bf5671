export { setField, setMember } from "./members.ts";
export {
  type Edition,
  editions,
  type Plan,
  type PlanControl,
  type PlanField,
  type PlanOperation,
  type PlanWebhook,
} from "./plan.ts";
export type { Probe, ProbedQuestion, ProbeOutcome, ProbeSchema } from "./probes.ts";
