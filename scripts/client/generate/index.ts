import type * as generate from "./generate.ts";

export { Refusal } from "./reading/refusal.ts";
export { generatedNotice } from "./writing/text.ts";

// Loaded lazily, because the compilers are slow to load.
export const generateClient: typeof generate.generateClient = async (...options) =>
  (await import("./generate.ts")).generateClient(...options);
