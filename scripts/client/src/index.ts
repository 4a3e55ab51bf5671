/** The exports for other rooms. Partners import the modules of `entries/`. */
export { inspect, isObject, type Schema } from "./conformance.ts";
export type { Deviation, Violation } from "./deviations.ts";
export type { Operation } from "./operation.ts";
export { readResponse } from "./response.ts";
