/** Proves that what is published works where it is installed. */
import { join } from "node:path";
import { runStep } from "../build/index.ts";
import { projectRoot } from "../contract/index.ts";
import { startMock } from "../mock/mock.ts";
import { loadPlan } from "../plan/index.ts";
import { environments, tryEnvironment } from "./environments.ts";
import { installNode, makeProject, packPackage, runPackedTests, testOn, typeCheck, useInstalled } from "./package.ts";
import { withTemporaryFolder } from "./processes.ts";

export interface VerifyOptions {
  /** Major versions of Node on which the installed package is used, and the tests are run, once more: `["22", "24"]`. */
  node: string[];
  /** Whether the package is tried in bundlers, other runtimes and frameworks as well, and judged by tools. */
  environments: boolean;
}

/**
 * Packs the package, installs it in a project of its
 * own, uses it there against the mock, type-checks programs that use it, and runs the tests of `test/packed` with it. Needs
 * the npm registry.
 *
 * @throws {UsageError} from the first step that fails; the message says what to do. Temporary files are removed, and child
 * processes have ended, in any case.
 */
export async function verify({ node, environments: all }: VerifyOptions): Promise<void> {
  await withTemporaryFolder("verify-", async (folder) => {
    const tarball = await runStep("pack", () => packPackage(folder));
    const mock = await startMock(await loadPlan(), { stateless: true });
    try {
      const env = consumerEnvironment(folder, mock);
      const project = await makeProject(folder, "consumer", [tarball]);
      await step("use", () => useInstalled(project, process.execPath, env));
      await step("types", () => typeCheck(project, join(projectRoot, "node_modules/.bin/tsc")));
      await step("packed", () => runPackedTests(folder, tarball));
      for (const major of node) {
        const binary = await runStep(`node ${major}`, () => installNode(folder, major));
        await step("use", () => useInstalled(project, binary, env));
        await step("tests", () => testOn(binary));
      }
      const left = (all ? environments : []).values();
      const take = async () => {
        for (const each of left) await step(each.name, () => tryEnvironment(each, { folder, tarball, env }));
      };
      // Two at a time: most of their time goes into installing.
      await Promise.all([take(), take()]);
    } finally {
      await mock.close();
    }
  });
}

/** Runs a step that has no result but a few words on what it did. */
function step(name: string, run: () => Promise<string>): Promise<undefined> {
  return runStep(name, async () => ({ result: undefined, summary: await run() }));
}

/** Where the mock is, and what keeps tools from sending telemetry and from writing to the home folder. */
function consumerEnvironment(folder: string, mock: { url: string; depositUrl: string }): Record<string, string> {
  return {
    MAIN_URL: mock.url,
    DEPOSIT_URL: mock.depositUrl,
    NO_COLOR: "1",
    DO_NOT_TRACK: "1",
    NEXT_TELEMETRY_DISABLED: "1",
    DENO_NO_UPDATE_CHECK: "1",
    XDG_CONFIG_HOME: join(folder, ".config"),
    XDG_CACHE_HOME: join(folder, ".cache"),
  };
}
