/** Where the plans of the mock stand, which `scripts/plan/` makes. */
import { editions } from "../contract/index.ts";

/** Paths below the repository. */
export const planFiles: readonly string[] = editions.map((edition) => `generated/mock/${edition}.js`);
