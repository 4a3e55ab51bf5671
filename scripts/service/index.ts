/** Compares the real service with the contract: `check` makes calls, `ask` answers open questions, and `startProxy` forwards calls of a client. */
export { type AskOptions, type AskResult, ask, markdownOf } from "./ask.ts";
export { type CallerOptions, inputNames, type Target } from "./caller.ts";
export { type CheckOptions, check, readDeviations } from "./check.ts";
export { isSafe } from "./operations.ts";
export { startProxy } from "./proxy.ts";
export { lineOf, Report, type ReportFormat } from "./report.ts";
