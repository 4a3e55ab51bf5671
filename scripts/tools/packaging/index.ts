import type * as dist from "./dist.ts";

export { bundledPackages, distFolder, productFolders, programPath, publishedEntryPoints } from "./layout.ts";

// Loaded lazily, because the compilers are slow to load.
export const makeDist: typeof dist.makeDist = async (...options) => (await import("./dist.ts")).makeDist(...options);
