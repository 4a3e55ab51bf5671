export { loadPlan } from "./built-plan.ts";
export type {
  AffectedResource,
  Assume,
  Balances,
  Delivery,
  ExchangeLock,
  Expectation,
  ExternalEvents,
  Fault,
  Funds,
  PossibleEvent,
  SeenRequest,
  User,
  UserOptions,
  WaitingFault,
} from "./control.ts";
export { setField, setMember } from "./members.ts";
export {
  type Edition,
  editions,
  hasFailed,
  type Plan,
  type PlanControl,
  type PlanField,
  type PlanOperation,
  type PlanWebhook,
} from "./plan.ts";
export type { Probe, ProbedQuestion, ProbeOutcome, ProbeSchema } from "./probes.ts";
