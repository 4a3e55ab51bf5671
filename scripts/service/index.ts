/** The service held against the contract: by calls of one's own, by questions, or by the calls of a client as they pass. */
export { type Asked, type AskOptions, ask, markdownOf } from "./ask.ts";
export { type CallerOptions, namesIn } from "./caller.ts";
export { type CheckOptions, check, readDeviations } from "./check.ts";
export { isSafe } from "./judge.ts";
export { startProxy } from "./proxy.ts";
export { lineOf, Report, type ReportFormat } from "./report.ts";
export { ServiceError, type Target } from "./target.ts";
