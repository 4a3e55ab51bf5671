import { defineConfig } from "vitest/config";

export default defineConfig({
  // The `paths` of tsconfig.json: tests import the package by its name and get its sources.
  resolve: { tsconfigPaths: true },
  // As in tsconfig.json, which is not read for the copies of files that tests make elsewhere.
  oxc: { jsx: { importSource: "preact" } },
  test: {
    // Two processes, each of which loads a module once for all its test files. A test file must restore what it changes.
    maxWorkers: 2,
    isolate: false,
    // Caches transformed modules in node_modules, by content.
    experimental: { fsModuleCache: true, fsModuleCachePath: "node_modules/.cache/vitest" },
    reporters: ["default", "./test/support/skipped-reporter.ts"],
    setupFiles: ["./test/support/property-seed.ts", "./test/support/exit-code.ts"],
    // A test that fails on a loaded machine gets a second try in CI; the reporter names it.
    retry: process.env.CI ? 1 : 0,
    expect: { poll: { timeout: 10_000 } },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // `npm test` runs the first one, `npm run test:all` all of them.
    projects: [
      {
        extends: true,
        test: {
          name: "fast",
          include: ["test/**/*.test.ts"],
          // test/client/consumer has projects that `npm run verify` builds with the packed package.
          exclude: ["**/*.slow.test.ts", "test/peers/**", "test/client/consumer/**"],
        },
      },
      // Processes, seeded defects, random sequences of calls, programs of the guides: seconds for each file.
      {
        extends: true,
        test: { name: "slow", include: ["test/**/*.slow.test.ts"], exclude: ["test/peers/**"] },
      },
      // What needs the packages of test/peers: browsers, frameworks, Redis, other generators and validators.
      {
        extends: true,
        test: {
          name: "peers",
          include: ["test/peers/**/*.test.ts"],
          exclude: ["**/node_modules/**"],
          globalSetup: "test/peers/install.ts",
        },
      },
    ],
  },
});
