/**
 * `npm run verify`: what is published is what the contract says, and works where it is installed. `-- --node 22,24` repeats
 * the check of the installed package, and the tests that need no browser, on other major versions of Node.
 */
import { parseArgs } from "node:util";
import { checkGenerated } from "../build/build.ts";
import { runStep } from "../build/steps.ts";
import { runCommand, UsageError } from "../contract/usage-error.ts";
import { installNode, testOn } from "./node-versions.ts";
import { installPackage, packPackage, removePackage, useInstalled } from "./package.ts";

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { node: { type: "string", default: "" } } });
  const majors = values.node.split(",").filter((major) => major !== "");
  if (majors.some((major) => !/^\d+$/.test(major))) throw new UsageError("--node takes major versions, such as 22,24.");

  await runStep("stale", async () => {
    await checkGenerated();
    return { result: undefined, summary: "generated/ is what the contract gives" };
  });
  const tarball = await runStep("pack", packPackage);
  const project = await runStep("install", () => installPackage(tarball));
  try {
    await runStep("use", () => useInstalled(project, process.execPath));
    for (const major of majors) {
      const node = await runStep(`node ${major}`, () => installNode(major));
      await runStep("use", () => useInstalled(project, node));
      await runStep("tests", () => testOn(node));
    }
  } finally {
    removePackage(project);
  }
}

await runCommand(main);
