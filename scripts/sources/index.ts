/** Reads the hand-written files of the contract. */
export { readRedoclyConfig } from "./redocly-config.ts";
export { diskFiles, type SourceFiles } from "./source-files.ts";
export { type Layout, layoutOf, Sources, type Unreadable } from "./sources.ts";
