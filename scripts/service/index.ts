/**
 * Compares the real service with the contract: `check` makes calls, `ask` answers open questions, `startProxy` forwards the calls of a
 * client.
 */
export { type AskOptions, type AskResult, ask, markdownOf } from "./ask.ts";
export type { CallerOptions } from "./caller.ts";
export { type CheckOptions, check, readDeviations } from "./check.ts";
export { isSafe } from "./operations.ts";
export { startProxy } from "./proxy.ts";
export { formatDrift, Report, type ReportFormat } from "./report.ts";
export { inputNames, type Target } from "./request.ts";
