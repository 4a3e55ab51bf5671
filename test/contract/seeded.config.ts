/** Runs tests bundled with a defect: see seeded.slow.test.ts. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["**/*.seeded.mjs"],
    exclude: [],
    // They are in node_modules/.cache, and import external modules.
    server: { deps: { inline: [/\.seeded\.mjs$/] } },
    maxWorkers: 1,
    isolate: false,
    testTimeout: 10_000,
    hookTimeout: 60_000,
  },
});
