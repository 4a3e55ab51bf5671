/**
 * The runtime's exports for the other folders of `scripts/`: reads responses, and compares them with schemas. Partners import the modules
 * of `entries/`.
 */
export { inspect, type Schema } from "./conformance.ts";
export type { Deviation, Violation } from "./deviations.ts";
export type { Operation } from "./operation.ts";
export { readResponse } from "./response.ts";
