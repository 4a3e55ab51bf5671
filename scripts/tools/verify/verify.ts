import { cpSync } from "node:fs";
import { join } from "node:path";
import { startMock } from "../../mock/host/index.ts";
import { loadPlan } from "../../mock/make-plan/index.ts";
import { build, runStep, tarballName } from "../build/index.ts";
import { withTemporaryFolder } from "../processes/index.ts";
import { environments, tryEnvironment } from "./environments.ts";
import {
  compilers,
  installNode,
  makeProject,
  makeTestProject,
  packAndCheck,
  runPackedTests,
  typeCheck,
  useInstalledPackage,
} from "./package.ts";
import { buildTwice } from "./reproducible.ts";

export interface VerifyOptions {
  /**
   * Further major versions of Node, such as `["22", "24"]`. Each uses the package. The tests run on the current Node and the last of these.
   */
  nodeVersions: string[];
  mustTryEnvironments: boolean;
  mustBuildTwice: boolean;
}

/**
 * Needs the npm registry. Removes temporary files and ends child processes, also after a failure or a signal.
 *
 * @throws the error of the first step that fails.
 */
export async function verify({ nodeVersions, mustTryEnvironments, mustBuildTwice }: VerifyOptions): Promise<void> {
  await build();
  await withPackage(async ({ folder, tarball, project, env }) => {
    const testPackage = async (): Promise<void> => {
      const testProject = await makeTestProject(folder, tarball);
      await runStep("packed", () => runPackedTests(testProject, process.execPath));
      for (const major of nodeVersions) {
        const binary = await installNode(folder, major);
        await runStep("use", () => useInstalledPackage(project, binary, env));
        if (major === nodeVersions.at(-1)) await runStep("packed", () => runPackedTests(testProject, binary));
      }
    };
    const buildAgain = async (): Promise<void> => {
      if (mustBuildTwice) await runStep("builds", () => buildTwice(folder, tarball));
    };
    const remainingEnvironments = (mustTryEnvironments ? environments : []).values();
    const tryRemaining = async (): Promise<void> => {
      for (const environment of remainingEnvironments)
        await runStep(environment.name, () => tryEnvironment(environment, { folder, tarball, env }));
    };
    // Three sequences of steps at a time, because each step waits for npm for a part of its time.
    await Promise.all([testPackage().then(tryRemaining), buildAgain().then(tryRemaining), tryRemaining()]);
  });
}

/**
 * With `mustTry`, also installs, uses and type-checks the package, which needs the npm registry.
 *
 * @returns the tarball's path.
 */
export async function tryPackage(folder: string, { mustTry }: { mustTry: boolean }): Promise<string> {
  const packedFile = join(folder, tarballName());
  if (mustTry) await withPackage(async ({ tarball }) => cpSync(tarball, packedFile));
  else await runStep("pack", () => packAndCheck(folder));
  return packedFile;
}

interface PackedProject {
  readonly folder: string;
  readonly tarball: string;
  readonly project: string;
  readonly env: Readonly<Record<string, string>>;
}

async function withPackage(use: (packedProject: PackedProject) => Promise<void>): Promise<void> {
  await withTemporaryFolder("verify-", async (folder) => {
    const tarball = join(folder, tarballName());
    await runStep("pack", () => packAndCheck(folder));
    const mock = await startMock(await loadPlan(), { stateless: true });
    try {
      const env = consumerEnvironment(folder, mock);
      const project = await makeProject(folder, "consumer", [tarball]);
      await runStep("use", () => useInstalledPackage(project, process.execPath, env));
      for (const compiler of compilers) await runStep("types", () => typeCheck(project, compiler));
      await use({ folder, tarball, project, env });
    } finally {
      await mock.close();
    }
  });
}

function consumerEnvironment(folder: string, mock: { url: string; depositUrl: string }): Record<string, string> {
  return {
    MAIN_URL: mock.url,
    DEPOSIT_URL: mock.depositUrl,
    NO_COLOR: "1",
    DO_NOT_TRACK: "1",
    NEXT_TELEMETRY_DISABLED: "1",
    DENO_NO_UPDATE_CHECK: "1",
    DENO_DIR: join(folder, ".deno"),
    BUN_INSTALL: join(folder, ".bun"),
    XDG_CONFIG_HOME: join(folder, ".config"),
    XDG_CACHE_HOME: join(folder, ".cache"),
  };
}
