/** `npm run verify` copies this folder and test/peers/packed into a project with the packed package. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["client/packed/*.test.ts", "client/packed/installed.ts", "peers/packed/*.test.ts"],
    maxWorkers: 2,
    isolate: false,
    retry: process.env.CI ? 1 : 0,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
