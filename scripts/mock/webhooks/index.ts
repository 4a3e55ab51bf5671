export { describeOutcome, isExpectedStatus } from "./describe-outcome.ts";
export { acknowledgedStatus, attempt, connectionProblem } from "./send.ts";
export { addressOf, checkTarget, type Target, type UrlTarget } from "./target.ts";
