import { defineConfig } from "vitest/config";

export default defineConfig({
  // The `paths` of tsconfig.json: tests import the package by its name and get its sources.
  resolve: { tsconfigPaths: true },
  // As in tsconfig.json, which is not read for the copies of files that tests make elsewhere.
  oxc: { jsx: { importSource: "preact" } },
  test: {
    include: ["test/**/*.test.ts"],
    // Projects that `npm run verify` builds with the packed package.
    exclude: ["test/consumer/**"],
    // Two processes, each of which loads a module once for all of its test files: what a file changes, it puts back.
    maxWorkers: 2,
    isolate: false,
    reporters: ["default", "./test/support/skipped-reporter.ts"],
    setupFiles: ["./test/support/property-seed.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    typecheck: {
      enabled: true,
      include: ["test/**/*.test-d.ts"],
      tsconfig: "test/types/tsconfig.json",
    },
  },
});
