import { relative } from "node:path";
import type { Reporter, TestModule, Vitest } from "vitest/node";

export const skippableFiles: Record<string, { proves: string; remedy: string }> = {
  "test/peers/packed/dedupe-redis.test.ts": {
    proves: "the store of handled events in a real Redis",
    remedy: "Install redis-server, or name one with REDIS_SERVER.",
  },
  "test/peers/docs/browser.test.ts": {
    proves: "the site in a real browser",
    remedy: "Install Chromium, or name one with CHROMIUM_PATH.",
  },
  "test/specification/quotes.test.ts": {
    proves: "that test/specification quotes the interface specification to the letter, and all of it",
    remedy: "Put interface-specification.md into a folder shared beside the checkout.",
  },
};

export default class SkippedReporter implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    // Does not report tests excluded with -t, nor skipped tests of a failed file, because a failed hook may have skipped them.
    if (this.#vitest === undefined || this.#vitest.config.testNamePattern !== undefined) return;
    for (const module of modules.filter((candidate) => candidate.state() !== "failed")) {
      const count = [...module.children.allTests("skipped")].length;
      if (count > 0) this.#vitest.logger.log(lineOf(relative(this.#vitest.config.root, module.moduleId), count));
    }
  }
}

function lineOf(file: string, count: number): string {
  const tests = `${count} ${count === 1 ? "test" : "tests"} of ${file} skipped`;
  const skippableFile = skippableFiles[file];
  return skippableFile === undefined
    ? `Not proved: ${tests}.`
    : `Not proved: ${skippableFile.proves} (${tests}). ${skippableFile.remedy}`;
}
