import { defineConfig } from "vitest/config";
import Sequencer from "./test/support/sequencer.ts";

// Most of these tests wait for other programs, so three test files run at a time. A project's `maxWorkers` takes precedence over the
// option `--maxWorkers`. Projects with different `maxWorkers` run one after the other, by `groupOrder`.
const waiting = { maxWorkers: 3, sequence: { groupOrder: 1, sequencer: Sequencer } };

export default defineConfig({
  // By the `paths` of tsconfig.json, tests import the sources of the package by the package's name.
  resolve: { tsconfigPaths: true },
  // As in tsconfig.json, which vitest does not read for copies of sources in temporary folders.
  oxc: { jsx: { importSource: "preact" } },
  test: {
    // Two processes, each of which loads a module once for all its test files. A test file must restore global state that it changes.
    maxWorkers: 2,
    isolate: false,
    // Tests make many objects of short life. With more space for them, collecting the garbage takes less than half of the time.
    execArgv: ["--max-semi-space-size=64"],
    // Caches transformed modules in node_modules, by content.
    experimental: { fsModuleCache: true, fsModuleCachePath: "node_modules/.cache/vitest" },
    reporters: ["default", "./test/support/skipped-reporter.ts"],
    setupFiles: ["./test/support/property-seed.ts", "./test/support/exit-code.ts"],
    // CI repeats a failed test once, since a loaded machine can delay a test. The reporter lists the repeated tests.
    retry: process.env.CI ? 1 : 0,
    expect: { poll: { timeout: 10_000 } },
    sequence: { sequencer: Sequencer },
    testTimeout: 30_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: {
          name: "fast",
          include: ["test/**/*.test.ts"],
          // test/client/consumer has projects that `npm run verify` builds with the packed package.
          exclude: ["**/*.{slow,nightly}.test.ts", "test/peers/**", "test/client/consumer/**"],
        },
      },
      {
        extends: true,
        test: {
          name: "slow",
          include: ["test/**/*.slow.test.ts"],
          exclude: ["test/peers/**"],
          ...waiting,
        },
      },
      {
        extends: true,
        test: {
          name: "peers",
          include: ["test/peers/**/*.test.ts"],
          exclude: ["**/node_modules/**", "**/*.nightly.test.ts"],
          globalSetup: "test/peers/install.ts",
          ...waiting,
        },
      },
      {
        extends: true,
        test: {
          name: "nightly",
          include: ["test/**/*.nightly.test.ts"],
          exclude: ["**/node_modules/**"],
          globalSetup: "test/peers/install.ts",
        },
      },
    ],
  },
});
