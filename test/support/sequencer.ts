import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The files that take longest, each project's longest first. */
export const longestFiles = [
  "test/peers/languages/quick-starts.test.ts",
  "test/peers/payments/stores.test.ts",
  "test/client/payments/explore/explore.slow.test.ts",
  "test/tools/release/release.slow.test.ts",
  "test/client/payments/simulation.slow.test.ts",
  "test/peers/docs/browser.test.ts",
  "test/peers/docs/quality-browser.test.ts",
  "test/cli/build.slow.test.ts",
  "test/tools/start/start.slow.test.ts",
  "test/lint/blank-keys.slow.test.ts",
  "test/prove/prove-calls.slow.test.ts",
  "test/tools/stock-commands.slow.test.ts",
  "test/mock/worlds/client.slow.test.ts",
  "test/site/samples.slow.test.ts",
  "test/site/guides-programs.slow.test.ts",
  "test/mock/worlds/receiver.slow.test.ts",
  "test/prove/correct-programs.slow.test.ts",
  "test/mock/command-process.slow.test.ts",
  "test/cli/tools.slow.test.ts",
  "test/prove/prove-receiver.slow.test.ts",
  "test/prove/guide.slow.test.ts",
  "test/mock/prism.slow.test.ts",
  "test/tools/changes/changes-seeded.slow.test.ts",
  "test/peers/mock/page.test.ts",
  "test/tools/changes/changes.test.ts",
  "test/lint/rules.test.ts",
  "test/mock/codes/codes.test.ts",
  "test/lint/contract.test.ts",
];

/** Starts the longest files of a project first, so that none runs alone at the end. The list replaces times, which a fresh checkout lacks. */
export default class Sequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification) => {
      const rank = longestFiles.indexOf(relative(this.ctx.config.root, moduleId));
      return rank === -1 ? longestFiles.length : rank;
    };
    const sortedFiles = await super.sort(files);
    const projects = [...new Set(sortedFiles.map(({ project }) => project.name))];
    return projects.flatMap((name) =>
      sortedFiles.filter(({ project }) => project.name === name).sort((a, b) => rankOf(a) - rankOf(b)),
    );
  }
}
