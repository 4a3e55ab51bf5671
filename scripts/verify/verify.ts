/**
 * `npm run verify`: what is published is what the contract says, and works where it is installed. `-- --node 22,24` repeats
 * the check of the installed package, and the tests that need no browser, on other major versions of Node;
 * `-- --environments` tries it in bundlers, other runtimes and frameworks, and has tools judge it.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { checkGenerated } from "../build/build.ts";
import { bundleContract } from "../build/bundle.ts";
import { runStep } from "../build/steps.ts";
import { projectRoot } from "../contract/project.ts";
import { runCommand, UsageError } from "../contract/usage-error.ts";
import { startMock } from "../mock/mock.ts";
import { environments, tryEnvironment } from "./environments/index.ts";
import { installNode, testOn } from "./node-versions.ts";
import { installPackage, packPackage, typeCheck, useInstalled } from "./package.ts";

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { node: { type: "string", default: "" }, environments: { type: "boolean", default: false } },
  });
  const majors = values.node.split(",").filter((major) => major !== "");
  if (majors.some((major) => !/^\d+$/.test(major))) throw new UsageError("--node takes major versions, such as 22,24.");

  await runStep("stale", async () => {
    await checkGenerated();
    return { result: undefined, summary: "generated/ is what the contract gives" };
  });
  const workspace = mkdtempSync(join(tmpdir(), "verify-"));
  const mock = await startMock({ document: await bundleContract("latest"), port: 0, depositPort: 0 });
  try {
    const env = consumerEnvironment(workspace, mock);
    const tarball = await runStep("pack", () => packPackage(workspace));
    await verifyOnNode({ workspace, tarball, env, majors });
    for (const environment of values.environments ? environments : []) {
      await tryEnvironment(environment, { workspace, tarball, env });
    }
  } finally {
    await mock.close();
    rmSync(workspace, { recursive: true, force: true });
  }
}

async function verifyOnNode(context: {
  workspace: string;
  tarball: string;
  env: NodeJS.ProcessEnv;
  majors: string[];
}): Promise<void> {
  const { workspace, tarball, env, majors } = context;
  const project = await runStep("install", () => installPackage(workspace, tarball));
  await runStep("use", () => useInstalled(project, process.execPath, env));
  await runStep("types", async () => {
    const compiler = `${projectRoot}/node_modules/typescript/bin/tsc`;
    return { result: undefined, summary: await typeCheck(project, compiler) };
  });
  for (const major of majors) {
    const node = await runStep(`node ${major}`, () => installNode(workspace, major));
    await runStep("use", () => useInstalled(project, node, env));
    await runStep("tests", () => testOn(node));
  }
}

/** Where the mock is, and what keeps tools from calling home and from leaving files in the home folder. */
function consumerEnvironment(workspace: string, mock: { url: string; depositUrl: string }): NodeJS.ProcessEnv {
  return {
    ...process.env,
    MAIN_URL: mock.url,
    DEPOSIT_URL: mock.depositUrl,
    NO_COLOR: "1",
    DO_NOT_TRACK: "1",
    NEXT_TELEMETRY_DISABLED: "1",
    DENO_NO_UPDATE_CHECK: "1",
    XDG_CONFIG_HOME: join(workspace, ".config"),
    XDG_CACHE_HOME: join(workspace, ".cache"),
  };
}

await runCommand(main);
