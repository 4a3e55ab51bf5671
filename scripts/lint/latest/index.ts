/** Proves that the edition latest holds nothing proposed. */
export { type LatestProblem, latestProblems } from "./problems.ts";
