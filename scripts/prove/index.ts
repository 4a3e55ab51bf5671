/** `npx partner-wallet-api prove`: shows whether a partner's program pays once and loses no event. */
export { type Condition, conditions } from "./conditions.ts";
export { conditionLine, reportJson, reportJunit, reportText } from "./formats.ts";
export type { Journey } from "./journey.ts";
export { payouts } from "./journeys/payouts.ts";
export { ProveError } from "./processes.ts";
export { type ProveOptions, proveCalls } from "./prove-calls.ts";
export { cannotProve, type ProofReport } from "./report.ts";
