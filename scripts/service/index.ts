/** Compares the real service with the contract: `check` makes calls, `ask` probes open questions, and a proxy watches a client. */
export { type AskOptions, type AskResult, ask, markdownOf } from "./ask.ts";
export { type CallerOptions, namesIn, type Target } from "./caller.ts";
export { type CheckOptions, check, readDeviations } from "./check.ts";
export { isSafe } from "./judge.ts";
export { startProxy } from "./proxy.ts";
export { lineOf, Report, type ReportFormat } from "./report.ts";
