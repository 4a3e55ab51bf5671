/** Builds everything that is generated. */
export { build, checkGenerated } from "./build.ts";
export { findStaleFiles, replaceFolder } from "./files.ts";
export { generateEditions } from "./generate.ts";
export { runStep, type StepFiles, StepMemory } from "./steps.ts";
