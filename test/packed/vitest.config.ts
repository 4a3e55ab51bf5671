/** For `npm run verify`, which copies this folder into a project that has the packed package installed. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["*.test.ts", "installed.ts"],
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
