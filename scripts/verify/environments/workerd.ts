/** workerd, the runtime of edge workers. It forbids to make code at run time, which the worker tries as well. */
import { checkClosingLine, run, runConsumer } from "../run.ts";
import { withServer } from "../serve.ts";
import type { Environment } from "./environment.ts";
import { bundleProgram, esbuildPackage } from "./esbuild.ts";

const version = "1.20261117.1";

export const workerd: Environment = {
  name: "workerd",
  packages: [`workerd@${version}`, esbuildPackage],
  check: async ({ project, env }) => {
    await bundleProgram(project, "workerd/worker.mjs", "workerd/bundle.js");
    // The package's command is a wrapper that would outlive its own end, so that the binary itself is asked for.
    const binary = await run(process.execPath, ["-p", 'require("workerd").default'], { cwd: project });
    const args = ["serve", "workerd/config.capnp", "--control-fd=1"];
    await withServer(binary.trim(), args, { cwd: project, env, port: /"port":(\d+)/ }, async (origin) => {
      const response = await fetch(`${origin}/call-the-service`);
      checkClosingLine(await response.text(), "The worker");
      await runConsumer(process.execPath, ["deliver.mjs"], { cwd: project, env: { ...env, ORIGIN: origin } });
    });
    return `calls and webhooks on workerd ${version}, which refuses to make code at run time`;
  },
};
