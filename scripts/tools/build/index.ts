/** The generators are loaded only when they are used, so that a build with nothing to do is quick. */
export { build, checkGenerated, runStep, steps, updateGenerated } from "./build.ts";
export { findStaleFiles, replaceFolder, updateFolder } from "./files.ts";
export { writeGuides } from "./guides.ts";
export { packIntoSite, packPackage, publishedManifest, tarballName } from "./package.ts";
export { editionOfRedoc, makeRedoc, renderRedoc } from "./redoc.ts";
export { siteInput } from "./site-input.ts";
