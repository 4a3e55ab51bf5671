/**
 * Builds everything that is generated. What loads the generators (`generate.ts`) is imported by its own name, so that a
 * build with nothing to do ends at once.
 */
export { build, checkGenerated, runStep } from "./build.ts";
export { findStaleFiles, replaceFolder } from "./files.ts";
