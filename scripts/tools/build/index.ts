import type * as generate from "./generate.ts";

/** The generators are loaded only when they are used, so that a build with nothing to do is quick. */
export { build, checkGenerated, runStep, steps, updateGenerated } from "./build.ts";
export { assertNoLintErrors, bundleCheckedSources } from "./bundle-checked-sources.ts";
export const clientFindings: typeof generate.clientFindings = async (...options) =>
  (await import("./generate.ts")).clientFindings(...options);
export { findStaleFiles, replaceFolder, updateFolder } from "./files.ts";
export { writeGuides } from "./guides.ts";
export { packIntoSite, packPackage, publishedManifest, tarballName } from "./package.ts";
export { editionOfRedoc, makeRedoc, renderRedoc } from "./redoc.ts";
export { siteInput } from "./site-input.ts";
