import type * as dist from "./dist.ts";
import type * as generate from "./generate.ts";

export { bundledPackages, distFolder, productFolders, publishedEntryPoints } from "./layout.ts";
export { generatedNotice } from "./text.ts";

// Loaded lazily, because the compilers are slow to load.
export const generateClient: typeof generate.generateClient = async (...options) =>
  (await import("./generate.ts")).generateClient(...options);
export const makeDist: typeof dist.makeDist = async (...options) => (await import("./dist.ts")).makeDist(...options);
