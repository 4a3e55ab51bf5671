/** The build. `generate.ts`, which loads the generators, is imported separately, so that a build with nothing to do ends immediately. */
export { build, checkGenerated, runStep, steps } from "./build.ts";
export { findStaleFiles, replaceFolder } from "./files.ts";
export { writeGuides } from "./guides.ts";
export { makeRedoc } from "./redoc.ts";
